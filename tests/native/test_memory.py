# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the writing stage takes, measured in processes of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

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
    header=1,
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
