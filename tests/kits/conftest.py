# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An empty file for each test, and the shader's other half for all of them."""

import sys
from pathlib import Path

import bpy
import pytest

# scenes.py and evaluated.py; the reader that was made from docs/format.md
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "blender"))
sys.path.append(str(Path(__file__).resolve().parents[1] / "formats"))


@pytest.fixture(autouse=True)
def empty_blender():
    bpy.ops.wm.read_factory_settings(use_empty=True)


@pytest.fixture(scope="session")
def player():
    from player import Player

    return Player()
