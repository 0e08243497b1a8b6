# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""setup.py, and the wheel for pip that `make wheel` makes."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD_PYTHON = ROOT / "build" / "env" / "bin" / "python"
WHEELS = list(ROOT.glob("build/dist/truevat-*.whl"))

needs_wheel = pytest.mark.skipif(len(WHEELS) != 1, reason="`make wheel` has not been run")


@pytest.mark.skipif(not BUILD_PYTHON.exists(), reason="`make setup` has not been run")
def test_missing_tinyexr_is_explained(tmp_path: Path) -> None:
    command = [BUILD_PYTHON, "setup.py", "build_ext", "-b", tmp_path / "lib", "-t", tmp_path / "t"]
    environment = {**os.environ, "TRUEVAT_TINYEXR_INCLUDE": str(tmp_path)}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert result.returncode == 1
    for part in (str(tmp_path), "libtinyexr-dev", "tinyexr-devel", "vcpkg", "macOS", "Windows"):
        assert part in result.stderr


@needs_wheel
def test_wheel_has_the_package() -> None:
    with zipfile.ZipFile(WHEELS[0]) as archive:
        names = set(archive.namelist())
    sources = (path.relative_to(ROOT / "addon").as_posix() for path in ROOT.glob("addon/**/*.py"))
    modules = {f"truevat/{name}" for name in sources}
    assert {name for name in names if name.endswith(".py")} == modules
    assert {"truevat_native.pyi", "truevat/core/viewer.html"} <= names


@needs_wheel
def test_wheel_runs(tmp_path: Path) -> None:
    """Beside the package in place that the tests otherwise use."""
    install = [sys.executable, "-m", "pip", "-q", "install", "--no-deps", "--no-index"]
    subprocess.run([*install, "--target", tmp_path, WHEELS[0]], check=True)
    code = (
        "import sys, truevat.cli, truevat_native; "
        "assert truevat.__file__.startswith(sys.argv[1]), truevat.__file__; "
        "assert truevat_native.__file__.startswith(sys.argv[1]), truevat_native.__file__"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-c", code, tmp_path]
    subprocess.run(command, check=True, env=environment, cwd=tmp_path)
