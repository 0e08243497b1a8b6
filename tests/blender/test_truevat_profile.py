# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes baked as `truevat`, read by a reader that was made from docs/format.md alone."""

from __future__ import annotations

from itertools import product

import bpy
import pytest
from truevat.core.errors import BakeError

import schema
from evaluated import bake_it
from moving_scenes import CHANGING, CONSTANT, hard_edges, large, more_and_more, two_objects
from reference_reader import Texture
from truevat_truth import check

PIXELS = ("float", "half", "auto")
STORED = {"float": "float32", "half": "float16"}


@pytest.mark.parametrize("join", [True, False], ids=["join", "no join"])
@pytest.mark.parametrize("pixel", PIXELS)
@pytest.mark.parametrize("scene", CONSTANT, ids=lambda scene: scene.__name__)
def test_constant_topology_by_uv(tmp_path, scene, pixel, join):
    sidecar = check(tmp_path, scene, "uv", pixel=pixel, join=join)
    assert sidecar["constant_topology"]
    assert sidecar["texture"]["pixel"] == STORED.get(pixel, "float16")


@pytest.mark.parametrize("pixel", PIXELS)
@pytest.mark.parametrize("scene", CONSTANT, ids=lambda scene: scene.__name__)
def test_constant_topology_by_vertex_id(tmp_path, scene, pixel):
    sidecar = check(tmp_path, scene, "vertex-id", pixel=pixel)
    assert sidecar["constant_topology"]
    assert sidecar["texture"]["pixel"] == STORED.get(pixel, "float16")


@pytest.mark.parametrize("pixel", PIXELS)
@pytest.mark.parametrize("scene", CHANGING, ids=lambda scene: scene.__name__)
def test_changing_topology_by_vertex_id(tmp_path, scene, pixel):
    sidecar = check(tmp_path, scene, "vertex-id", pixel=pixel)
    assert not sidecar["constant_topology"]
    assert len(set(sidecar["triangles"])) > 2
    assert sidecar["texture"]["pixel"] == STORED.get(pixel, "float32")


@pytest.mark.parametrize("pixel", PIXELS)
@pytest.mark.parametrize("scene", [hard_edges, more_and_more], ids=lambda scene: scene.__name__)
def test_triangles_that_are_counted_have_one_playback_mesh(tmp_path, scene, pixel):
    names = scene()
    options = {"profile": "truevat", "pixel": pixel, "join": False}
    with pytest.raises(BakeError, match="one playback mesh of all objects where triangles are"):
        bake_it(tmp_path, names, address="vertex-id", **options)


@pytest.mark.parametrize("pixel", ["float", "half"])
def test_frames_of_several_rows_and_addresses_beyond_a_row_of_slots(tmp_path, pixel):
    sidecar = check(tmp_path, large, "uv", pixel=pixel, max_size=128)
    assert sidecar["texture"]["rows_per_frame"] > 1
    assert sidecar["slots"] > 1024


@pytest.mark.parametrize(
    ("pixel", "bounds", "dedup"), list(product(["float", "half"], [True, False], ["none", "rest"]))
)
def test_other_ways(tmp_path, pixel, bounds, dedup):
    scene = two_objects if dedup == "none" else smooth_ones
    sidecar = check(tmp_path, scene, "uv", pixel=pixel, bounds=bounds, dedup=dedup)
    assert sidecar["dedup"] == dedup


def smooth_ones():
    """Smooth all over: what starts in one place stays there, and has one normal."""
    names = two_objects()
    for name in names:
        bpy.data.objects[name].data.shade_smooth()
    return names


@pytest.mark.parametrize("pixel", ["float", "half"])
def test_without_normals(tmp_path, pixel):
    names = two_objects()
    options = {"profile": "truevat", "pixel": pixel, "normal_texture": "none"}
    report = bake_it(tmp_path, names, **options)
    sidecar = schema.check(report.files["sidecar"])
    texture = Texture(report.files["texture"])
    assert texture.normal_kind == texture.normal_row == texture.normal_rows_per_frame == 0
    assert sidecar["normals"]["encoding"] == "none"
    assert (texture.pixels[texture.header_rows, : texture.slots, 3] == 1).all()


# -------------------------------------------------------------------------------------------------
# auto


@pytest.mark.parametrize("address", ["uv", "vertex-id"])
def test_auto_takes_half_floats_where_they_are_precise_enough(tmp_path, address):
    names = hard_edges()
    options = {"profile": "truevat", "address": address}
    half = bake_it(tmp_path, names, pixel="half", **options)
    error = 1000 * schema.check(half.files["sidecar"])["position"]["error_m"]
    assert half.notes == []
    assert error > 0.1, "the default tolerance would allow it"

    auto = bake_it(tmp_path, names, **options)
    assert auto.pixel == "float32"
    (note,) = auto.notes
    assert f"move a point by {error:.2g} mm, more than the 0.1 mm allowed" in note

    auto = bake_it(tmp_path, names, tolerance=1.01 * error, **options)
    assert auto.pixel == "float16"
    (note,) = auto.notes
    assert f"move no point by more than {error:.2g} mm" in note


def test_auto_takes_floats_where_the_topology_changes(tmp_path):
    names = more_and_more()
    report = bake_it(tmp_path, names, profile="truevat", address="vertex-id", tolerance=1000.0)
    assert report.pixel == "float32"
    assert report.notes == [
        "The texture has 32-bit floats: the topology changes, so that nothing is near its rest "
        "position"
    ]
    assert report.to_json()["notes"] == report.notes


def test_what_moves_a_little_is_half_floats_by_default(tmp_path):
    obj = hard_edges()[0]
    bpy.data.objects[obj].animation_data_clear()
    obj = bpy.data.objects[obj]
    for frame in (1, 5):
        obj.location.x = 0.01 * frame
        obj.keyframe_insert("location", frame=frame)
    report = bake_it(tmp_path, [obj.name], profile="truevat")
    assert report.pixel == "float16"
    assert len(report.notes) == 1 and "16-bit floats" in report.notes[0]
