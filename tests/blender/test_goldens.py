# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The original script's own outputs, from the original script's own scenes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from truevat.blender.bake import bake
from truevat.blender.playback import TAG
from truevat.core.frames import FrameRange
from truevat.core.settings import BakeSettings

from decoding import Texture, split

GOLDENS = Path(__file__).resolve().parents[3] / "shared" / "goldens" / "nekovat"
CASES = [
    "uv_corner_smooth",
    "uv_corner_hard",
    "uv_dedup",
    "uv_two_objects_rows",
    "vid_two_objects",
    "vid_changing_topology",
]


@cache
def index():
    if not GOLDENS.is_dir():
        pytest.skip(f"the goldens are not at {GOLDENS}")
    cases = json.loads((GOLDENS / "index.json").read_text("utf-8"))["cases"]
    return {case["name"]: case for case in cases}


def test_every_golden_is_compared():
    assert sorted(index()) == sorted(CASES)


@pytest.fixture(
    scope="module",
    params=[(name, guard) for name in CASES for guard in (True, False)],
    ids=lambda param: f"{param[0]}-{'guard' if param[1] else 'bare'}",
)
def golden(request, tmp_path_factory):
    """One case, baked with the original's choices, and what then stands in its scene."""
    name, guard = request.param
    case = index()[name]
    bpy.ops.wm.open_mainfile(filepath=str(GOLDENS / f"{case['name']}.blend"))
    settings = BakeSettings(
        output=tmp_path_factory.mktemp(case["name"]),
        objects=tuple(case["objects"]),
        frames=FrameRange(case["frame_start"], case["frame_end"]),
        profile="nekovat",
        address=case["addressing"].replace("_", "-"),
        normals="face" if case["hard_edge"] else "vertex",
        dedup="rest" if case.get("vertex_compress") else "none",
        max_size=case["max_resolution"],
        mesh="none",
        guard=guard,
        engines=(),
    )
    report = bake(bpy.context, settings)
    with np.load(GOLDENS / f"{case['name']}.npz") as arrays:
        theirs = dict(arrays)
    return SimpleNamespace(
        case=case,
        report=report,
        arrays=theirs,
        theirs=theirs["pixels"],
        ours=Texture(report.files["texture"]),
        guard=guard,
        playback={obj.name: read_mesh(obj.data) for obj in bpy.data.objects if TAG in obj},
    )


def read_mesh(mesh):
    second = mesh.uv_layers[1]  # which players read as TEXCOORD1
    assert second.name == "VertexUV"
    return SimpleNamespace(
        positions=np.array([vertex.co for vertex in mesh.vertices], np.float32),
        corners=[loop.vertex_index for loop in mesh.loops],
        addresses=np.array([item.vector for item in second.uv], np.float32),
    )


def bits(pixels):
    return np.ascontiguousarray(pixels).view(np.uint32)


def written(golden):
    """(height, width): the texels that samples lie in. None of the original's is all zero."""
    mask = bits(golden.theirs).any(axis=2)
    mask[0] = False
    assert mask.any()
    return mask


def test_the_texture_has_the_originals_name_and_size(golden):
    case = golden.case
    assert golden.report.files["texture"].name == f"{case['objects'][0]}_pos.exr"
    assert (golden.ours.width, golden.ours.height) == (case["width"], case["height"])


def test_the_header_row_is_equal_bit_for_bit(golden):
    np.testing.assert_array_equal(bits(golden.ours.pixels)[0], bits(golden.theirs)[0])
    assert golden.ours.rows == golden.case["rows_per_frame"]
    assert golden.ours.frames == golden.case["header_frames"] + 1


def test_positions_are_equal(golden):
    np.testing.assert_array_equal(golden.ours.pixels[1:, :, :3], golden.theirs[1:, :, :3])


def test_normal_bytes_are_at_most_one_apart(golden):
    mask = written(golden)
    ours, theirs = (split(pixels[mask])[1] for pixels in (golden.ours.pixels, golden.theirs))
    assert abs(ours - theirs).max() <= 1


def test_normal_words_carry_the_guard_bit_and_nothing_else(golden):
    words = bits(golden.ours.pixels)[..., 3]
    mask = written(golden)
    assert set(words[mask] >> 24) == {0x40 if golden.guard else 0}
    assert not words[1:][~mask[1:]].any()


def test_the_scene_has_a_playback_object_for_each_source(golden):
    by_id = golden.case["addressing"] == "vertex_id"
    expected = {f"{name}_VAT" for name in golden.case["objects"]}
    assert set(golden.playback) == ({"TriangleObject"} if by_id else expected)


def test_addresses_are_equal_at_every_corner(golden):
    if golden.case["addressing"] == "vertex_id":  # the original has none
        mesh = golden.playback["TriangleObject"]
        for k in range(golden.ours.frames):
            by_uv = golden.ours.by_uv(mesh.addresses, k)
            by_id = golden.ours.by_id(len(golden.arrays["mock_co"]), k)
            for ours, theirs in zip(by_uv, by_id, strict=True):
                np.testing.assert_array_equal(ours, theirs)
        return
    for name in golden.case["objects"]:
        ours = golden.playback[f"{name}_VAT"].addresses
        np.testing.assert_array_equal(ours, golden.arrays[f"uv_{name}"])


def test_playback_vertices_are_equal(golden):
    if golden.case["addressing"] == "vertex_id":
        mesh = golden.playback["TriangleObject"]
        np.testing.assert_array_equal(mesh.positions, golden.arrays["mock_co"])
        np.testing.assert_array_equal(mesh.corners, np.arange(len(mesh.positions)))
        return
    height, width, _ = golden.theirs.shape
    for name in golden.case["objects"]:
        mesh = golden.playback[f"{name}_VAT"]
        column, row = np.floor(golden.arrays[f"uv_{name}"] * (width, height)).astype(int).T
        first_frame = golden.theirs[row, column, :3]
        np.testing.assert_array_equal(mesh.positions[mesh.corners], first_frame)


def test_blender_reads_the_same_bits_from_the_file(golden):
    image = bpy.data.images.load(str(golden.report.files["texture"]))
    try:
        image.colorspace_settings.name = "Non-Color"
        pixels = np.empty(len(image.pixels), np.float32)
        image.pixels.foreach_get(pixels)
    finally:
        bpy.data.images.remove(image)
    np.testing.assert_array_equal(bits(pixels), bits(golden.ours.pixels).ravel())
