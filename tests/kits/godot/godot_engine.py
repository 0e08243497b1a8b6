# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Godot on a virtual screen, and projects for it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[2]
KIT = REPO / "kits" / "godot"
OUT = REPO / "build" / "kits" / "godot"
ROOT = Path(os.environ.get("TRUEVAT_BLENDER_ROOT", "/var/tmp/truevat-blender") + "-sid")
ISOLATED = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
RENDERERS = {
    "compatibility": ["--rendering-method", "gl_compatibility", "--rendering-driver", "opengl3"],
    "forward_plus": ["--rendering-method", "forward_plus", "--rendering-driver", "vulkan"],
}
PROJECT = """config_version=5

[application]

config/name="TrueVAT tests"

[editor_plugins]

enabled=PackedStringArray({plugins})
"""


@cache
def missing() -> str | None:
    """Why there is no Godot here. Installs it."""
    if os.name != "posix" or os.geteuid() != 0:
        return "Godot's tests need root on Linux"
    if subprocess.run([*ISOLATED, "true"], capture_output=True).returncode:
        return "this machine allows no mounts"
    OUT.mkdir(parents=True, exist_ok=True)
    log = OUT / "install.log"
    with log.open("w") as file:
        command = [*ISOLATED, "bash", str(HERE / "install.sh"), str(ROOT)]
        if subprocess.run(command, stdout=file, stderr=file, stdin=subprocess.DEVNULL).returncode:
            return f"Godot could not be installed (see {log.relative_to(REPO)})"
    return None


def make_project(name: str, plugin: bool = True) -> Path:
    """An empty project with the add-on and the tests' own scripts."""
    folder = OUT / name
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "pictures").mkdir(parents=True)
    (folder / "pictures" / ".gdignore").touch()
    if plugin:
        shutil.copytree(KIT / "addons", folder / "addons")
        for script in (HERE / "project").iterdir():
            shutil.copy(script, folder)
    plugins = '"res://addons/truevat/plugin.cfg"' if plugin else ""
    (folder / "project.godot").write_text(PROJECT.format(plugins=plugins), "utf-8")
    return folder


def godot(project: Path, *arguments: str, window: bool = False, limit: float = 1200) -> str:
    """What it printed, colours left out. An error of a script or a shader is raised."""
    command = [*ISOLATED, "bash", str(HERE / "inside.sh"), str(ROOT), str(project)]
    if window:
        command += ["xvfb-run", "-a", "-s", "-screen 0 640x480x24"]
    command += ["godot", "--audio-driver", "Dummy", "--path", "/project", *arguments]
    if not window:
        command += ["--headless"]
    result = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=limit,
        text=True,
        errors="replace",
    )
    if result.returncode:
        raise RuntimeError(f"Godot ended with {result.returncode}:\n{result.stdout[-4000:]}")
    return result.stdout


def complaints(log: str) -> list[str]:
    """Its lines that tell of errors or warnings, but for one about the virtual screen."""
    lines = [line for line in log.splitlines() if "ERROR" in line or "WARNING" in line]
    return [line for line in lines if "V-Sync" not in line]


def import_all(project: Path) -> str:
    return godot(project, "--import")


def draw(project: Path, renderer: str, jobs: Sequence[dict]) -> dict:
    """Pictures in the project's folder of that name; what render.gd counted, by job."""
    (project / "jobs.json").write_text(json.dumps(list(jobs)), "utf-8")
    (project / "results.json").unlink(missing_ok=True)
    log = godot(project, *RENDERERS[renderer], "-s", "render.gd", window=True)
    sys.stdout.write(log)
    assert not complaints(log), log[-4000:]
    return json.loads((project / "results.json").read_text("utf-8"))
