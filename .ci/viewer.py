# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds addon/core/viewer.html, the page that `truevat view` puts a bake into.

The kit for three.js is staged in build/three, where npm installs what it is built with.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from setup import install_system_packages

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
KIT = ROOT / "kits" / "three"
STAGE = BUILD / "three"
TARGET = ROOT / "addon" / "core" / "viewer.html"

ESBUILD = ["node_modules/.bin/esbuild", "--bundle", "--minify", "--legal-comments=inline"]


def build_viewer() -> Path:
    """Only when something has changed."""
    with lock():
        stage()
        key = hashlib.sha256(Path(__file__).read_bytes())
        for path in sorted(KIT.rglob("*")):
            if path.is_file():
                key.update(path.read_bytes())
        stamp = STAGE / "viewer.key"
        if not (TARGET.exists() and stamp.exists() and stamp.read_text() == key.hexdigest()):
            stamp.unlink(missing_ok=True)
            TARGET.write_text(page(), "utf-8")
            stamp.write_text(key.hexdigest())
    return TARGET


def lock():
    """Two builds at once wait for each other."""
    BUILD.mkdir(exist_ok=True)
    file = (BUILD / "three.lock").open("w")
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


def stage() -> Path:
    """The kit's files as they are now, with node_modules beside them."""
    if not shutil.which("npm"):
        install_system_packages(["nodejs", "npm"])
    STAGE.mkdir(parents=True, exist_ok=True)
    for path in STAGE.iterdir():
        if (KIT / path.name).is_dir():
            shutil.rmtree(path)
    shutil.copytree(KIT, STAGE, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules"))
    wanted = (KIT / "package.json").read_text("utf-8")
    stamp = STAGE / "node_modules" / "truevat-package.json"
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"]
        run(["npm", "install", *options])
        stamp.write_text(wanted, "utf-8")
    return STAGE


def page() -> str:
    """One HTML file that needs no other, with the licences of all that is in it."""
    script = run([*ESBUILD, "--format=iife", "--target=es2022", "viewer/main.js"])
    style = run([*ESBUILD, "viewer/style.css"])
    licence = (STAGE / "node_modules" / "three" / "LICENSE").read_text("utf-8")
    html = (STAGE / "viewer" / "index.html").read_text("utf-8")
    for mark, content in {
        "<!--licence-->": f"<!--\nthree.js is in this page, under this licence:\n\n{licence}-->",
        "<!--style-->": f"<style>{style}</style>",
        "<!--script-->": f"<script>{script}</script>",
    }.items():
        assert html.count(mark) == 1, mark
        html = html.replace(mark, content)
    return html


def run(command: list[str]) -> str:
    """What the command prints."""
    result = subprocess.run(command, cwd=STAGE, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{result.stdout}{result.stderr}error: {' '.join(command)} failed")
    return result.stdout


if __name__ == "__main__":
    print(build_viewer().relative_to(ROOT))
