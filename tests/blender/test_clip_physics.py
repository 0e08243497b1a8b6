# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips of actions that drive simulations."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from truevat.blender import timeline
from truevat.core.clip_text import parse_clips

import scenes
from animations import (
    assert_moves,
    assert_same,
    clips_of,
    everything,
    play,
    shape,
    shapes,
    walker,
)
from evaluated import bake_it, go_to


def cloth(skin: bpy.types.Object) -> None:
    pins = skin.vertex_groups.new(name="Pins")
    pins.add([0, 5, 12], 1, "REPLACE")
    settings = skin.modifiers.new("Cloth", "CLOTH").settings
    settings.quality, settings.vertex_group_mass = 2, "Pins"


def soft_body(skin: bpy.types.Object) -> None:
    skin.modifiers.new("Soft", "SOFT_BODY")
    skin.soft_body.goal_default = 0.7


def particles(skin: bpy.types.Object) -> None:
    settings = skin.modifiers.new("Particles", "PARTICLE_SYSTEM").particle_system.settings
    settings.count, settings.frame_start, settings.frame_end = 8, 1, 4
    bpy.data.objects["Other"].modifiers.new("Copies", "PARTICLE_INSTANCE").object = skin


def rigid_body(skin: bpy.types.Object) -> None:
    """Falls on the skin as it is in each frame."""
    bpy.data.objects["Other"].location = (0.4, 0.1, 0.4)
    bpy.ops.rigidbody.world_add()
    for obj, kind in ((bpy.data.objects["Other"], "ACTIVE"), (skin, "PASSIVE")):
        bpy.context.view_layer.objects.active = obj
        bpy.ops.rigidbody.object_add(type=kind)
    body = skin.rigid_body
    body.collision_shape, body.mesh_source = "MESH", "DEFORM"
    body.kinematic = body.use_deform = True


def simulation_zone(skin: bpy.types.Object) -> None:
    """Keeps the shape of the first frame, and drifts."""

    def make(tree, geometry):
        before = tree.nodes.new("GeometryNodeSimulationInput")
        after = tree.nodes.new("GeometryNodeSimulationOutput")
        before.pair_with_output(after)
        tree.links.new(geometry, before.inputs[0])
        tree.links.new(scenes.shifted(tree, before.outputs[1]), after.inputs["Geometry"])
        return after.outputs["Geometry"]

    scenes.geometry_nodes(skin, make)


@pytest.mark.parametrize("make", [cloth, soft_body, rigid_body, particles, simulation_zone])
def test_each_clip_is_simulated_as_if_it_were_the_only_one(make):
    def fresh() -> tuple[list[bpy.types.Object], bpy.types.Object]:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        skin, rig = walker()
        other = scenes.cube("Other", 0.3)
        make(skin)
        return [skin, other], rig

    expected = {}
    for name, times in (("Walk", range(1, 6)), ("Run", range(11, 18))):
        sources, rig = fresh()
        for bone in ("Bone0", "Bone1", "Bone2"):  # what evaluated Walk on the way here
            rig.pose.bones[bone].rotation_euler = (0, 0, 0)
        play(rig, bpy.data.actions[name])
        expected[name] = shapes(sources, range(1, times[-1] + 1))[[time - 1 for time in times]]
        assert_moves(expected[name])
    sources, _ = fresh()
    go_to(4)
    found = clips_of("actions:Walk,Run,Walk=Again", *sources)
    scene, before = bpy.context.scene, everything()
    for clip in found.clips:
        with timeline.frame_restored(scene), found.alone(clip):
            start = timeline.simulation_start(scene, bpy.context.evaluated_depsgraph_get())
            assert start == 1
            shown = []
            for time, baked in timeline.schedule(clip.times, start):
                timeline.set_frame(scene, time)
                if baked:
                    shown.append(shape(*sources))
        name = "Walk" if clip.name == "Again" else clip.name
        np.testing.assert_array_equal(shown, expected[name])
        assert_same(before)


def test_a_cache_that_the_user_baked_is_told(tmp_path):
    """It plays the same in every clip."""
    skin, _ = walker()
    cloth(skin)
    words = parse_clips("actions:Walk,Run")
    assert not bake_it(tmp_path, [skin.name], None, clips=words, profile="truevat").warnings
    cache = skin.modifiers["Cloth"].point_cache
    cache.frame_end = 5
    with bpy.context.temp_override(point_cache=cache, object=skin):
        bpy.ops.ptcache.bake(bake=True)
    assert cache.is_baked
    (warning,) = bake_it(tmp_path, [skin.name], None, clips=words, profile="truevat").warnings
    assert warning.startswith(f"The baked cache of '{skin.name}' (Cloth) plays the same in every")
