# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that modifiers deform, played back as Blender shows them."""

from __future__ import annotations

import bpy
import pytest

import scenes
from evaluated import bake_it, check, compare, go_to, read_frames


def test_an_armature_with_keyed_bones(tmp_path):
    rig = scenes.armature()
    scenes.skinned(scenes.grid(cells=8), rig)
    check(tmp_path, ["Grid"])


def test_an_armature_as_parent_that_moves_itself(tmp_path):
    rig = scenes.moving(scenes.armature())
    body = scenes.skinned(scenes.ball(), rig)
    body.parent = rig
    check(tmp_path, ["Ball"])


def test_shape_keys_with_drivers(tmp_path):
    obj = scenes.grid()
    obj.shape_key_add(name="Basis")
    for name, expression in (("Up", "(frame - 1) / 4"), ("Side", "1 - frame / 5")):
        key = obj.shape_key_add(name=name, from_mix=False)
        for i, point in enumerate(key.data):
            point.co.z += 0.1 * (i % 5)
        scenes.driven(key, "value", expression)
    check(tmp_path, ["Grid"])


def test_subdivision_after_a_deformation(tmp_path):
    obj = scenes.wave(scenes.grid())
    obj.modifiers.new("Subdivision", "SUBSURF").levels = 2
    frames = check(tmp_path, ["Grid"])
    assert len(frames[0].faces["Grid"]) == len(obj.data.polygons) * 16


def test_sharp_edges_have_two_normals(tmp_path):
    obj = scenes.moving(scenes.wave(scenes.grid()))
    for edge in list(obj.data.edges)[::3]:
        edge.use_edge_sharp = True
    check(tmp_path, ["Grid"])
    assert obj.data.normals_domain == "CORNER"


def test_custom_normals(tmp_path):
    obj = scenes.moving(scenes.grid())
    tilted = [(0.3 * (i % 2), 0.2, 1) for i in range(len(obj.data.loops))]
    obj.data.normals_split_custom_set(tilted)
    check(tmp_path, ["Grid"])


@pytest.mark.parametrize("normals", ["vertex", "face"])
def test_normals_on_request(tmp_path, normals):
    obj = scenes.wave(scenes.cube(size=1))
    obj.modifiers.new("Simple", "SUBSURF").subdivision_type = "SIMPLE"
    report = bake_it(tmp_path, ["Cube"], normals=normals)
    # What was asked for, in a scene that has no other normals.
    if normals == "vertex":
        obj.data.shade_smooth()
    else:
        obj.data.shade_flat()
    compare(report, read_frames(["Cube"], range(1, 6)), "uv")


def flips_from_smooth_to_sharp(obj: bpy.types.Object) -> None:
    """Sharp edges that Smooth by Angle would find, made by nodes from frame 3 on."""

    def make(tree, geometry):
        late = scenes.node(tree, "FunctionNodeCompare", {"A": scenes.frame_socket(tree), "B": 2.5})
        sharp = scenes.node(
            tree,
            "GeometryNodeStoreNamedAttribute",
            {"Geometry": geometry, "Name": "sharp_edge", "Value": True},
            data_type="BOOLEAN",
            domain="EDGE",
        )
        switch = scenes.node(
            tree,
            "GeometryNodeSwitch",
            {"Switch": late.outputs[0], "False": geometry, "True": sharp.outputs[0]},
            input_type="GEOMETRY",
        )
        return switch.outputs[0]

    scenes.geometry_nodes(obj, make)


def test_normals_whose_domain_changes(tmp_path):
    obj = scenes.wave(scenes.grid())
    flips_from_smooth_to_sharp(obj)
    domains = []
    for frame in (1, 5):
        go_to(frame)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        domains.append(obj.evaluated_get(depsgraph).data.normals_domain)
    assert domains[0] == "POINT" and domains[1] != "POINT"
    check(tmp_path, ["Grid"])


def test_two_users_of_a_mesh_with_different_modifiers(tmp_path):
    first = scenes.wave(scenes.grid("First"))
    second = scenes.link("Second", first.data)
    scenes.moving(second)
    second.modifiers.new("Array", "ARRAY").count = 3
    third = scenes.link("Third", first.data)
    third.location = (0, 3, 0)
    check(tmp_path, ["First", "Second", "Third"])


def test_a_modifier_that_is_off_in_the_viewport_is_not_baked(tmp_path):
    obj = scenes.wave(scenes.grid())
    off = obj.modifiers.new("Array", "ARRAY")
    off.show_viewport = False
    frames = check(tmp_path, ["Grid"])
    assert len(frames[0].faces["Grid"]) == len(obj.data.polygons)


def test_ngons_and_triangles_beside_quads(tmp_path):
    obj = scenes.wave(scenes.ball())
    decimate = obj.modifiers.new("Planar", "DECIMATE")
    decimate.decimate_type = "DISSOLVE"
    obj.modifiers.move(1, 0)
    check(tmp_path, ["Ball"])
