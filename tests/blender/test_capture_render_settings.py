# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Viewport settings by default, with a word where the render's differ; or the render's."""

from __future__ import annotations

import bpy
import pytest
from truevat.core.errors import BakeError

import scenes
from evaluated import bake_it, compare, read_frames


def subdivision():
    modifier = scenes.wave(scenes.grid("Thing", 2)).modifiers.new("Sub", "SUBSURF")
    modifier.levels, modifier.render_levels = 1, 2
    return modifier, {"levels": 2}


def visibility():
    obj = scenes.wave(scenes.grid("Thing", 2))
    modifier = obj.modifiers.new("Array", "ARRAY")
    modifier.show_viewport, modifier.show_render = False, True
    return modifier, {"show_viewport": True}


def hidden_in_render():
    obj = scenes.wave(scenes.grid("Thing", 2))
    modifier = obj.modifiers.new("Array", "ARRAY")
    modifier.show_viewport, modifier.show_render = True, False
    return modifier, {"show_viewport": False}


def screw():
    obj = scenes.moving(scenes.grid("Thing", 1))
    modifier = obj.modifiers.new("Screw", "SCREW")
    modifier.steps, modifier.render_steps = 3, 7
    return modifier, {"steps": 7}


def curve_resolution():
    obj = scenes.moving(scenes.curve_object("Thing"))
    obj.data.resolution_u, obj.data.render_resolution_u = 2, 6
    return obj.data, {"resolution_u": 6}


def metaball_resolution():
    obj = scenes.moving(scenes.metaball("Thing"))
    obj.data.resolution, obj.data.render_resolution = 0.8, 0.5
    return obj.data, {"resolution": 0.5}


def particle_children():
    leaf = scenes.wave(scenes.grid("Leaf", 1))
    obj = scenes.grid("Thing", 2)
    settings = obj.modifiers.new("Hair", "PARTICLE_SYSTEM").particle_system.settings
    settings.type, settings.count, settings.child_type = "HAIR", 6, "INTERPOLATED"
    settings.render_type, settings.instance_object = "OBJECT", leaf
    settings.child_percent, settings.rendered_child_count = 1, 4
    return settings, {"child_percent": 4}


def particle_percentage():
    leaf = scenes.wave(scenes.grid("Leaf", 1))
    obj = scenes.grid("Thing", 2)
    settings = obj.modifiers.new("Hair", "PARTICLE_SYSTEM").particle_system.settings
    settings.type, settings.count = "HAIR", 40
    settings.render_type, settings.instance_object = "OBJECT", leaf
    settings.display_percentage = 25
    return settings, {"display_percentage": 100}


CASES = [
    subdivision,
    visibility,
    hidden_in_render,
    screw,
    curve_resolution,
    metaball_resolution,
    particle_children,
    particle_percentage,
]


@pytest.mark.parametrize("make", CASES)
def test_the_render_settings_are_baked_when_asked_for_and_put_back(tmp_path, make):
    owner, values = make()
    before = {name: getattr(owner, name) for name in values}
    bpy.context.view_layer.update()
    shown = read_frames(["Thing"], range(1, 4))

    report = bake_it(tmp_path, ["Thing"], (1, 3), address="vertex-id", render_settings=True)
    assert {name: getattr(owner, name) for name in values} == before
    assert not report.warnings
    again = read_frames(["Thing"], range(1, 4))
    assert len(again[0].triangles) == len(shown[0].triangles)

    for name, value in values.items():
        setattr(owner, name, value)
    bpy.context.view_layer.update()
    rendered = read_frames(["Thing"], range(1, 4))
    assert len(rendered[0].triangles) != len(shown[0].triangles)
    compare(report, rendered, "vertex-id")


@pytest.mark.parametrize("make", CASES)
def test_a_difference_is_reported_with_object_owner_and_property(tmp_path, make):
    owner, (name, *_) = make()
    bpy.context.view_layer.update()
    shown = read_frames(["Thing"], range(1, 4))
    report = bake_it(tmp_path, ["Thing"], (1, 3), address="vertex-id")
    compare(report, shown, "vertex-id")
    (warning,) = report.warnings
    assert "object 'Thing'" in warning and name in warning and "--render-settings" in warning
    if isinstance(owner, bpy.types.Modifier):
        assert f"modifier '{owner.name}'" in warning


def test_equal_settings_are_not_worth_a_word(tmp_path):
    obj = scenes.wave(scenes.grid("Thing", 2))
    modifier = obj.modifiers.new("Sub", "SUBSURF")
    modifier.levels = modifier.render_levels = 1
    assert not bake_it(tmp_path, ["Thing"]).warnings


def test_render_settings_are_put_back_when_a_bake_fails(tmp_path):
    obj = scenes.grid("Thing", 2)
    modifier = obj.modifiers.new("Sub", "SUBSURF")
    modifier.levels, modifier.render_levels = 1, 2
    build = obj.modifiers.new("Build", "BUILD")
    build.frame_start, build.frame_duration = 0, 6
    with pytest.raises(BakeError, match="BUILD"):
        bake_it(tmp_path, ["Thing"], render_settings=True)
    assert modifier.levels == 1


def test_what_a_collection_instance_shows_is_compared_too(tmp_path):
    inner = scenes.collection("Inner")
    modifier = scenes.cube("Leaf", collection=inner).modifiers.new("Sub", "SUBSURF")
    modifier.levels, modifier.render_levels = 1, 2
    outer = scenes.collection("Outer")
    scenes.instance_of("Nested", inner, outer)
    scenes.moving(scenes.instance_of("Show", outer))
    (warning,) = bake_it(tmp_path, ["Show"]).warnings
    assert "object 'Leaf', modifier 'Sub', levels" in warning
    report = bake_it(tmp_path, ["Show"], render_settings=True)
    assert report.samples == 6 * 4**2 * 4
    assert modifier.levels == 1


def test_linked_objects_are_baked_with_render_settings_and_put_back(tmp_path):
    library = tmp_path / "library.blend"
    modifier = scenes.moving(scenes.cube("Linked")).modifiers.new("Sub", "SUBSURF")
    modifier.levels, modifier.render_levels = 1, 2
    bpy.ops.wm.save_as_mainfile(filepath=str(library), copy=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(library), link=True) as (_, to):
        to.objects = ["Linked"]
    bpy.context.scene.collection.objects.link(to.objects[0])
    report = bake_it(tmp_path, ["Linked"], render_settings=True)
    assert report.samples == 6 * 4**2 * 4
    assert to.objects[0].modifiers[0].levels == 1
