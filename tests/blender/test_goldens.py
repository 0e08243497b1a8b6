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
from decode import (
    GUARD,
    Texture,
    normal_bytes,
    read_addresses,
    read_corner_vertices,
    read_positions,
)
from truevat.blender.bake import bake
from truevat.blender.playback import TAG
from truevat.core.settings import BakeSettings, FrameRange

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
        address=case["addressing"].replace("_", "-"),
        normals="face" if case["hard_edge"] else "vertex",
        dedup="rest" if case.get("vertex_compress") else "none",
        max_size=case["max_resolution"],
        mesh="none",
        guard=guard,
    )
    report = bake(bpy.context, settings)
    with np.load(GOLDENS / f"{case['name']}.npz") as arrays:
        theirs = dict(arrays)
    return SimpleNamespace(
        case=case,
        report=report,
        arrays=theirs,
        theirs=Texture(theirs["pixels"]),
        ours=Texture.read(report.files["texture"]),
        guard=guard,
        playback={obj.name: read_mesh(obj.data) for obj in bpy.data.objects if TAG in obj},
    )


def read_mesh(mesh):
    return SimpleNamespace(
        positions=read_positions(mesh),
        corners=read_corner_vertices(mesh),
        addresses=read_addresses(mesh),
    )


def written(golden):
    """(height, width): the texels that samples lie in. None of the original's is all zero."""
    mask = golden.theirs.bits.any(axis=2)
    mask[0] = False
    return mask


def test_the_texture_has_the_originals_name_and_size(golden):
    case = golden.case
    assert golden.report.files["texture"].name == f"{case['objects'][0]}_pos.exr"
    assert golden.ours.size == golden.theirs.size == (case["width"], case["height"])


def test_the_header_row_is_equal_bit_for_bit(golden):
    np.testing.assert_array_equal(golden.ours.bits[0], golden.theirs.bits[0])
    assert golden.ours.rows_per_frame == golden.case["rows_per_frame"]
    assert golden.ours.stored == golden.case["header_frames"] + 1


def test_positions_are_equal(golden):
    assert written(golden).any()
    np.testing.assert_array_equal(golden.ours.pixels[1:, :, :3], golden.theirs.pixels[1:, :, :3])


def test_normal_bytes_are_at_most_one_apart(golden):
    mask = written(golden)
    ours, theirs = (
        normal_bytes(texture.pixels[..., 3])[mask] for texture in (golden.ours, golden.theirs)
    )
    assert abs(ours - theirs).max() <= 1


def test_normal_words_carry_the_guard_bit_and_nothing_else(golden):
    words = golden.ours.bits[..., 3]
    mask = written(golden)
    assert set(words[mask] >> 24) == {GUARD >> 24 if golden.guard else 0}
    assert not words[1:][~mask[1:]].any()


def test_the_scene_has_a_playback_object_for_each_source(golden):
    by_id = golden.case["addressing"] == "vertex_id"
    expected = {f"{name}_VAT" for name in golden.case["objects"]}
    assert set(golden.playback) == ({"TriangleObject"} if by_id else expected)


def test_addresses_are_equal_at_every_corner(golden):
    if golden.case["addressing"] == "vertex_id":  # the original has none
        slots = golden.ours.slots_of(golden.playback["TriangleObject"].addresses)
        np.testing.assert_array_equal(slots, np.arange(len(golden.arrays["mock_co"])))
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
    slots = golden.theirs.size[0] * golden.theirs.rows_per_frame
    first = golden.theirs.frame(0, slots)[:, :3]
    for name in golden.case["objects"]:
        mesh = golden.playback[f"{name}_VAT"]
        decoded = first[golden.theirs.slots_of(golden.arrays[f"uv_{name}"])]
        np.testing.assert_array_equal(mesh.positions[mesh.corners], decoded)


def test_blender_reads_the_same_bits_from_the_file(golden):
    image = bpy.data.images.load(str(golden.report.files["texture"]))
    try:
        image.colorspace_settings.name = "Non-Color"
        pixels = np.empty(len(image.pixels), np.float32)
        image.pixels.foreach_get(pixels)
    finally:
        bpy.data.images.remove(image)
    np.testing.assert_array_equal(pixels.view(np.uint32), golden.ours.bits.ravel())
