# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times our bake and something else in turns, in one process of its own.

`compare.py REQUEST`: a JSON object with main's arguments, and the file that takes its result.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
from truevat.core.profiles.base import LARGEST_TEXTURE

import floor
import ours
import peer
from check import check, check_slots
from scenes import SCENES

TOUCH = """
import mmap, sys
half = int(sys.argv[1]) // 2
large = mmap.mmap(-1, half, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
large.madvise(mmap.MADV_HUGEPAGE)
for start in range(0, half, mmap.PAGESIZE):
    large[start] = 1
small = b"T" * half
"""
KINDS = ("objects", "meshes", "collections", "images", "materials")


class Comparison:
    """One scene, our bake, and what it is compared with."""

    def __init__(self, scene: str, against: str, side: str, frames: int, folder: Path) -> None:
        self.scene = SCENES[scene]
        self.frames = frames
        self.folder = folder
        self.source = self.scene.load(frames)
        self.before = _everything()
        self.against = against
        self.side = side
        self.report: dict[str, Any] = {}
        self.texture_bytes = 0

    def run(self, side: str) -> float:
        """Seconds that a side took."""
        self._prepare()
        action = self._action(side)
        start = time.perf_counter()
        action()
        return time.perf_counter() - start

    def warm_up(self) -> None:
        """Runs both sides once, and proves that what bakes here bakes the right thing."""
        self.run(self.side)
        self.texture_bytes = ours.texture(self.folder).stat().st_size
        self._check(self.side)
        self.run(self.against)
        if self.against != "floor":
            self._check(self.against)

    def clean(self) -> None:
        """Removes what the last run has made, files and data."""
        shutil.rmtree(self.folder, ignore_errors=True)
        bpy.data.batch_remove(_everything() - self.before)

    def _action(self, side: str) -> Callable[[], None]:
        source, frames, limit = self.source, self.frames, self.scene.max_size
        path = self.folder / "plain.exr"
        match side:
            case "floor":
                return lambda: floor.run(source, frames, path, self.texture_bytes)
            case "peer" | "shared":
                return lambda: peer.bake(source, frames, path, limit, shared=side == "shared")
            case "none":
                return lambda: ours.run(source, frames, self.folder, limit, dedup="none")
            case "nekovat":
                return self._bake
            case _:
                return lambda: self._bake(profile="truevat", pixel=side)

    def _bake(self, **layout: str) -> None:
        # Normals in rows of their own take half as many rows again.
        limit = LARGEST_TEXTURE if layout.get("pixel") == "half" else self.scene.max_size
        self.report = ours.run(self.source, self.frames, self.folder, limit, **layout)

    def _prepare(self) -> None:
        self.clean()
        self.folder.mkdir(parents=True)
        bpy.context.scene.frame_set(1)
        gc.collect()
        touch_memory(3 * self.texture_bytes + (1 << 28))

    def _check(self, side: str) -> None:
        playback = next(
            item for item in _everything() - self.before if isinstance(item, bpy.types.Object)
        )
        proof = check_slots if side in ("float", "half") else check
        proof(self.source, playback, ours.texture(self.folder), self.frames)


def touch_memory(size: int) -> None:
    """Makes a virtual machine's host hand out the memory that the next run will use.

    Done by another process, so that it lies free when the run starts: taking it from the host
    costs seconds, and it would hit one side and spare the other. Files are cached in small pages,
    a track lies in large ones: half of the memory is given back in either.
    """
    if sys.platform != "linux":
        return
    available = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    subprocess.run(
        [sys.executable, "-I", "-S", "-c", TOUCH, str(min(size, available // 2))], check=True
    )


def _everything() -> set[bpy.types.ID]:
    return {item for kind in KINDS for item in getattr(bpy.data, kind)}


def main(
    scene: str, against: str, side: str, frames: int, runs: int, folder: str
) -> dict[str, Any]:
    comparison = Comparison(scene, against, side, frames, Path(folder))
    comparison.warm_up()
    seconds: dict[str, list[float]] = {against: [], side: []}
    for index in range(runs):
        for each in (against, side) if index % 2 == 0 else (side, against):
            seconds[each].append(comparison.run(each))
    comparison.clean()
    return {
        "seconds": seconds,
        "texture_bytes": comparison.texture_bytes,
        "report": comparison.report,
    }


if __name__ == "__main__":
    request = json.loads(sys.argv[1])
    result = Path(request.pop("result"))
    result.write_text(json.dumps(main(**request)), "utf-8")
