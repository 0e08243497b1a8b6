# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compilers that the tests of the kits need, installed where they are missing."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

# Command to Debian's package.
PACKAGES = {
    "glslangValidator": "glslang-tools",
    "spirv-cross": "spirv-cross",
    "mcs": "mono-mcs",
    "mono": "mono-runtime",
}


def tool(command: str) -> str:
    """The command's path. Without it and without the right to install it, the test is skipped."""
    path = shutil.which(command)
    if not path and os.geteuid() == 0 and shutil.which("apt-get"):
        options = ["-q", "-y", "--no-install-recommends"]
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for words in (["update", "-q"], ["install", *options, PACKAGES[command]]):
            subprocess.run(["apt-get", *words], env=environment, capture_output=True)
        path = shutil.which(command)
    if not path:
        pytest.skip(f"{command} is missing: install {PACKAGES[command]}")
    return path


def run(command: list[str]) -> str:
    """What a command prints. Its complaint is the test's."""
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, f"{' '.join(command)}\n{result.stdout}{result.stderr}"
    return result.stdout
