# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the system refuses is an OSError with number and file name, whatever thread met it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np
import pytest
import truevat_native as native

LARGE = np.zeros((600, 512, 4), np.float32)  # 4.7 MiB
SMALL = np.zeros((4, 4, 4), np.float32)
WAYS = [{}, {"threads": 4}, {"direct": False}, {"compression": "zip"}]


def assert_refused(number, path, rgba=SMALL, **options):
    with pytest.raises(OSError) as caught:
        native.write_exr(str(path), rgba, **options)
    assert caught.value.errno == number
    assert caught.value.filename == str(path)
    assert caught.value.strerror == os.strerror(number)


def test_a_folder_that_is_not_there(tmp_path):
    assert_refused(errno.ENOENT, tmp_path / "no" / "a.exr")


def test_a_path_that_is_a_folder(tmp_path):
    assert_refused(errno.EISDIR, tmp_path)


def test_a_path_below_a_file(tmp_path):
    (tmp_path / "file").write_text("")
    assert_refused(errno.ENOTDIR, tmp_path / "file" / "a.exr")


def test_a_folder_that_cannot_be_written_to(read_only_folder):
    assert_refused(errno.EACCES, read_only_folder / "a.exr")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("options", WAYS, ids=str)
def test_a_device_that_is_full(options):
    assert_refused(errno.ENOSPC, "/dev/full", **options)


@pytest.mark.parametrize("options", WAYS, ids=str)
def test_a_disk_that_is_full(full_disk, options):
    noise = np.random.default_rng(1).random(LARGE.shape, np.float32)
    assert_refused(errno.ENOSPC, full_disk / "a.exr", noise, **options)


def moving_track(**options):
    points = np.zeros((50_000, 3), np.float32)
    track = native.Track(groups=1, memory=0, **options)
    for key in range(4):
        track.append([(0, points, points, native.POINT, np.eye(4, dtype=np.float32))], key)
    track.finish()
    return track


def test_spilling_to_a_disk_that_is_full(full_disk):
    with pytest.raises(OSError) as caught:
        moving_track(directory=str(full_disk))
    assert caught.value.errno == errno.ENOSPC
    assert caught.value.filename is None
    assert not list(full_disk.iterdir())


def test_spilling_to_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(OSError) as caught:
        moving_track(directory=str(tmp_path / "no"))
    assert caught.value.errno == errno.ENOENT


def test_spilling_to_a_folder_that_cannot_be_written_to(read_only_folder):
    with pytest.raises(OSError) as caught:
        moving_track(directory=str(read_only_folder))
    assert caught.value.errno == errno.EACCES


def texture_writer(path, track=None):
    samples = 50_000
    index = np.arange(samples, dtype=np.int32)
    return native.TextureWriter(
        track or moving_track(),
        str(path),
        layout=(512, 512, 98),
        frames=np.arange(4, dtype=np.int32),
        part_start=np.int64([0, samples]),
        point=index,
        face=index,
        corner=index,
        origin=np.zeros((1, 3), np.float32),
    )


def test_a_texture_on_a_disk_that_is_full(full_disk):
    """The error stays: neither more rows nor the end can make a file of it."""
    writer = texture_writer(full_disk / "a.exr")
    for call in (lambda: writer.write(512), lambda: writer.write(1), writer.close):
        with pytest.raises(OSError) as caught:
            call()
        assert caught.value.errno == errno.ENOSPC
        assert caught.value.filename == str(full_disk / "a.exr")


def test_a_texture_without_all_its_rows_cannot_be_closed(tmp_path):
    writer = texture_writer(tmp_path / "a.exr")
    assert writer.write(10) == 502
    with pytest.raises(native.NativeError):
        writer.close()


def test_writers_leave_no_descriptor_open(tmp_path):
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for _ in range(5):
        texture_writer(tmp_path / "a.exr").write(10)
        with pytest.raises(OSError):
            texture_writer(tmp_path)
    after = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    assert after == before
