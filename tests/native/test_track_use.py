# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a track is to be used, what happens otherwise, and who keeps what alive."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
import weakref
from pathlib import Path

import numpy as np
import pytest
import truevat_native as native

EYE = np.eye(4, dtype=np.float32)


class Array(np.ndarray):
    """One that can be referred to weakly."""


def vectors(count, value=0.0):
    return np.full((count, 3), value, np.float32).view(Array)


def part(count=10, value=0.0, **changed):
    values = {"group": 0, "points": vectors(count, value), "normals": vectors(count, 1)}
    values |= {"domain": native.POINT, "matrix": EYE} | changed
    return tuple(values.values())


def new_track(memory=1 << 30, **options):
    return native.Track(groups=1, memory=memory, **options)


def test_arrays_may_be_forgotten_right_after_append():
    rng = np.random.default_rng(3)
    expected = []
    track = new_track()
    for key in range(12):
        points = rng.normal(0, 1, (50_000, 3)).astype(np.float32)
        expected.append(points.copy())
        track.append([(0, points, points, native.POINT, EYE)], key)
        del points
        gc.collect()
        np.full((50_000, 3), 7, np.float32)  # what takes a freed array's place
    track.finish()
    for key, points in enumerate(expected):
        np.testing.assert_array_equal(track.frame(key)[0], points)


def test_arrays_are_released_two_appends_later_or_at_the_end():
    track = new_track()
    references = []
    for key in range(5):
        points = vectors(10)
        references.append(weakref.ref(points))
        track.append([part(points=points)], key)
        del points
    assert [reference() is None for reference in references] == [True] * 3 + [False] * 2
    track.finish()
    assert all(reference() is None for reference in references)


def test_a_track_given_up_releases_its_arrays():
    track = new_track()
    points = vectors(10)
    reference = weakref.ref(points)
    track.append([part(points=points)], 0)
    del points, track
    assert reference() is None


def test_nothing_is_leaked_by_calls_that_fail():
    track = new_track()
    points = vectors(10)
    before = sys.getrefcount(points)
    for _ in range(10):
        with pytest.raises(TypeError):
            track.append([part(points=points), part(points=None)], 0)
        with pytest.raises(ValueError, match="wrong shape"):
            native.transform_points(points, points)
    assert sys.getrefcount(points) == before


def test_the_writer_keeps_track_and_arrays_alive(tmp_path):
    arrays = {
        "frames": np.zeros(1, np.int32),
        "part_start": np.int64([0, 10]),
        **{name: np.arange(10, dtype=np.int32) for name in ("point", "face", "corner")},
        "origin": np.zeros((1, 3), np.float32),
    }
    arrays = {name: array.view(Array) for name, array in arrays.items()}
    references = [weakref.ref(array) for array in arrays.values()]
    track = new_track()
    track.append([part(value=5)], 0)
    track.finish()
    path = str(tmp_path / "a.exr")
    writer = native.TextureWriter(track, path, layout=(16, 2, 1), **arrays)
    del arrays, track
    gc.collect()
    assert writer.write(2) == 0
    assert writer.close() == os.stat(path).st_size
    del writer
    assert all(reference() is None for reference in references)


READERS = {
    "keys": lambda track: track.keys(0, np.zeros(1, np.int32), np.zeros(1, np.int32)),
    "bounds": lambda track: track.bounds(0),
    "digest": lambda track: track.digest(),
    "frame": lambda track: track.frame(0),
    "frames": lambda track: track.frames,
    "bad_normals": lambda track: track.bad_normals,
    "memory": lambda track: track.memory,
    "spilled": lambda track: track.spilled,
}


@pytest.mark.parametrize("reader", READERS)
def test_nothing_is_read_before_the_track_is_finished(reader):
    track = new_track()
    track.append([part()], 0)
    with pytest.raises(RuntimeError, match=r"call settle"):
        READERS[reader](track)
    track.finish()
    READERS[reader](track)


def test_a_finished_track_takes_no_more_frames():
    track = new_track()
    track.append([part()], 0)
    track.finish()
    track.finish()
    with pytest.raises(RuntimeError, match="finished"):
        track.append([part()], 1)
    assert track.frames == 1


CHANGES = {
    "points": [part(count=11)],
    "normals": [part(normals=vectors(9))],
    "parts": [part(), part()],
    "group": [part(group=1)],
}


@pytest.mark.parametrize("change", CHANGES)
def test_counts_that_change_are_a_mismatch(change):
    track = new_track()
    track.append([part()], 0)
    track.append(CHANGES[change], 1)
    for call in (track.finish, track.finish, lambda: track.append([part()], 2)):
        with pytest.raises(native.NativeError) as caught:
            call()
        assert (caught.value.code, caught.value.frame) == ("mismatch", 1)
    with pytest.raises(RuntimeError, match="finish"):
        track.digest()


def test_an_error_comes_with_the_next_call_and_says_where():
    track = new_track()
    bad = vectors(10)
    bad[7, 1] = np.nan
    track.append([part()] * 3, 0)
    track.append([part(), part(), part(points=bad)], 1)
    with pytest.raises(native.NativeError) as caught:
        for key in range(2, 5):
            track.append([part()] * 3, key)
    error = caught.value
    assert (error.code, error.frame, error.part, error.vertex) == ("not_finite", 1, 2, 7)
    assert str(error) == "a position is not a finite number"


def test_samples_outside_are_a_value_error():
    for index in (-1, 10):
        track = new_track()
        sample = np.int32([0, index])
        track.append([(*part(), sample, sample)], 0)
        with pytest.raises(ValueError, match="outside"):
            track.finish()


@pytest.mark.parametrize("key", [0, 2**63, 2**64 - 1])
def test_a_key_has_64_bits(key):
    digests = []
    for frame_key in (key, key ^ 1 << 63):
        track = new_track()
        track.append([part()], frame_key)
        track.finish()
        digests.append(track.digest())
    assert digests[0] != digests[1]


def test_a_frame_without_parts_is_a_frame():
    sample = np.zeros(3, np.int32)
    for frames in ([[], []], [[part()], []], [[part()], [(*part(), sample, sample)], []]):
        track = new_track(memory=0)
        for key, parts in enumerate(frames):
            track.append(parts, key)
        track.finish()
        assert track.frames == len(frames)
        assert [len(array) for array in track.frame(len(frames) - 1)] == [0, 0]


def test_two_threads_cannot_break_a_track():
    """One of them is told, or both take turns; every frame that was taken is there."""
    track = new_track()
    taken, refused, other = [], [], []
    parts = [part(count=20_000)]

    def append():
        for key in range(100):
            try:
                track.append(parts, key)
                taken.append(key)
            except RuntimeError as error:
                refused.append(str(error))
            except Exception as error:
                other.append(error)

    threads = [threading.Thread(target=append) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    track.finish()
    assert not other
    assert track.frames == len(taken)
    assert len(taken) + len(refused) == 300
    assert set(refused) <= {"another thread is using this object"}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_the_spill_file_has_no_name(tmp_path):
    track = new_track(memory=0, directory=str(tmp_path))
    track.append([part()], 0)
    track.finish()
    assert track.spilled == 160
    assert not list(tmp_path.iterdir())
    links = [link.readlink() for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    assert any(str(link).startswith(str(tmp_path)) for link in links)


def test_ctrl_c_ends_a_write(tmp_path):
    """Within the time of one piece."""
    size = 4096
    samples = size * 64
    track = new_track()
    points = np.zeros((samples, 3), np.float32)
    track.append([(0, points, points, native.POINT, EYE)], 0)
    track.finish()
    index = np.arange(samples, dtype=np.int32)
    writer = native.TextureWriter(
        track,
        str(tmp_path / "a.exr"),
        layout=(size, size, 64),
        frames=np.zeros(63, np.int32),
        part_start=np.int64([0, samples]),
        point=index,
        face=index,
        corner=index,
        origin=np.zeros((1, 3), np.float32),
    )
    sent = []

    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    began = time.monotonic()
    left = writer.write(512)
    longest = time.monotonic() - began
    timer = threading.Timer(longest / 2, send)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while left:
            began = time.monotonic()
            left = writer.write(512)
            longest = max(longest, time.monotonic() - began)
        timer.join()
        time.sleep(1)
        pytest.fail("written before the signal came")
    assert time.monotonic() - sent[0] < 0.2 + 3 * longest
