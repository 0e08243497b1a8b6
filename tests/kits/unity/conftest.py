# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One OpenGL context, and the helpers of the other rooms."""

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[2]
for folder in (TESTS / "kits" / "shaders", TESTS / "formats"):
    sys.path.insert(0, str(folder))


@pytest.fixture(scope="session")
def machine():
    from machine import Machine

    return Machine()
