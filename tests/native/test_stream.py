# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A texture that is written as frames arrive is the one that is written at the end."""

from __future__ import annotations

import errno
import gc
import os

import numpy as np
import pytest
import truevat_native as native
from truevat.core.errors import BakeError

from synthetic import decode, grid, make_baker, part, picture, snapshot, translation

FRAMES = 9
POINT, FACE, CORNER = native.POINT, native.FACE, native.CORNER
HARD = [POINT] * 4 + [CORNER] * 2 + [POINT] * 2 + [FACE]


def objects():
    """Two objects, the first of two instances; 3 x 2 quads each."""
    return [
        snapshot(*grid(3, 2), group=group, matrix=translation(10 * i, i, 0))
        for i, group in enumerate([0, 0, 1])
    ]


def normals_of(snap, domain, seed):
    topology = snap.topology
    count = (topology.points, topology.faces, topology.corners)[domain]
    normals = np.random.default_rng(seed).normal(0, 1, (count, 3))
    return (normals / np.linalg.norm(normals, axis=1)[:, None]).astype(np.float32)


def moving(snaps, domains):
    return [
        [part(s, s.points * np.float32(1 + k / 3), normals_of(s, domain, k), domain) for s in snaps]
        for k, domain in enumerate(domains)
    ]


def baked(folder, domains, *, stream, **settings):
    snaps = objects()
    path = folder / f"{stream}.exr"
    origins = np.float32([[1, 2, 3], [4, 5, 6]])
    baker = make_baker(
        snaps,
        moving(snaps, domains),
        ("A", "B"),
        origins,
        stream=folder if stream else None,
        **settings,
    )
    plan = baker.plan()
    return baker, plan, picture(baker, path), path.read_bytes()


@pytest.mark.parametrize("max_size", [4096, 32], ids=["one row", "rows"])
@pytest.mark.parametrize(
    ("domains", "dedup", "taken"),
    [
        ([POINT] * FRAMES, "trajectory", FRAMES - 1),
        ([POINT] * FRAMES, "none", FRAMES - 1),
        ([POINT] * FRAMES, "rest", FRAMES - 1),
        (HARD, "trajectory", 3),
        (HARD, "none", FRAMES - 1),
        (HARD, "rest", FRAMES - 1),
        ([FACE] * FRAMES, "trajectory", 0),
        ([CORNER] * FRAMES, "none", FRAMES - 1),
        ([POINT] * (FRAMES - 1) + [CORNER], "trajectory", FRAMES - 2),
        ([POINT, FACE], "trajectory", 0),
        ([POINT], "trajectory", 0),
    ],
    ids=lambda value: "".join(map(str, value)) if isinstance(value, list) else value,
)
def test_the_same_file_comes_out(tmp_path, domains, dedup, taken, max_size):
    settings = {"dedup": dedup, "max_size": max_size}
    late, plan, _, expected = baked(tmp_path, domains, stream=False, **settings)
    early, streamed, pixels, actual = baked(tmp_path, domains, stream=True, **settings)
    assert (late.track.taken, early.track.taken) == (0, taken)
    assert actual == expected
    assert (streamed.bake_id, streamed.slots) == (plan.bake_id, plan.slots)
    for mine, its in zip(streamed.address, plan.address, strict=True):
        np.testing.assert_array_equal(mine, its)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["False.exr", "True.exr"]
    positions, _ = decode(pixels, streamed, 1, len(domains) - 1)
    snap = objects()[1]
    scaled = snap.points * np.float32(1 + (len(domains) - 1) / 3) + np.float32([10, 1, 0])
    np.testing.assert_array_equal(
        positions, scaled[snap.topology.corner_vert] - np.float32([1, 2, 3])
    )


def test_points_in_one_place_may_part_later(tmp_path):
    """So nothing is final after the first frame, and nothing is written before the last."""
    topology, points = grid(2, 1)
    together = points.copy()
    together[5] = together[4]
    snap = snapshot(topology, together)
    baker = make_baker([snap], [[part(snap)], [part(snap, points)]], stream=tmp_path)
    assert baker.plan().slots == 6
    assert baker.track.taken == 0


def test_loose_points_in_one_place_do_not_matter(tmp_path):
    topology, points = grid(2, 1)
    snap = snapshot(topology, points)
    loose = np.concatenate([points, points[:1], points[:1]])
    frames = [[part(snap, loose * np.float32(1 + k))] for k in range(3)]
    snap = snapshot(topology, loose)
    baker = make_baker([snap], frames, stream=tmp_path)
    assert (baker.plan().slots, baker.track.taken) == (6, 2)


def test_memory_holds_only_the_first_frame(tmp_path):
    baker, *_ = baked(tmp_path, [POINT] * FRAMES, stream=True)
    assert baker.track.memory == baked(tmp_path, [POINT], stream=False)[0].track.memory
    assert baker.track.spilled == 0


def test_closing_lets_go_of_the_file(tmp_path):
    path = tmp_path / "a_pos.exr.part"
    snaps = objects()
    frames = moving(snaps, [POINT] * FRAMES)
    baker = make_baker(snaps, frames[:5], ("A", "B"), np.zeros((2, 3)), stream=tmp_path)

    def is_open():
        files = [os.path.join("/proc/self/fd", name) for name in os.listdir("/proc/self/fd")]
        return any(os.path.realpath(file) == str(path.resolve()) for file in files)

    assert is_open()
    baker.close()
    gc.collect()
    assert not is_open()


@pytest.mark.parametrize("cells", [100, 300], ids=["later", "at once"])
def test_a_disk_that_is_full_is_named(full_disk, cells):
    """The worker meets it in a later frame, which the next one or the end reports; or the caller
    does, in the first one."""
    topology, points = grid(cells, cells)
    snap = snapshot(topology, points)
    frames = [[part(snap, points * np.float32(1 + k))] for k in range(8)]
    with pytest.raises(BakeError, match=r"a_pos\.exr\.part failed: No space left") as caught:
        make_baker([snap], frames, stream=full_disk).plan()
    assert caught.value.__cause__.errno == errno.ENOSPC


def test_indices_are_checked_again_when_normals_move(tmp_path):
    """Those of faces say nothing while normals live at points."""
    track = native.Track(groups=1, memory=1 << 20)
    points = np.arange(12, dtype=np.float32).reshape(4, 3)
    eye = np.eye(4, dtype=np.float32)
    index = np.arange(4, dtype=np.int32)
    track.append([(0, points, points, POINT, eye)], 0)
    track.settle()
    writer = native.TextureWriter(
        track,
        str(tmp_path / "a"),
        layout=(4, 4, 1),
        frames=np.int32([0, 1]),
        part_start=np.int64([0, 4]),
        point=index,
        face=index + np.int32(1 << 24),
        corner=index,
        origin=np.zeros((1, 3), np.float32),
    )
    track.append([(0, points, points[:2], FACE, eye)], 1)
    track.finish()
    with pytest.raises(ValueError, match="outside"):
        writer.write(4)


def test_a_frame_that_is_not_finite_is_named_as_ever(tmp_path):
    snaps = objects()
    frames = moving(snaps, [POINT] * FRAMES)
    frames[6][1][1][4, 2] = np.nan
    with pytest.raises(BakeError, match=r"Object 'A', frame 6: vertex 4 has a position"):
        make_baker(snaps, frames, ("A", "B"), np.zeros((2, 3)), stream=tmp_path).plan()


def test_a_writer_knows_its_frames(tmp_path):
    """Of frames that another writer took it needs that writer, and the samples' numbers there."""
    track = native.Track(groups=1, memory=1 << 20)
    points = np.arange(12, dtype=np.float32).reshape(4, 3)
    eye = np.eye(4, dtype=np.float32)
    index = np.arange(4, dtype=np.int32)
    arguments = {
        "layout": (4, 4, 1),
        "frames": np.int32([0, 1, 2]),
        "part_start": np.int64([0, 4]),
        "point": index,
        "face": index,
        "corner": index,
        "origin": np.zeros((1, 3), np.float32),
    }

    def writer(name, **more):
        return native.TextureWriter(track, str(tmp_path / name), **(arguments | more))

    track.append([(0, points, points, POINT, eye)], 0)
    with pytest.raises(RuntimeError, match="settle"):
        writer("a")
    track.settle()
    first = writer("a")
    first.divert(False)
    for key in (1, 2):
        track.append([(0, points * np.float32(key), points, POINT, eye)], key)
    with pytest.raises(RuntimeError, match="settle"):
        first.write(4)
    track.finish()
    assert track.taken == 2
    with pytest.raises(ValueError, match="outside"):
        track.frame(1)
    with pytest.raises(ValueError, match="outside"):
        writer("b").write(4)
    with pytest.raises(TypeError, match="earlier must be"):
        writer("b", earlier=3, earlier_sample=index)
    with pytest.raises(TypeError, match="earlier_sample"):
        writer("b", earlier=first)
    with pytest.raises(ValueError, match="outside"):
        writer("b", earlier=first, earlier_sample=index + np.int32(1))
    second = writer("b", earlier=first, earlier_sample=index)
    for each in (second, first):
        while each.write(1):
            pass
        each.close()
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
