# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages the extension in build/extension and packs it as build/truevat-VERSION.zip.

With Blender's own builder, and checked by it, where there is a Blender ($BLENDER, `blender` on the
PATH, or Blender as a module in this Python); else with the standard library.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

from viewer import build_viewer
from wheel import BUILD, ROOT, build_wheel

MANIFEST = "blender_manifest.toml"
# What a wheel says about its platform, and what Blender calls it.
PLATFORMS = {
    r"(many)?linux.*_x86_64": "linux-x64",
    r"(many)?linux.*_aarch64": "linux-arm64",
    r"macosx_.*_x86_64": "macos-x64",
    r"macosx_.*_arm64": "macos-arm64",
    r"win_amd64": "windows-x64",
    r"win_arm64": "windows-arm64",
}


def main() -> None:
    stage = BUILD / "extension"
    version = fill(stage)
    target = BUILD / f"truevat-{version}.zip"
    target.unlink(missing_ok=True)
    tool = blenders_tool()
    if tool:
        run([*tool, "build", "--source-dir", stage, "--output-filepath", target])
        run([*tool, "validate", target])
    else:
        pack(stage, target)
        print("extension: no Blender here to build and check it: packed as it is")
    print(target.relative_to(ROOT))


def fill(stage: Path) -> str:
    """Package, manifest and wheel, as they will lie in the zip. Returns the version."""
    build_viewer()
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree(ROOT / "addon", stage, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "LICENSE", stage)
    wheel = build_wheel(stage / "wheels", native_only=True)
    added = {"platforms": [platform_of(wheel)], "wheels": [f"./wheels/{wheel.name}"]}
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in added.items())
    manifest = (ROOT / MANIFEST).read_text("utf-8")
    # Before the first table: a key after it would belong to that table.
    manifest = re.sub(r"^\[", lambda match: f"{lines}\n[", manifest, count=1, flags=re.MULTILINE)
    (stage / MANIFEST).write_text(manifest, "utf-8")
    return tomllib.loads(manifest)["version"]


def platform_of(wheel: Path) -> str:
    tag = wheel.stem.rpartition("-")[2]
    for pattern, platform in PLATFORMS.items():
        if re.fullmatch(pattern, tag):
            return platform
    sys.exit(f"error: Blender has no name for the platform of {wheel.name}")


def blenders_tool() -> list[str | Path] | None:
    """The command that takes `build` and `validate`."""
    blender = os.environ.get("BLENDER") or shutil.which("blender")
    if blender:
        said = subprocess.run([blender, "--version"], capture_output=True, text=True).stdout
        version = re.search(r"^Blender (\d+)\.(\d+)", said, re.MULTILINE)
        if version and (int(version[1]), int(version[2])) >= (4, 2):
            return [blender, "--command", "extension"]
    module = importlib.util.find_spec("bpy")
    if module and module.origin:
        for tool in Path(module.origin).parent.glob(
            "*/scripts/addons_core/bl_pkg/cli/blender_ext.py"
        ):
            return [sys.executable, tool]
    return None


def run(command: list[str | Path]) -> None:
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode:
        sys.exit(f"{result.stdout}error: {' '.join(map(str, command))} failed")


def pack(stage: Path, target: Path) -> None:
    """The same bytes each time."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(stage.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(stage).as_posix())
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, path.read_bytes())


if __name__ == "__main__":
    main()
