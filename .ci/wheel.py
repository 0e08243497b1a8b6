# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the wheel for pip into build/dist."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from viewer import build_viewer

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"


def build_wheel(folder: Path, *, native_only: bool) -> Path:
    """The one wheel in `folder`, the same bytes each time. For the extension: native_only."""
    if not native_only:
        build_viewer()
    base = BUILD / ("wheel-native" if native_only else "wheel")
    for stale in base.glob("lib*/truevat"):
        shutil.rmtree(stale)  # modules that are gone would be packed again
    shutil.rmtree(folder, ignore_errors=True)
    environment = {
        **os.environ,
        "TRUEVAT_NATIVE_ONLY": "1" if native_only else "0",
        "SOURCE_DATE_EPOCH": "315532800",  # the first moment that a zip can name
    }
    setup = [BUILD / "env" / "bin" / "python", "setup.py", "-q"]
    command = [*setup, "build", "-b", base, "bdist_wheel", "-d", folder]
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{result.stdout}{result.stderr}error: the wheel could not be built")
    (wheel,) = folder.glob("*.whl")
    return wheel


if __name__ == "__main__":
    print(build_wheel(BUILD / "dist", native_only=False).relative_to(ROOT))
