# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects are baked, and in which order."""

from __future__ import annotations

import bpy
import pytest
from truevat.core.errors import BakeError

import scenes
from evaluated import bake_it, check, compare, read_frames


def two_cubes():
    return [scenes.moving(scenes.cube(name)) for name in ("B", "A")]


@pytest.mark.parametrize("names", [("B", "A"), ("A", "B")])
def test_named_objects_keep_the_order_of_their_names_in_the_list(tmp_path, names):
    two_cubes()
    scenes.cube("C")
    check(tmp_path, names)
    assert bake_it(tmp_path, names).files["texture"].name == f"{names[0]}_pos.exr"


def test_an_object_named_twice_is_baked_once(tmp_path):
    two_cubes()
    assert bake_it(tmp_path, ["A", "B", "A"]).objects == ["A", "B"]


def test_the_selection_is_baked_by_name_and_without_what_has_no_mesh(tmp_path):
    lamp = scenes.link("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    scenes.select(*two_cubes(), scenes.text(), lamp)
    scenes.cube("Not selected")
    assert bake_it(tmp_path, (), (1, 2)).objects == ["A", "B", "Text"]


def test_a_collection_is_baked_with_those_inside_it(tmp_path):
    outer = scenes.collection("Outer", bpy.context.scene.collection)
    inner = scenes.collection("Inner", outer)
    scenes.moving(scenes.cube("Z", collection=outer))
    scenes.moving(scenes.cube("Y", collection=inner))
    scenes.link("Camera", bpy.data.cameras.new("Camera"), outer)
    scenes.cube("Elsewhere")
    assert bake_it(tmp_path, (), collection="Outer").objects == ["Y", "Z"]
    assert bake_it(tmp_path, (), collection="Inner").objects == ["Y"]


def test_the_playback_objects_of_an_earlier_bake_are_left_out(tmp_path):
    two_cubes()
    shown = scenes.collection("Shown", bpy.context.scene.collection)
    for obj in list(bpy.context.scene.collection.objects):
        shown.objects.link(obj)
    for how in ({}, {"collection": "Shown"}):
        bake_it(tmp_path, ["A", "B"])
        for obj in bpy.context.scene.objects:
            obj.select_set(True)
            if obj.name not in shown.objects:
                shown.objects.link(obj)
        assert bake_it(tmp_path, (), **how).objects == ["A", "B"]


def test_named_objects_win_over_the_selection(tmp_path):
    _, other = two_cubes()
    scenes.select(other)
    assert bake_it(tmp_path, ["B"]).objects == ["B"]


def test_an_object_of_another_scene_is_refused_with_a_word(tmp_path):
    other = bpy.data.scenes.new("Other")
    scenes.cube("Far", collection=other.collection)
    with pytest.raises(BakeError, match="'Far' is in the scene 'Other', not in 'Scene'"):
        bake_it(tmp_path, ["Far"])


def test_an_object_that_was_made_a_moment_ago_is_found(tmp_path):
    scenes.cube("New")
    assert bake_it(tmp_path, ["New"], (1, 1)).objects == ["New"]


@pytest.mark.parametrize("hide", ["object", "collection"])
def test_what_is_hidden_with_the_eye_is_baked(tmp_path, hide):
    hidden = scenes.collection("Hidden", bpy.context.scene.collection)
    obj = scenes.moving(scenes.wave(scenes.grid(collection=hidden)))
    bpy.context.view_layer.update()
    layer = bpy.context.view_layer.layer_collection.children["Hidden"]
    if hide == "object":
        obj.hide_set(True)
    else:
        layer.hide_viewport = True
    bpy.context.view_layer.update()
    assert not obj.visible_get()
    report = bake_it(tmp_path, ["Grid"])
    obj.hide_set(False)
    layer.hide_viewport = False
    compare(report, read_frames(["Grid"], range(1, 6)), "uv")
