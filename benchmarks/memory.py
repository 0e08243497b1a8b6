# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the peak of memory of one bake, or of Blender alone, in a process of its own.

`memory.py REQUEST`: a JSON object with main's arguments, and the file that takes its result.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

import bpy

import floor
import ours


def peak_bytes() -> int:
    """The most that this process has had in memory at once."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Unlike ru_maxrss it forgets what the process was before it became this program.
    (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def main(blend: str, frames: int, memory: int | None, max_size: int, folder: str) -> dict[str, Any]:
    """`memory` is the bake's budget in MiB; without one Blender evaluates and reads only."""
    bpy.ops.wm.open_mainfile(filepath=blend)
    (source,) = (item for item in bpy.data.objects if item.type == "MESH")
    target = Path(folder)
    target.mkdir(parents=True)
    result: dict[str, Any] = {"texture_bytes": 0, "report": {}}
    start = time.perf_counter()
    if memory is None:
        floor.read_frames(source, frames)
    else:
        result["report"] = ours.run(source, frames, target, max_size, memory=memory)
        result["texture_bytes"] = ours.texture(target).stat().st_size
    result["seconds"] = time.perf_counter() - start
    result["peak_bytes"] = peak_bytes()
    return result


if __name__ == "__main__":
    request = json.loads(sys.argv[1])
    result = Path(request.pop("result"))
    result.write_text(json.dumps(main(**request)), "utf-8")
