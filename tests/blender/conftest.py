# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every test begins in an empty file."""

import sys
from pathlib import Path

import bpy
import pytest

# The readers that were made from docs/format.md, and of GLB files.
sys.path += [str(Path(__file__).resolve().parents[1] / name) for name in ("formats", "kits")]


@pytest.fixture(autouse=True)
def empty_blender():
    bpy.ops.wm.read_factory_settings(use_empty=True)
