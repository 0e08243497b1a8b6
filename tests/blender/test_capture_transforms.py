# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever moves an object as a whole is in its positions and normals."""

from __future__ import annotations

from pathlib import Path

import bpy
import mathutils
import numpy as np
import pytest

import scenes
from decoding import Texture
from evaluated import bake_it, check, compare_corners, go_to, read_corners, read_frames


def test_keys(tmp_path):
    scenes.moving(scenes.ball())
    check(tmp_path, ["Ball"])


def test_constraints(tmp_path):
    leader = scenes.moving(scenes.link("Leader", None))
    obj = scenes.ball()
    obj.location = (3, 1, 0)
    follow = obj.constraints.new("CHILD_OF")
    follow.target = leader
    track = obj.constraints.new("DAMPED_TRACK")
    track.target, track.track_axis = leader, "TRACK_X"
    check(tmp_path, ["Ball"])


def test_a_rotated_parent_with_an_inverse(tmp_path):
    parent = scenes.moving(scenes.link("Parent", None))
    parent.scale = (1, 2, 0.5)
    go_to(3)
    child = scenes.ball()
    child.location, child.rotation_euler = (1, 2, 3), (0.3, 0.2, 0.1)
    child.parent = parent
    child.matrix_parent_inverse = parent.matrix_world.inverted()
    check(tmp_path, ["Ball"])


def test_a_child_of_a_vertex_and_of_a_bone(tmp_path):
    rig, ground = scenes.armature(), scenes.wave(scenes.grid())
    on_vertex = scenes.cube("On vertex", 0.5)
    on_vertex.parent, on_vertex.parent_type = ground, "VERTEX"
    on_vertex.parent_vertices[0] = 12
    on_bone = scenes.cube("On bone", 0.5)
    on_bone.parent, on_bone.parent_type, on_bone.parent_bone = rig, "BONE", "Bone2"
    check(tmp_path, ["On vertex", "On bone"])


def test_drivers_and_delta_transforms(tmp_path):
    obj = scenes.ball()
    scenes.driven(obj, "location", "frame / 3", index=1)
    scenes.driven(obj, "rotation_euler", "sin(frame)", index=2)
    obj.delta_location, obj.delta_scale = (0.5, 0, 1), (1, 1.5, 1)
    check(tmp_path, ["Ball"])


@pytest.mark.parametrize("make", [scenes.ball, scenes.cube])
@pytest.mark.parametrize(
    "scale",
    [(-1, 1, 1), (-1, -1, 1), (-2, -0.5, -1), (0.1, 3, 1), (1, 1, 0), (0, 0, 0), (1e-4, 2e-4, 1)],
)
def test_scale(tmp_path, make, scale):
    obj = scenes.moving(make("Thing"))
    obj.scale = scale
    check(tmp_path, ["Thing"])


def test_a_scale_that_passes_through_zero(tmp_path):
    obj = scenes.moving(scenes.ball())
    scenes.driven(obj, "scale", "3 - frame", index=0)
    report = bake_it(tmp_path, ["Ball"])
    texture = Texture(report.files["texture"])
    made = bpy.data.objects["Ball_VAT"]
    uv = np.array([item.vector for item in made.data.uv_layers["VertexUV"].uv])
    determinants = []
    for k in range(5):
        go_to(1 + k)
        determinants.append(obj.matrix_world.determinant())
        # The corners stay those of the first frame, though they turn inside out.
        corners = read_corners(obj.data, obj.matrix_world)
        compare_corners(*texture.by_uv(uv, k), corners, np.float32(made.location))
    assert determinants[0] > 0 == determinants[2] > determinants[4]


def test_an_animated_uneven_scale(tmp_path):
    obj = scenes.moving(scenes.ball())
    scenes.keyed(obj, "scale", (1, (1, 1, 1)), (5, (0.2, 3, 1)))
    check(tmp_path, ["Ball"])


def test_shear(tmp_path):
    parent = scenes.link("Parent", None)
    parent.scale = (1, 3, 1)
    child = scenes.moving(scenes.ball())
    child.parent = parent
    check(tmp_path, ["Ball"])


def test_the_origin_is_where_the_first_baked_frame_has_the_object(tmp_path):
    obj = scenes.moving(scenes.cube())
    go_to(3)
    origin = tuple(obj.matrix_world.translation)
    check(tmp_path, ["Cube"], (3, 5))
    made = bpy.data.objects["Cube_VAT"]
    assert tuple(made.location) == origin
    assert made.matrix_basis == mathutils.Matrix.Translation(origin)


def test_positions_are_in_metres(tmp_path):
    scenes.moving(scenes.ball())
    metres = read_frames(["Ball"], range(1, 6))
    bpy.context.scene.unit_settings.scale_length = 0.5  # exact in float32
    report = bake_it(tmp_path, ["Ball"], address="vertex-id")
    texture = Texture(report.files["texture"])
    for k, frame in enumerate(metres):
        positions, _ = texture.by_id(len(frame.triangles), k)
        expected = np.float32([corner.position for corner in frame.triangles]) / 2
        np.testing.assert_array_equal(positions, expected)


def save_library(path: Path) -> None:
    scenes.wave(scenes.moving(scenes.ball("Linked")))
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)


def test_a_linked_object(tmp_path):
    library = tmp_path / "library.blend"
    save_library(library)
    with bpy.data.libraries.load(str(library), link=True) as (_, to):
        to.objects = ["Linked"]
    bpy.context.scene.collection.objects.link(to.objects[0])
    assert to.objects[0].library
    check(tmp_path, ["Linked"])


def test_a_linked_collection_that_is_instanced(tmp_path):
    library = tmp_path / "library.blend"
    parts = scenes.collection("Parts", bpy.context.scene.collection)
    scenes.moving(scenes.ball(collection=parts))
    bpy.ops.wm.save_as_mainfile(filepath=str(library), copy=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(library), link=True) as (_, to):
        to.collections = ["Parts"]
    scenes.moving(scenes.instance_of("Show", to.collections[0]))
    check(tmp_path, ["Show"])
