# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every test begins in an empty file."""

import bpy
import pytest


@pytest.fixture(autouse=True)
def empty_blender():
    bpy.ops.wm.read_factory_settings(use_empty=True)
