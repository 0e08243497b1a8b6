# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`make demo`: makes the demo scene and bakes it with the command, in both addressings."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "demo"
SCENE = FOLDER / "demo.blend"
BAKES = (
    # UV addressing plays what keeps its vertices; vertex-ID addressing plays everything.
    ("uv", ["--collection", "Steady", "--address", "uv", "--name", "demo_uv"]),
    ("vertex-ID", ["--collection", "Demo", "--address", "vertex-id", "--name", "demo_id"]),
)


def main() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    scene = [sys.executable, Path(__file__).with_name("demo_scene.py"), SCENE]
    subprocess.run(scene, check=True, stdout=subprocess.DEVNULL)
    command = Path(sys.executable).with_name("truevat")
    print(f"The scene: {SCENE.relative_to(ROOT)}", flush=True)
    for title, options in BAKES:
        print(f"\nBaked with {title} addressing, by", flush=True)
        words = ["bake", SCENE.relative_to(ROOT), "-o", FOLDER.relative_to(ROOT), *options]
        print("  .venv/bin/truevat", *words, flush=True)
        begin = time.perf_counter()
        if code := subprocess.run([command, *words], cwd=ROOT).returncode:
            sys.exit(code)
        print(f"  {time.perf_counter() - begin:.1f} s in all, Blender's start included", flush=True)
    place = FOLDER.relative_to(ROOT)
    print(f"""
A sample is a corner of a face; corners that always move together share a slot, a texel a frame.
Look at {place}: the textures open in any viewer of EXR files, the meshes in Blender or an engine,
and README says how to play them.""")


if __name__ == "__main__":
    main()
