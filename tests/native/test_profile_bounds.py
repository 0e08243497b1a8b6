# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The layout `bounds`: positions as 0..1 of their bounds, in Unity's axes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import truevat_native as native
from hypothesis import given
from hypothesis import strategies as st
from truevat.core.errors import BakeError
from truevat.core.meshes import playback_objects
from truevat.core.profiles.base import ClipRows, Need
from truevat.core.profiles.bounds import BOUNDS
from truevat.core.settings import BakeSettings

from plain_exr import read_exr
from synthetic import grid, make_baker, part, snapshot, translation

ORIGIN = np.float32([0.25, -1, 0.5])


def tilted(count, frame):
    """Unit normals that no axis has."""
    normals = np.stack([np.sin(np.arange(count) + frame), np.full(count, 0.3), np.ones(count)], 1)
    return np.float32(normals / np.linalg.norm(normals, axis=1, keepdims=True))


def moving(frames=4, **settings):
    """Two meshes of one object each, the second one mirrored: (baker, plan, what each vertex does
    in each frame, relative to the origin, and its normals)."""
    topology, points = grid(3, 2)

    def wave(frame):
        z = np.sin(points[:, 0] + frame) + points[:, 1] * frame
        return np.stack([points[:, 0], points[:, 1], z], axis=1).astype(np.float32)

    mirrored = translation(5, 0, 1)
    mirrored[0, 0] = -1
    snaps = [snapshot(topology, wave(0)), snapshot(topology, wave(0), 1, mirrored)]
    baked, positions, normals = [], [], []
    for frame in range(frames):
        parts, where, directions = [], [], []
        for snap in snaps:
            moved = wave(frame)
            own = tilted(topology.points, frame)
            parts.append(part(snap, moved, own))
            triangles = topology.triangles
            if snap.group:
                triangles = triangles[:, [0, 2, 1]]
            vertices = topology.corner_vert[triangles.reshape(-1)]
            matrix = snap.matrix
            where.append(native.transform_points(moved, matrix)[0][vertices] - ORIGIN)
            directions.append(native.transform_normals(own, matrix)[0][vertices])
        baked.append(parts)
        positions.append(np.concatenate(where))
        normals.append(np.concatenate(directions))
    origins = np.stack([ORIGIN, ORIGIN + 3])
    baker = make_baker(snaps, baked, ("A", "B"), origins, profile="bounds", **settings)
    return snaps, baker, baker.plan(), np.stack(positions), np.stack(normals)


def write(baker, folder: Path):
    """Its pictures by role, row 0 at the bottom."""
    for _ in baker.write(lambda suffix: folder / f"a{suffix}"):
        pass
    files = {"texture": folder / "a_pos.exr", "normals": folder / "a_nml.exr"}
    return {role: read_exr(path) for role, path in files.items() if path.exists()}


def unity(vectors):
    return vectors[..., [0, 2, 1]]


def degrees_between(a, b):
    a, b = np.float64(a), np.float64(b)
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(axis=-1)))


def box(baker):
    info = baker.profile.documents(
        baker.contents(baker.result.books[0], {"texture": "p", "normals": "n"})
    )["_info.json"]
    return (np.float64(info["bounding_box"][end]) for end in ("min", "max"))


@pytest.mark.parametrize("pixel", ["float", "half"])
@pytest.mark.parametrize("max_size", [4096, 32], ids=["one row", "wrapped"])
def test_every_vertex_is_where_it_was(tmp_path, pixel, max_size):
    _, baker, plan, positions, normals = moving(pixel=pixel, max_size=max_size)
    pictures = write(baker, tmp_path)
    frames, count, _ = positions.shape
    assert count == 2 * 12 * 3 and plan.slots == count
    rows = 1 if max_size == 4096 else 3
    assert plan.layout[:4] == (count // rows, frames * rows, rows, 0)
    low, high = box(baker)
    np.testing.assert_array_equal(low, unity(positions).min(axis=(0, 1)))
    np.testing.assert_array_equal(high, unity(positions).max(axis=(0, 1)))
    stored = pictures["texture"].reshape(frames, count, 4)
    assert stored.dtype == {"float": np.float32, "half": np.float16}[pixel]
    exact = (unity(positions).astype(np.float64) - low) / (high - low)
    # What is nearly half way between two halves may be a float that is so.
    half_codes = np.float64(np.spacing(exact.astype(stored.dtype))) / 2 * 1.001
    assert (abs(stored[..., :3] - exact) <= half_codes).all()
    assert stored[..., :3].min() == 0 and stored[..., :3].max() == 1
    assert (stored[..., 3] == 1).all()
    error = np.linalg.norm(
        low + (high - low) * np.float64(stored[..., :3]) - unity(positions), axis=2
    )
    assert baker.position_error == pytest.approx(error.max(), rel=1e-5)

    directions = pictures["normals"].reshape(frames, count, 4)
    decoded = np.float64(directions[..., :3]) * 2 - 1
    allowed = BOUNDS.describe(baker.settings, plan.pixel)["normals"]["error_degrees"]
    assert degrees_between(decoded, unity(normals)).max() <= allowed
    assert (directions[..., 3] == 1).all()


def test_an_axis_without_extent_is_zero(tmp_path):
    topology, points = grid(2, 1)
    snap = snapshot(topology, points)
    frames = [[part(snap, points + np.float32([k, 0, 7]))] for k in range(3)]
    baker = make_baker([snap], frames, profile="bounds")
    baker.plan()
    stored = write(baker, tmp_path)["texture"]
    low, high = box(baker)
    assert low[1] == high[1] == 7  # Blender's z is Unity's y
    assert not stored[..., 1].any() and stored[..., 0].max() == 1
    assert np.isfinite(stored).all()


@pytest.mark.parametrize("max_size", [4096, 32], ids=["one row", "wrapped"])
def test_the_mesh_finds_its_texels(max_size):
    snaps, baker, plan, positions, _ = moving(max_size=max_size)
    (played,) = playback_objects(baker.settings, plan, snaps, "a", ["A", "B"], for_file=True)
    mesh, count = played.mesh, positions.shape[1]
    assert list(mesh.uv_maps)[1] == "VertexUV"
    assert mesh.widening == 2 and len(mesh.points) == count + 6
    np.testing.assert_array_equal(mesh.corner_vert[:count], np.arange(count))
    np.testing.assert_array_equal(mesh.points[:count], positions[0])
    np.testing.assert_allclose(played.origin, ORIGIN)
    width, height, rows, _ = plan.layout[:4]
    u, v = mesh.uv_maps["VertexUV"].T
    np.testing.assert_array_equal(np.floor(u[:count] * width), np.arange(count) % width)
    if rows == 1:
        np.testing.assert_array_equal(u[:count], np.float32((np.arange(count) + 0.5) / width))
        assert not v.any()
    for half_a_row in (0, 0.5):  # shaders disagree
        for frame in range(plan.frames):
            row = np.floor((v[:count] + (frame * rows + half_a_row) / height) * height)
            np.testing.assert_array_equal(row, np.arange(count) // width + frame * rows)
    # What widens the bounds reads vertex 0, and becomes a point.
    np.testing.assert_array_equal(np.stack([u, v], 1)[count:], [[u[0], v[0]]] * 6)


def test_triangles_that_a_frame_lacks_are_at_its_first_vertex(tmp_path):
    topology, points = grid(2, 2)
    snap = snapshot(topology, points)
    corners = topology.triangles.reshape(-1)
    fewer = topology.corner_vert[corners[3:9]].astype(np.int32)
    raised = points + np.float32([0, 0, 2])
    frames = [[part(snap)], [part(snap, raised, samples=(fewer, fewer))]]
    baker = make_baker([snap], frames, profile="bounds", address="vertex-id")
    plan = baker.plan()
    assert plan.triangles == [8, 2] and not plan.constant
    stored = write(baker, tmp_path)["texture"]
    low, high = box(baker)
    found = low + (high - low) * stored[1, :, :3]
    np.testing.assert_allclose(found[:6], unity(raised[fewer]), atol=1e-6)
    np.testing.assert_allclose(found[6:], unity(raised[fewer[:1]]).repeat(18, axis=0), atol=1e-6)


def info(clips, **settings):
    _, baker, _, _, _ = moving(**settings)
    book = replace(baker.result.books[0], clips=clips)
    files = {"texture": "a_pos.exr", "normals": "a_nml.exr"}
    (document,) = baker.profile.documents(baker.contents(book, files)).items()
    assert document[0] == "_info.json"
    return document[1]


def test_the_info_file_says_what_it_must():
    once = [ClipRows("Scene", 0, 4, Fraction(24), False)]
    found = info(once)
    assert list(found) == ["textures", "vertex_count", "frame_count", "fps", "bounding_box"]
    assert found["textures"] == {"position": "a_pos.exr", "normal": "a_nml.exr"}
    assert (found["vertex_count"], found["frame_count"], found["fps"]) == (72, 4, 24)
    assert list(found["bounding_box"]) == ["min", "max"]
    assert info(once, normal_texture="none")["textures"] == {"position": "a_pos.exr"}
    assert info(once, max_size=32)["rows_per_frame"] == 3


def test_the_info_file_has_the_clips():
    clips = [
        ClipRows("Walk", 0, 3, Fraction(30), True),
        ClipRows("Fall", 3, 1, Fraction(30000, 1001), False),
    ]
    walk, fall = info(clips)["clips"]
    assert walk == {
        "name": "Walk",
        "start_frame": 0,
        "frame_count": 3,
        "fps": 30.0,
        "duration": 0.1,
        "speed": 10.0,
    }
    assert (fall["start_frame"], fall["frame_count"]) == (3, 1)
    assert fall["fps"] == pytest.approx(29.97003) and fall["speed"] == fall["fps"]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("dedup", "trajectory"),
        ("pixel", "png16"),
        ("normal_texture", "packed"),
        ("openvat_rounding", True),
        ("join", False),
    ],
)
def test_what_it_cannot_do_is_refused(option, value):
    with pytest.raises(BakeError, match="The Bounds layout has"):
        BakeSettings(output="out", profile="bounds", **{option: value})


def test_one_row_that_is_too_long_is_refused():
    with pytest.raises(BakeError, match="at most 32 samples a frame, or a max size of 8192"):
        moving(max_size=32, rows="single")


@given(
    slots=st.integers(1, 100_000),
    frames=st.integers(1, 5_000),
    max_size=st.sampled_from([1, 64, 1000, 4096, 16384]),
    rows=st.sampled_from(["wrap", "single"]),
)
def test_no_texel_is_wasted_and_none_is_missing(slots, frames, max_size, rows):
    need = Need(slots, frames, 1, "float32", max_size, rows, "separate")
    try:
        layout = BOUNDS.layout(need)
    except BakeError:
        least = slots if rows == "single" else 1
        assert least > max_size or frames * -(-slots // max_size) > max_size
        return
    per_frame = layout.width * layout.rows_per_frame
    assert slots <= per_frame < slots + layout.rows_per_frame
    assert layout.height == frames * layout.rows_per_frame
    assert max(layout.width, layout.height) <= max_size
    if slots <= max_size:
        assert (layout.width, layout.height) == (slots, frames)
