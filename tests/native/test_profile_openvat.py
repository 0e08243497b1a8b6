# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The layout `openvat`: offsets from the first frame, a slot for each vertex, blocks of frames."""

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
from truevat.core.profiles.openvat import OPENVAT
from truevat.core.settings import BakeSettings

from plain_exr import read_exr
from synthetic import grid, make_baker, part, snapshot, translation

FRAMES = 12
ORIGINS = np.float32([[1, 2, 3], [7, 7, 7]])


def moving(**settings):
    """Two meshes, the second one with a vertex that no face has: (snapshots, baker, plan, offset
    and normal of each vertex in each frame, the last vertex of each mesh first)."""
    topology, points = grid(6, 4)
    loose = topology.__class__(
        topology.points + 1,
        topology.corner_vert,
        topology.face_start,
        topology.triangles,
        topology.triangle_face,
    )
    more = np.concatenate([points, np.float32([[9, 9, 9]])])
    snaps = [snapshot(topology, points), snapshot(loose, more, 1, translation(0, 0, 20))]
    baked, offsets, normals = [], [], []
    for frame in range(FRAMES):
        parts, moved, directions = [], [], []
        for snap in snaps:
            shift = np.zeros_like(snap.points)
            shift[:, 0] = np.sin(snap.points[:, 1] + frame) - np.sin(snap.points[:, 1])
            shift[:, 2] = -0.01 * frame * snap.points[:, 0]
            own = np.stack([np.full(len(shift), 0.2 * frame), shift[:, 0], np.ones(len(shift))], 1)
            own = np.float32(own / np.linalg.norm(own, axis=1, keepdims=True))
            where = snap.points + shift
            parts.append(part(snap, where, own))
            world = native.transform_points(where, snap.matrix)[0]
            rest = native.transform_points(snap.points, snap.matrix)[0]
            moved.append(((world - ORIGINS[0]) - (rest - ORIGINS[0]))[::-1])
            directions.append(own[::-1])
        baked.append(parts)
        offsets.append(np.concatenate(moved))
        normals.append(np.concatenate(directions))
    baker = make_baker(snaps, baked, ("A", "B"), ORIGINS, profile="openvat", **settings)
    return snaps, baker, baker.plan(), np.stack(offsets), np.stack(normals)


def write(baker, folder: Path):
    """Its pictures by role, the topmost row first."""
    written = {}
    for _ in baker.write(lambda suffix: written.setdefault(suffix, folder / f"a{suffix}")):
        pass
    return {suffix: read_exr(path)[::-1] for suffix, path in written.items()}


def texels(picture, plan):
    """(frames, slots, RGBA) of a picture, or of half of one: blocks of frames, from the top."""
    blocks = picture[: plan.layout.rows_per_frame * FRAMES].reshape(-1, FRAMES, *picture.shape[1:])
    return np.concatenate(list(blocks), axis=1)[:, : plan.slots]


def remap(baker, clips=None):
    book = baker.result.books[0]
    book = replace(book, clips=clips or book.clips)
    documents = OPENVAT.documents(baker.contents(book, {"texture": "a_vat.exr"}))
    (document,) = documents.items()
    assert document[0] == "-remap_info.json"
    return document[1]


def degrees_between(a, b):
    a, b = np.float64(a), np.float64(b)
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(axis=-1)))


@pytest.mark.parametrize("pixel", ["float", "half"])
@pytest.mark.parametrize("rows", ["single", "wrap"])
@pytest.mark.parametrize("where", ["packed", "separate", "none"])
def test_every_vertex_is_where_it_was(tmp_path, pixel, rows, where):
    _, baker, plan, offsets, normals = moving(pixel=pixel, rows=rows, normal_texture=where)
    pictures = write(baker, tmp_path)
    assert plan.slots == 2 * 35 + 1
    assert sorted(pictures) == (["_vat.exr", "_vnrm.exr"] if where == "separate" else ["_vat.exr"])
    picture = pictures["_vat.exr"]
    height, width, _ = picture.shape
    assert plan.layout.rows_per_frame == (1 if rows == "single" else 2)
    assert width == (71 if rows == "single" else 64)
    if rows == "single":
        assert height == FRAMES * (2 if where == "packed" else 1)
    stored = texels(picture, plan)
    found = remap(baker)["os-remap"]
    low, high = (np.float64(np.float32(found[end])) for end in ("Min", "Max"))
    np.testing.assert_array_equal(low, offsets.min(axis=(0, 1)))
    np.testing.assert_array_equal(high, offsets.max(axis=(0, 1)))
    moves = high > low
    assert moves.tolist() == [True, False, True] and not stored[..., 1].any()
    exact = (offsets.astype(np.float64) - low)[..., moves] / (high - low)[moves]
    # What is nearly half way between two halves may be a float that is so.
    half_codes = np.float64(np.spacing(exact.astype(stored.dtype))) / 2 * 1.001
    assert (abs(stored[..., :3][..., moves] - exact) <= half_codes).all()
    assert (stored[..., 3] == 1).all()

    if where == "none":
        assert plan.layout.normal_rows_per_frame == 0
        return
    packed = picture[height // 2 :]
    shown = texels(packed if where == "packed" else pictures["_vnrm.exr"], plan)
    decoded = np.float64(shown[..., :3]) * 2 - 1
    allowed = OPENVAT.describe(baker.settings, plan.pixel)["normals"]["error_degrees"]
    assert degrees_between(decoded, normals).max() <= allowed


@pytest.mark.parametrize("rows", ["single", "wrap"])
def test_readers_find_every_vertex(tmp_path, rows):
    """As OpenVAT's shaders do it: one frame down for each frame, half the picture for normals."""
    snaps, baker, plan, offsets, _ = moving(rows=rows, pixel="float")
    picture = write(baker, tmp_path)["_vat.exr"]
    (played,) = playback_objects(baker.settings, plan, snaps, "a", ["A", "B"], for_file=True)
    mesh = played.mesh
    assert list(mesh.uv_maps)[1] == "VAT_UV"
    assert mesh.widening == 0  # its readers would show them
    height, width, _ = picture.shape
    found = remap(baker)["os-remap"]
    low, high = np.float32(found["Min"]), np.float32(found["Max"])
    slots = np.concatenate([np.arange(35)[::-1], 35 + np.arange(36)[::-1]])
    rest = mesh.points[mesh.corner_vert]
    for frame in range(FRAMES):
        u, v = mesh.uv_maps["VAT_UV"].T
        v = 1 - v + np.float32(frame / height)  # as glTF and Godot have it
        column, row = u * width, v * height
        assert abs(column % 1 - 0.5).max() < 0.01 and abs(row % 1 - 0.5).max() < 0.01
        texel = picture[row.astype(int), column.astype(int), :3]
        expected = rest + offsets[frame][slots[mesh.corner_vert]]
        np.testing.assert_allclose(rest + low + (high - low) * texel, expected, atol=5e-6)


def test_the_json_file_has_openvats_keys():
    _, baker, _, _, _ = moving()
    once = remap(baker, [ClipRows("Scene", 0, FRAMES, Fraction(24), False)])
    assert list(once) == ["os-remap"]
    assert list(once["os-remap"]) == ["Min", "Max", "Frames"]
    assert once["os-remap"]["Frames"] == FRAMES
    clips = [
        ClipRows("Walk", 0, 3, Fraction(24), True),
        ClipRows("Fall", 3, 9, Fraction(25), False),
    ]
    assert remap(baker, clips)["animations"] == {
        "Walk": {"startFrame": 0, "endFrame": 2, "framerate": 24.0, "looping": True},
        "Fall": {"startFrame": 3, "endFrame": 11, "framerate": 25.0, "looping": False},
    }


def test_bounds_are_rounded_only_when_asked():
    exact, rounded = (remap(moving(openvat_rounding=asked)[1])["os-remap"] for asked in (0, 1))
    assert rounded["Min"][1:] == [0.0, -1.0] and rounded["Max"][1:] == [0.0, 0.0]
    for axis in range(3):
        for below in (
            exact["Min"][axis] - rounded["Min"][axis],
            rounded["Max"][axis] - exact["Max"][axis],
        ):
            assert 0 <= below < 0.1
        for value in (rounded["Min"][axis], rounded["Max"][axis]):
            assert value * 10 == pytest.approx(round(value * 10))
    assert exact["Min"] != rounded["Min"] and exact["Max"] != rounded["Max"]
    ids = {moving(openvat_rounding=asked)[2].bake_id for asked in (False, True)}
    assert len(ids) == 2


@pytest.mark.parametrize(
    ("slots", "frames", "normals", "size"),
    [
        # OpenVAT's own sizes
        (100, 10, "packed", (64, 64)),
        (1025, 60, "separate", (256, 512)),
        (20_000, 250, "none", (2048, 4096)),
        (8, 10, "packed", (64, 32)),
        # where it fails
        (8, 10, "separate", (8, 16)),
        (24, 3, "packed", (16, 16)),
        (500, 1, "separate", (16, 32)),
    ],
)
def test_powers_of_two(slots, frames, normals, size):
    layout = OPENVAT.layout(Need(slots, frames, 1, "float32", 16384, "wrap", normals))
    assert (layout.width, layout.height) == size
    assert layout.width * layout.rows_per_frame >= slots


@given(
    slots=st.integers(1, 100_000),
    frames=st.integers(1, 5_000),
    max_size=st.sampled_from([1, 64, 1000, 4096, 16384]),
    rows=st.sampled_from(["wrap", "single"]),
    normals=st.sampled_from(["packed", "separate", "none"]),
)
def test_a_texture_holds_all_or_is_refused(slots, frames, max_size, rows, normals):
    need = Need(slots, frames, 1, "float32", max_size, rows, normals)
    halves = 2 if normals == "packed" else 1
    widest = max_size if rows == "single" else 1 << max_size.bit_length() - 1
    blocks = -(-slots // widest)
    fits = frames * halves * blocks <= widest and (rows == "wrap" or blocks == 1)
    if not fits:
        with pytest.raises(BakeError, match="what would fit"):
            OPENVAT.layout(need)
        return
    layout = OPENVAT.layout(need)
    assert max(layout.width, layout.height) <= max_size
    assert layout.width * layout.rows_per_frame >= slots
    assert layout.rows_per_frame * frames * halves <= layout.height
    if normals == "packed":
        assert layout.normal_row * 2 == layout.height
    if rows == "single":
        assert (layout.width, layout.height) == (slots, frames * halves)
    else:
        assert layout.width & layout.width - 1 == layout.height & layout.height - 1 == 0


def test_the_advice_is_true():
    with pytest.raises(
        BakeError, match=r"at most 2 frames, or at most 64 samples a frame"
    ) as found:
        OPENVAT.layout(Need(1000, 32, 1, "float32", 64, "wrap", "packed"))
    assert "or a max size of 8192" in str(found.value)
    OPENVAT.layout(Need(1000, 2, 1, "float32", 64, "wrap", "packed"))
    OPENVAT.layout(Need(64, 32, 1, "float32", 64, "wrap", "packed"))


@pytest.mark.parametrize(
    ("option", "value"),
    [("address", "vertex-id"), ("normals", "corner"), ("dedup", "trajectory")],
)
def test_what_it_cannot_do_is_refused(option, value):
    with pytest.raises(BakeError, match=f"The OpenVAT layout has no {option} '{value}'"):
        BakeSettings(output="out", profile="openvat", **{option: value})


def test_too_many_vertices_are_refused_at_the_first_frame():
    """A loose vertex counts, a corner does not."""
    topology, points = grid(8, 8)
    snap = snapshot(topology, points)
    baker = make_baker([snap], [], profile="openvat", rows="single", max_size=80)
    with pytest.raises(BakeError, match="81 samples x 2 frames"):
        baker.expect(2)
