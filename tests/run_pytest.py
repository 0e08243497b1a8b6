# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""pytest, without Python's own way out.

Blender as a module crashes (4.2) or hangs (4.5) in it when classes are still registered, be it by
one of Blender's own exporters.
"""

import os
import sys

import pytest

code = pytest.main(sys.argv[1:])
sys.stdout.flush()
sys.stderr.flush()
os._exit(code)
