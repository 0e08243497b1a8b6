# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip that is installed in Blender, and the wheel inside it."""

from __future__ import annotations

import ast
import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = tomllib.loads((ROOT / "blender_manifest.toml").read_text("utf-8"))
ZIP = ROOT / "build" / f"truevat-{MANIFEST['version']}.zip"

pytestmark = pytest.mark.skipif(not ZIP.exists(), reason="`make extension` has not been run")


@pytest.fixture(scope="module")
def names() -> list[str]:
    with zipfile.ZipFile(ZIP) as archive:
        assert archive.testzip() is None
        return [name for name in archive.namelist() if not name.endswith("/")]


@pytest.fixture(scope="module")
def packed_manifest() -> dict:
    with zipfile.ZipFile(ZIP) as archive:
        return tomllib.loads(archive.read("blender_manifest.toml").decode())


@pytest.fixture
def wheel(names: list[str], tmp_path: Path) -> Path:
    (name,) = [name for name in names if name.startswith("wheels/")]
    with zipfile.ZipFile(ZIP) as archive:
        return Path(archive.extract(name, tmp_path))


def test_root_is_the_package(names: list[str]) -> None:
    assert {"blender_manifest.toml", "__init__.py", "LICENSE"} <= set(names)


def test_has_every_module_and_nothing_else(names: list[str]) -> None:
    modules = {path.relative_to(ROOT / "addon").as_posix() for path in ROOT.glob("addon/**/*.py")}
    others = {"blender_manifest.toml", "LICENSE", "core/viewer.html"}
    assert {name for name in names if not name.startswith("wheels/")} == modules | others


def test_modules_are_the_sources(names: list[str]) -> None:
    with zipfile.ZipFile(ZIP) as archive:
        for name in names:
            if name.endswith(".py"):
                assert archive.read(name) == (ROOT / "addon" / name).read_bytes(), name


def test_manifest_says_what_is_there(names: list[str], packed_manifest: dict) -> None:
    wheels = [str(PurePosixPath(name)) for name in packed_manifest["wheels"]]
    assert wheels == [name for name in names if name.startswith("wheels/")]
    assert packed_manifest["permissions"].keys() == {"files"}
    assert packed_manifest["blender_version_min"] == "4.2.0"
    assert packed_manifest["license"] == ["SPDX:GPL-3.0-or-later"]
    assert MANIFEST.items() <= packed_manifest.items()


def test_no_module_is_of_the_old_kind(names: list[str]) -> None:
    """No bl_info, and our own modules by relative imports only: the package's name changes."""
    with zipfile.ZipFile(ZIP) as archive:
        for name in names:
            if not name.endswith(".py"):
                continue
            for node in ast.walk(ast.parse(archive.read(name))):
                assert not (isinstance(node, ast.Name) and node.id == "bl_info"), name
                if isinstance(node, ast.Import):
                    assert "truevat" not in [alias.name.split(".")[0] for alias in node.names], name
                if isinstance(node, ast.ImportFrom) and not node.level:
                    assert node.module.split(".")[0] != "truevat", name


def test_wheel_is_for_every_blender(wheel: Path) -> None:
    version = re.escape(MANIFEST["version"])
    assert re.fullmatch(rf"truevat_native-{version}-cp311-abi3-\w+\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    suffix = "pyd" if sys.platform == "win32" else "abi3.so"
    info = f"truevat_native-{MANIFEST['version']}.dist-info"
    assert tops == {f"truevat_native.{suffix}", "truevat_native.pyi", info}


@pytest.mark.skipif(not importlib.util.find_spec("abi3audit"), reason="abi3audit is not installed")
def test_wheel_keeps_to_the_stable_abi(wheel: Path) -> None:
    command = [sys.executable, "-m", "abi3audit", "--strict", "--report", str(wheel)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs readelf")
def test_module_shows_and_needs_little(wheel: Path, tmp_path: Path) -> None:
    """No C++ library that could meet Blender's, no folder of the machine that built it."""
    with zipfile.ZipFile(wheel) as archive:
        module = archive.extract("truevat_native.abi3.so", tmp_path)
    dynamic = subprocess.check_output(["readelf", "-d", module], text=True)
    needed = set(re.findall(r"\(NEEDED\).*\[(.+?)\]", dynamic))
    assert {name.split(".so")[0].split("-")[0] for name in needed} <= {"libz", "libc", "libm", "ld"}
    assert "RPATH" not in dynamic and "RUNPATH" not in dynamic
    symbols = subprocess.check_output(["nm", "-D", "--defined-only", module], text=True)
    assert [line.split()[-1] for line in symbols.splitlines()] == ["PyInit_truevat_native"]


def test_blender_finds_it_valid() -> None:
    """By the tool that is behind `blender --command extension validate`."""
    bpy = importlib.util.find_spec("bpy")
    tools = Path(bpy.origin).parent.glob("*/scripts/addons_core/bl_pkg/cli/blender_ext.py")
    command = [sys.executable, str(next(tools)), "validate", str(ZIP)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    if blender := shutil.which("blender"):
        subprocess.run([blender, "--command", "extension", "validate", str(ZIP)], check=True)
