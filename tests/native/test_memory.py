# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake, and its writing stage alone, take: measured in processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc/self/status"),
    pytest.mark.skipif(
        os.environ.get("TRUEVAT_SANITIZED") == "1",
        reason="a sanitizer takes memory itself; measured without one in the other run",
    ),
]

STAGE = """
import sys
import numpy as np
import truevat_native as native

def status(name):
    for line in open("/proc/self/status"):
        if line.startswith(name):
            return int(line.split()[1])

path, memory, direct, width, samples, frames = sys.argv[1], *map(int, sys.argv[2:])
points = np.zeros((samples, 3), np.float32)
track = native.Track(groups=1, memory=memory)
for key in range(frames):
    part = 0, points, points, native.POINT, np.eye(4, dtype=np.float32)
    track.append([part], key)
track.finish()
index = np.arange(samples, dtype=np.int32)
rows = -(-samples // width)
height = 1 << (rows * frames).bit_length()
arguments = dict(
    layout=(width, height, rows),
    frames=np.arange(frames, dtype=np.int32),
    part_start=np.int64([0, samples]),
    point=index,
    face=index,
    corner=index,
    origin=np.zeros((1, 3), np.float32),
)
open("/proc/self/clear_refs", "w").write("5")  # the peak starts anew from what is held now
before = status("VmRSS")
writer = native.TextureWriter(track, path, threads=16, direct=bool(direct), **arguments)
while writer.write(64):
    pass
size = writer.close()
assert size > width * height * 16
print(status("VmHWM") - before, track.spilled)
"""
MIB = 1024  # in KiB
BUDGET = {"in memory": 1 << 40, "spilled": 0}


@pytest.mark.parametrize("memory", BUDGET)
@pytest.mark.parametrize("direct", [1, 0], ids=["direct", "tinyexr"])
def test_writing_takes_less_than_64_mib(tmp_path, memory, direct):
    """A texture of 512 MiB, from frames of 16 MiB, on 16 threads."""
    width, samples, frames = 8192, 1_000_000, 32
    path = tmp_path / "a.exr"
    arguments = [path, BUDGET[memory], direct, width, samples, frames]
    output = subprocess.run(
        [sys.executable, "-c", STAGE, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    path.unlink()
    assert bool(int(output[1])) == (memory == "spilled")
    assert int(output[0]) < 64 * MIB


BAKE = """
import sys
from fractions import Fraction
from pathlib import Path
import numpy as np
import truevat_native as native
from truevat.core.baker import Baker
from truevat.core.settings import BakeSettings
sys.path.insert(0, sys.argv[1])
from synthetic import grid, part, snapshot

def status(name):
    for line in open("/proc/self/status"):
        if line.startswith(name):
            return int(line.split()[1])

folder, memory, columns, rows, frames, write = Path(sys.argv[2]), *map(int, sys.argv[3:])
snap = snapshot(*grid(columns, rows))
# As Blender's, frames come in buffers that are filled anew when the worker has let go of them.
buffers = [part(snap, snap.points.copy()) for _ in range(native.IN_FLIGHT + 1)]
settings = BakeSettings(
    output=folder, profile="nekovat", memory=memory, scratch=folder, max_size=8192, threads=2
)
open("/proc/self/clear_refs", "w").write("5")  # the peak starts anew from what is held now
floor = status("VmRSS")
baker = Baker(settings, ["A"])
baker.begin([snap], np.zeros((1, 3), np.float32))
for frame in range(frames):
    buffer = buffers[frame % len(buffers)]
    np.add(snap.points, np.float32(frame), out=buffer[1])
    baker.frame([buffer], Fraction(frame))
if write:
    baker.plan()
    for _ in baker.write(lambda suffix: folder / "a.exr"):
        pass
else:
    baker.track.finish()
print(status("VmHWM"), floor, baker.track.memory, baker.track.spilled)
"""


def bake(folder, memory, columns, rows, frames, write):
    """(peak, floor, frames in memory, frames in the file), the first two in KiB, the others in
    bytes."""
    arguments = [Path(__file__).parent, folder, memory, columns, rows, frames, int(write)]
    output = subprocess.run(
        [sys.executable, "-c", BAKE, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return map(int, output.split())


def test_beyond_the_budget_ten_times_the_frames_take_no_more_memory(tmp_path):
    """Frames of 40,401 points, of 16 bytes each: 12 of them are within 8 MiB."""
    peaks = []
    for frames in (60, 600):
        peak, floor, memory, spilled = bake(tmp_path, 8, 200, 200, frames, write=True)
        (tmp_path / "a.exr").unlink()
        assert memory == 12 * 40_401 * 16
        assert spilled == (frames - 12) * 40_401 * 16
        assert peak - floor <= (8 + 128) * MIB
        peaks.append(peak)
    assert max(peaks) <= 1.05 * min(peaks)


def test_frames_of_half_a_chunk_take_no_more_than_the_budget(tmp_path):
    """Of frames of 8.1 MiB, a chunk of 16 MiB holds one."""
    budget = 256
    peak, floor, memory, spilled = bake(tmp_path, budget, 9, 53_083, 60, write=False)
    frame = 10 * 53_084 * 16
    assert memory == 31 * frame <= budget << 20 < 32 * frame
    assert spilled == 29 * frame
    assert peak - floor <= (budget + 128) * MIB


KILLED = """
import sys, time
import numpy as np
import truevat_native as native

track = native.Track(groups=1, memory=0, directory=sys.argv[1])
points = np.zeros((100_000, 3), np.float32)
track.append([(0, points, points, native.POINT, np.eye(4, dtype=np.float32))], 0)
track.finish()
print(track.spilled, flush=True)
time.sleep(60)
"""


def test_a_killed_process_leaves_no_spill_file(tmp_path):
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "1600000\n"
        assert not list(tmp_path.iterdir())
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert not list(tmp_path.iterdir())
