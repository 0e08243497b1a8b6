# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes images/godot.png and images/web.png: the tower of pictures.py, baked once, then played by
the kits' own players in Godot and in Chromium, with what the kits' tests use.

.venv/bin/python docs/engine_pictures.py
"""

from __future__ import annotations

import json
import os
import struct
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np
import truevat
import truevat.core.viewer
from picture_scene import FRAMES, build

from pictures import read

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
KITS = "tests/kits"
for folder in (".ci", "tests/formats", KITS, f"{KITS}/shaders", f"{KITS}/godot", f"{KITS}/three"):
    sys.path.append(str(ROOT / folder))

import viewer  # noqa: E402

import godot_engine  # noqa: E402
import three_rig  # noqa: E402

CLIPS = f"Dance=1:{FRAMES}@loop,Lean=13:25"
SHOWN = 0, 6, 12, 18, 24  # frames of the first clip
RATE = 24
LEVELS = 64  # of a channel: noise would fill the file
# Where Godot's camera looks, from where, and how many metres it sees.
CAMERA = {"target": [0.6, 3.2, 0.0], "from": [2.0, 3.0, 6.0], "size": 8.2, "ground": 0.0}
STEPS = """
import { pathToFileURL } from "node:url";
import { open } from "./browser.mjs";

const { html, shots } = JSON.parse(process.argv[2]);
const { browser, page, complaints } = await open({ width: 800, height: 480 });
await page.goto(pathToFileURL(html).href);
await page.locator("#panel").waitFor();
await page.locator("#play").click();
for (const { frame, file, controls } of shots) {
  await page.locator("#scrubber").evaluate((input, value) => {
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, String(frame));
  await page.evaluate((shown) => {
    for (const id of ["panel", "transport"]) document.getElementById(id).hidden = !shown;
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, controls);
  await page.screenshot({ path: file });
}
await browser.close();
if (complaints.length) throw new Error(complaints.join("\\n"));
"""


def godot(bake: Path) -> np.ndarray:
    """Frames side by side, drawn by Godot's Forward+ renderer."""
    if reason := godot_engine.missing():
        sys.exit(f"error: {reason}")
    project = godot_engine.make_project("readme")
    bake.rename(project / "bake")
    godot_engine.import_all(project)
    jobs = []
    for frame in SHOWN:
        actions = [["play", "Dance"], ["seek", frame / RATE]]
        player = {"scene": "res://bake/tower.truevat.json", "actions": actions}
        jobs.append({"name": str(frame), "things": [player], "shadow": True, **CAMERA})
    godot_engine.draw(project, "forward_plus", jobs)
    pictures = [np.fromfile(project / "pictures" / f"{f}.rgb", np.uint8) for f in SHOWN]
    return np.concatenate([p.reshape(320, 320, 3) for p in pictures], axis=1)


def web(bake: Path, folder: Path) -> np.ndarray:
    """The page of `truevat view` at one frame, and its left part at two others."""
    html = folder / "tower.html"
    viewer.build_viewer()
    truevat_viewer = truevat.core.viewer
    truevat_viewer.write(truevat_viewer.prepare(bake, html))
    shots = [
        {"frame": frame, "file": str(folder / f"{frame}.png"), "controls": frame == SHOWN[1]}
        for frame in SHOWN[1:4]
    ]
    script = three_rig.stage() / "tests" / "readme.mjs"
    script.write_text(STEPS, "utf-8")
    job = json.dumps({"html": str(html), "shots": shots})
    three_rig.node("node", script.name, job, TRUEVAT_CHROMIUM=three_rig.chromium())
    whole, *others = (np.uint8(read(Path(s["file"]))[::-1, :, :3] * 255 + 0.5) for s in shots)
    return np.concatenate([whole, *(other[:, 60:460] for other in others)], axis=1)


def write_png(path: Path, picture: np.ndarray) -> None:
    """(height, width, 3), as differences from texel to texel, which pack well."""
    picture = np.uint8(np.round(picture / 255 * (LEVELS - 1)) / (LEVELS - 1) * 255)
    height, width, _ = picture.shape
    left = np.zeros_like(picture)
    left[:, 1:] = picture[:, :-1]
    rows = np.ones((height, 1 + 3 * width), np.uint8)  # 1: the filter that says so
    rows[:, 1:] = (picture - left).reshape(height, -1)
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    ]
    with path.open("wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in chunks:
            crc = zlib.crc32(kind + data)
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc))
    print(f"{path.relative_to(ROOT)}, {path.stat().st_size:,} bytes")


def main() -> None:
    names = build()
    # On the disk of the project, into which Godot's half moves the bake.
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        bake = Path(folder) / "bake"
        truevat.bake(bake, objects=names, name="tower", clips=CLIPS, engines=["godot", "web"])
        write_png(IMAGES / "web.png", web(bake, Path(folder)))
        write_png(IMAGES / "godot.png", godot(bake))


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # Blender as a module may hang when Python ends by itself
