# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The track and the texture's rows against their twins, in memory and spilled."""

from __future__ import annotations

import numpy as np
import pytest
import truevat_native as native
from hypothesis import given
from hypothesis import strategies as st

import twins
from exr_reader import read_exr

DOMAINS = st.sampled_from([native.POINT, native.FACE, native.CORNER])


def random_matrix(rng):
    matrix = np.eye(4, dtype=np.float32)
    matrix[:3] = rng.normal(0, 1, (3, 4))
    matrix[:3, :3] *= rng.choice([-1, 0, 1], 3, p=[0.2, 0.1, 0.7])
    return matrix


def random_normals(rng, count):
    normals = rng.normal(0, 1, (count, 3)).astype(np.float32)
    normals[rng.random(count) < 0.1] = rng.choice([0, np.nan, np.inf])
    return normals


@st.composite
def recordings(draw):
    """(groups, shapes, frames): shapes are (points, corner_vert, corner_face, faces) of each part,
    frames are lists of parts; some have samples of their own."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    groups = draw(st.integers(1, 3))
    shapes = []
    for _ in range(draw(st.integers(0, 3))):
        faces = draw(st.integers(0, 40))
        points = draw(st.integers(1 if faces else 0, 60))
        vert = rng.integers(0, points, 3 * faces, np.int32) if faces else np.empty(0, np.int32)
        shapes.append((points, vert, np.repeat(np.arange(faces, dtype=np.int32), 3), faces))
    owners = sorted(rng.integers(0, groups, len(shapes)).tolist())
    frames = []
    for index in range(draw(st.integers(1, 5))):
        own = index > 0 and draw(st.booleans())
        parts = []
        for group, (points, vert, _, faces) in zip(owners, shapes, strict=True):
            domain = draw(DOMAINS)
            count = (points, faces, len(vert))[domain]
            coordinates = rng.normal(0, 2, (points, 3)).astype(np.float32)
            part = group, coordinates, random_normals(rng, count), domain, random_matrix(rng)
            if own:
                size = int(rng.integers(0, 90)) if points and count else 0
                part += (
                    rng.integers(0, max(points, 1), size, np.int32),
                    rng.integers(0, max(count, 1), size, np.int32),
                )
            parts.append(part)
        frames.append(parts)
    return groups, shapes, frames


def record(groups, frames, memory, normals="xyz8-guarded"):
    track = native.Track(groups=groups, memory=memory, normals=normals)
    twin = twins.Track(groups, normals)
    for key, parts in enumerate(frames):
        track.append(parts, key)
        twin.append(parts, key)
    track.finish()
    return track, twin


@given(recordings(), st.sampled_from([0, 2000, 1 << 30]), st.sampled_from(twins.NORMAL_CODES))
def test_track_is_its_twin(recording, memory, normals):
    groups, shapes, frames = recording
    track, twin = record(groups, frames, memory, normals)
    assert track.frames == len(frames)
    assert track.bad_normals == twin.bad_normals
    size = 0
    for index in reversed(range(len(frames))):
        points, words = track.frame(index)
        expected_points, expected_words = twin.frame(index)
        np.testing.assert_array_equal(points.view(np.uint32), expected_points.view(np.uint32))
        np.testing.assert_array_equal(words, expected_words)
        size += points.nbytes + words.nbytes
    assert track.memory + track.spilled == size
    assert track.memory <= memory
    for group in range(groups):
        np.testing.assert_array_equal(track.bounds(group), twin.bounds[group])
    for part, (_, vert, face, _) in enumerate(shapes):
        np.testing.assert_array_equal(track.keys(part, vert, face), twin.keys(part, vert, face))
    assert track.digest() == twin.digest()


@given(recordings(), st.sampled_from([0, 1 << 30]), st.sampled_from([1, 2, 5]), st.booleans())
def test_texture_is_its_twin(tmp_path_factory, recording, memory, threads, direct):
    groups, shapes, frames = recording
    track, twin = record(groups, frames, memory)
    most = max(len(twin.frame(i)[0]) for i in range(len(frames)) if twin.own[i] or i == 0)
    samples = sum(len(vert) for _, vert, _, _ in shapes)
    stored = [0, *reversed(range(len(frames)))]
    arguments = {
        "layout": twins.layout_power_of_two(max(samples, most), len(stored), 256),
        "slots": max(samples, most),
        "frames": np.int32(stored),
        "part_start": np.cumsum([0, *(len(vert) for _, vert, _, _ in shapes)], dtype=np.int64),
        "point": np.concatenate([np.empty(0, np.int32), *(shape[1] for shape in shapes)]),
        "face": np.concatenate([np.empty(0, np.int32), *(shape[2] for shape in shapes)]),
        "corner": np.concatenate(
            [np.empty(0, np.int32), *(np.arange(len(s[1]), dtype=np.int32) for s in shapes)]
        ),
        "origin": np.random.default_rng(1).normal(0, 1, (len(shapes), 3)).astype(np.float32),
    }
    path = tmp_path_factory.mktemp("texture") / "a.exr"
    writer = native.TextureWriter(track, str(path), threads=threads, direct=direct, **arguments)
    header = np.random.default_rng(2).normal(0, 1, (3, 4)).astype(np.float32)
    writer.set_header(header)
    while writer.write(3):
        pass
    assert writer.close() == path.stat().st_size
    expected = twins.texture(twin, header=header, **arguments)
    np.testing.assert_array_equal(read_exr(path)[::-1].view(np.uint32), expected.view(np.uint32))


def shifting_track(memory):
    """9 frames of 20,000 points; their normals live at points, then at corners."""
    rng = np.random.default_rng(7)
    points = rng.normal(0, 1, (20_000, 3)).astype(np.float32)
    corners = np.concatenate([points, points])
    track = native.Track(groups=1, memory=memory)
    for key in range(9):
        flipped = key > 4
        normals = corners if flipped else points
        domain = native.CORNER if flipped else native.POINT
        matrix = np.eye(4, dtype=np.float32) * np.float32(1 + key / 7)
        track.append([(0, points, normals, domain, matrix)], key)
    track.finish()
    vert = np.tile(np.arange(20_000, dtype=np.int32), 2)
    return track, vert


def written(path, track, vert, **options):
    samples = len(vert)
    writer = native.TextureWriter(
        track,
        str(path),
        layout=(512, 1024, 79),
        frames=np.arange(9, dtype=np.int32),
        part_start=np.int64([0, samples]),
        point=vert,
        face=vert,
        corner=np.arange(samples, dtype=np.int32),
        origin=np.zeros((1, 3), np.float32),
        **options,
    )
    while writer.write(200):
        pass
    writer.close()
    return path.read_bytes()


@pytest.mark.parametrize("memory", [0, 1 << 30], ids=["spilled", "in memory"])
@pytest.mark.parametrize("direct", [True, False], ids=["direct", "tinyexr"])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_texture_has_the_same_bytes_however_it_is_made(tmp_path, memory, direct, threads):
    expected = written(tmp_path / "a.exr", *shifting_track(1 << 30), threads=1)
    path = tmp_path / "b.exr"
    actual = written(path, *shifting_track(memory), threads=threads, direct=direct)
    assert actual == expected
