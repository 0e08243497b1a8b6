# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes known: the builder of the kit, bakes of the format, and the shaders' cases."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / path) for path in (".ci", "tests/formats", "tests/kits/shaders")]
