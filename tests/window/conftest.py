# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures for the tests in a real Blender. run.sh calls them inside that Blender's folder."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
HOME = HERE.parent  # run.sh's folder: the zip, and where results go
# Outside of that folder there is no Blender, and run.sh is what tests.
collect_ignore_glob = [] if "TRUEVAT_WINDOW" in os.environ else ["*"]


def run_blender(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["blender", *map(str, arguments)], capture_output=True, text=True, timeout=300, **options
    )


@pytest.fixture(scope="session")
def zip_file() -> Path:
    (path,) = HOME.glob("truevat-*.zip")
    return path


@pytest.fixture(scope="session", autouse=True)
def extension(zip_file: Path) -> None:
    """The zip, installed and enabled for all tests."""
    done = run_blender(
        "--command", "extension", "install-file", "-r", "user_default", "-e", zip_file
    )
    assert done.returncode == 0, done.stdout + done.stderr
    no_splash = "import bpy; bpy.context.preferences.view.show_splash = False"
    run_blender("-b", "--python-expr", f"{no_splash}; bpy.ops.wm.save_userpref()")


@pytest.fixture(scope="session")
def screen() -> Iterator[None]:
    """A screen that nobody sees, as DISPLAY."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x900x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as stream:
        os.environ["DISPLAY"] = f":{stream.readline().strip()}"
    yield
    server.terminate()
    server.wait()


@pytest.fixture
def make_scene(tmp_path: Path) -> Callable[[str], Path]:
    """Makes one of the scenes of scenes.py, and returns its file."""

    def make(name: str) -> Path:
        path = tmp_path / f"{name}.blend"
        arguments = ["-b", "--factory-startup", "--python-exit-code", "1"]
        done = run_blender(*arguments, "--python", HERE / "scenes.py", "--", name, path)
        assert done.returncode == 0, done.stdout + done.stderr
        return path

    return make


@pytest.fixture
def open_window(screen: None, tmp_path: Path) -> Iterator[Callable[[Path | None], object]]:
    """Opens Blender's window, on a scene or on a new file, with the tab VAT in front."""
    from blender_window import BlenderWindow

    windows: list[BlenderWindow] = []

    def open_(scene: Path | None) -> BlenderWindow:
        folder = tmp_path / f"window{len(windows)}"
        folder.mkdir()
        window = BlenderWindow(scene, folder, HOME / "screenshots")
        windows.append(window)
        window.open_tab("VAT")
        return window

    yield open_
    for window in windows:
        window.close()
