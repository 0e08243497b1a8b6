# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations: not cached before the bake, and right whatever frames are asked for."""

from __future__ import annotations

import bpy
import pytest

import scenes
from evaluated import bake_it, compare, read_frames


def cloth():
    obj = scenes.grid("Thing", 5)
    obj.modifiers.new("Cloth", "CLOTH").settings.quality = 2
    pins = obj.vertex_groups.new(name="Pins")
    pins.add([0, 5], 1, "REPLACE")
    obj.modifiers["Cloth"].settings.vertex_group_mass = "Pins"


def soft_body():
    obj = scenes.grid("Thing", 4)
    obj.modifiers.new("Soft", "SOFT_BODY")
    obj.soft_body.use_goal = False


def rigid_body():
    obj = scenes.cube("Thing")
    bpy.ops.rigidbody.world_add()
    bpy.context.view_layer.objects.active = obj
    bpy.ops.rigidbody.object_add()
    obj.rotation_euler = (0.1, 0.2, 0.3)


def simulation_zone():
    obj = scenes.grid("Thing", 3)

    def make(tree, geometry):
        before = tree.nodes.new("GeometryNodeSimulationInput")
        after = tree.nodes.new("GeometryNodeSimulationOutput")
        before.pair_with_output(after)
        tree.links.new(geometry, before.inputs[0])
        moved = scenes.shifted(tree, before.outputs[1])
        tree.links.new(moved, after.inputs["Geometry"])
        return after.outputs["Geometry"]

    scenes.geometry_nodes(obj, make)


def falling_particles():
    leaf = scenes.cube("Leaf", 0.2)
    obj = scenes.grid("Thing", 2)
    settings = obj.modifiers.new("Particles", "PARTICLE_SYSTEM").particle_system.settings
    settings.count, settings.frame_start, settings.frame_end = 8, 0, 0
    settings.lifetime, settings.render_type = 100, "OBJECT"
    settings.instance_object, settings.particle_size = leaf, 1.0
    settings.brownian_factor = 3.0


@pytest.mark.parametrize("make", [cloth, soft_body, rigid_body, simulation_zone, falling_particles])
@pytest.mark.parametrize(
    ("frames", "visited", "baked"),
    [
        ((1, 7), range(1, 8), range(1, 8)),
        ((1, 10, 3), range(1, 11), (1, 4, 7, 10)),
        ((6, 8), range(1, 9), (6, 7, 8)),
        ((3, 4.5, 0.75), (1, 2, 3, 3.75, 4, 4.5), (3, 3.75, 4.5)),
    ],
)
def test_what_lies_between_the_baked_frames_is_simulated(tmp_path, make, frames, visited, baked):
    def fresh():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        make()
        bpy.context.view_layer.update()
        # Blender's cloth and particles depend on where one stood before.
        bpy.context.scene.frame_set(9)

    fresh()
    by_time = dict(zip(visited, read_frames(["Thing"], list(visited)), strict=True))
    expected = [by_time[time] for time in baked]
    ends = [[corner.position for corner in frame.triangles] for frame in expected]
    assert ends[0] != ends[-1], "nothing is simulated"

    fresh()
    report = bake_it(tmp_path, ["Thing"], frames)
    compare(report, expected, "uv")
    assert bpy.context.scene.frame_current == 9


def test_a_simulation_that_only_a_collection_instance_shows(tmp_path):
    def fresh():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        cloth()
        parts = scenes.collection("Parts")
        obj = bpy.data.objects["Thing"]
        bpy.context.scene.collection.objects.unlink(obj)
        parts.objects.link(obj)
        scenes.instance_of("Show", parts)
        bpy.context.view_layer.update()

    fresh()
    expected = read_frames(["Show"], range(1, 11))[::3]
    fresh()
    report = bake_it(tmp_path, ["Show"], (1, 10, 3))
    compare(report, expected, "uv")
    assert expected[0].triangles[9].position != expected[-1].triangles[9].position
