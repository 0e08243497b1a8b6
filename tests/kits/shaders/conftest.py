# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One OpenGL context for all tests of shaders."""

import pytest

from machine import Machine


@pytest.fixture(scope="session")
def machine():
    return Machine()
