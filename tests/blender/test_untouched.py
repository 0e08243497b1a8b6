# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""However a bake ends, the scene and the folder are as they were before."""

from __future__ import annotations

import bpy
import pytest
from truevat.blender import bake as bake_module
from truevat.blender.bake import steps
from truevat.core.errors import BakeError

import scenes
from evaluated import bake_it, go_to, settings

NAMES = ("Skin", "Text", "Show", "Cube")


class Stop(Exception):
    """Not one that the product knows."""


def make_scene() -> None:
    scenes.skinned(scenes.grid("Skin", 4), scenes.armature())
    scenes.moving(scenes.text())
    parts = scenes.collection("Parts")
    scenes.wave(scenes.ball("Part", collection=parts))
    scenes.instance_of("Show", parts)
    cube = scenes.cube()
    cube.data.materials.append(bpy.data.materials.new("Red"))
    subdivision = cube.modifiers.new("Sub", "SUBSURF")
    subdivision.levels, subdivision.render_levels = 1, 2
    scenes.driven(cube, "location", "frame", index=0)
    scenes.select(bpy.data.objects["Skin"], bpy.data.objects["Text"], active=cube)
    other = bpy.data.scenes.new("Other")
    scenes.cube("Elsewhere", collection=other.collection)
    go_to(7.25)


def state() -> dict:
    """All that a bake must leave alone; what it makes is left out."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    names = {
        prop.identifier: sorted(
            data.name_full
            for data in getattr(bpy.data, prop.identifier)
            if "truevat_playback" not in data
        )
        for prop in bpy.data.bl_rna.properties
        if prop.type == "COLLECTION"
    }
    objects = {
        obj.name: (
            tuple(map(tuple, obj.matrix_world)),
            obj.mode,
            obj.select_get() if obj.name in layer.objects else None,
            obj.data and obj.data.name,
            [(modifier.name, modifier.show_viewport) for modifier in obj.modifiers],
        )
        for obj in bpy.data.objects
        if "truevat_playback" not in obj
    }
    meshes = {
        mesh.name: (
            [tuple(vertex.co) for vertex in mesh.vertices],
            [tuple(polygon.vertices) for polygon in mesh.polygons],
            [layer.name for layer in mesh.uv_layers],
            sorted(attribute.name for attribute in mesh.attributes),
            [material and material.name for material in mesh.materials],
        )
        for mesh in bpy.data.meshes
        if "truevat_playback" not in mesh
    }
    return {
        "names": names,
        "objects": objects,
        "meshes": meshes,
        "frame": scene.frame_current_final,
        "range": (scene.frame_start, scene.frame_end, scene.frame_step),
        "active": layer.objects.active,
        "scenes": [(w.scene.name, w.view_layer.name) for w in bpy.context.window_manager.windows],
        "scene": scene.name,
        "levels": bpy.data.objects["Cube"].modifiers["Sub"].levels,
    }


def assert_untouched(before: dict, folder=None) -> None:
    after = state()
    for key, value in before.items():
        assert after[key] == value, key
    if folder is not None:
        assert not list(folder.iterdir())
        assert not [data for data in bpy.data.objects if "truevat_playback" in data]
        assert not [data for data in bpy.data.meshes if "truevat_playback" in data]


each_profile = pytest.mark.parametrize("profile", ["truevat", "nekovat"])


@each_profile
@pytest.mark.parametrize("mesh", ["none", "fbx", "glb"])
@pytest.mark.parametrize("address", ["uv", "vertex-id"])
def test_a_bake_adds_its_playback_objects_and_nothing_else(tmp_path, mesh, address, profile):
    make_scene()
    before, selected = state(), list(bpy.context.selected_objects)
    options = {"mesh": mesh, "address": address, "profile": profile, "render_settings": True}
    bake_it(tmp_path, NAMES, **options)
    assert_untouched(before)
    assert bpy.context.selected_objects == selected
    made = {obj.name for obj in bpy.data.objects if "truevat_playback" in obj}
    each = {f"{name}_VAT" for name in NAMES} if address == "uv" else {"TriangleObject"}
    assert made == (each if profile == "nekovat" else {"Skin_VAT"})
    assert len([data for data in bpy.data.meshes if "truevat_playback" in data]) == len(made)
    names = {path.name for path in tmp_path.iterdir()}
    texture = "_pos.exr" if profile == "nekovat" else ".truevat.exr"
    suffixes = {texture, ".truevat.json"} | ({f".{mesh}"} - {".none"})
    assert names == {f"Skin{suffix}" for suffix in suffixes}


@pytest.mark.parametrize("time", [0, 1, 250, -3, 7.5, -0.25, -0.5, -2.75, 0.125, -10.0625, 1000.5])
def test_frame_and_sub_frame_come_back(tmp_path, time):
    scenes.moving(scenes.cube())
    go_to(time)
    scene = bpy.context.scene
    before = (scene.frame_current, scene.frame_subframe, scene.frame_current_final)
    assert before[2] == time
    bake_it(tmp_path, ["Cube"], (1, 3))
    assert (scene.frame_current, scene.frame_subframe, scene.frame_current_final) == before


@pytest.mark.parametrize("mode", ["POSE", "SCULPT", "VERTEX_PAINT", "WEIGHT_PAINT", "EDIT"])
def test_the_mode_of_the_active_object_is_kept(tmp_path, mode):
    """Edit Mode only of an object that is not baked."""
    make_scene()
    active = bpy.data.objects["Rig" if mode == "POSE" else "Cube"]
    bpy.context.view_layer.objects.active = active
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    bpy.ops.object.mode_set(mode=mode)
    assert active.mode == mode
    before = state()
    bake_it(tmp_path, ["Skin", "Text"] if mode == "EDIT" else NAMES, mesh="glb")
    assert_untouched(before)


def count_steps(folder, **options) -> int:
    return sum(1 for _ in steps(bpy.context, settings(folder, NAMES, (1, 3), **options)))


@each_profile
@pytest.mark.parametrize("address", ["uv", "vertex-id"])
def test_a_bake_that_is_cancelled_at_any_step_leaves_nothing(tmp_path, address, profile):
    options = {"mesh": "glb", "address": address, "render_settings": True}
    options |= {"profile": profile, "engines": ("unity", "godot", "web")}
    make_scene()
    (tmp_path / "count").mkdir()
    total = count_steps(tmp_path / "count", **options)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    make_scene()
    folder = tmp_path / "empty"
    folder.mkdir()
    before = state()
    assert total >= 5
    for stop in range(total):
        running = steps(bpy.context, settings(folder, NAMES, (1, 3), **options))
        for _ in range(stop + 1):
            next(running)
        running.close()
        assert_untouched(before, folder)


# What a bake calls, in its order; each may raise whatever it likes.
PLACES = [
    ("find_sources", 1),
    ("playback_conflicts", 1),
    ("timeline.set_frame", 1),
    ("timeline.set_frame", 3),
    ("Capture.first", 1),
    ("Capture.frame", 1),
    ("Capture.frame", 2),
    ("Baker.begin", 1),
    ("Baker.frame", 2),
    ("Baker.plan_steps", 1),
    ("Baker.write", 1),
    ("playback_objects", 2),
    ("export_mesh", 1),
    ("sidecar.write", 1),
    ("place_playback", 1),
    ("Workplace.commit", 1),
]


def break_at(monkeypatch, place: str, call: int) -> None:
    owner, name = bake_module, place
    if "." in place:
        inner, name = place.split(".")
        owner = getattr(bake_module, inner)
    original, calls = getattr(owner, name), []

    def breaking(*args, **kwargs):
        calls.append(name)
        if len(calls) == call:
            raise Stop(place)
        return original(*args, **kwargs)

    monkeypatch.setattr(owner, name, breaking)


@each_profile
@pytest.mark.parametrize(("place", "call"), PLACES)
def test_a_bake_that_fails_anywhere_leaves_nothing(tmp_path, monkeypatch, place, call, profile):
    make_scene()
    before = state()
    break_at(monkeypatch, place, call)
    with pytest.raises(Stop):
        bake_it(tmp_path, NAMES, (1, 3), mesh="fbx", profile=profile, render_settings=True)
    assert_untouched(before, tmp_path)


@each_profile
@pytest.mark.parametrize("place", ["Baker.write", "export_mesh", "place_playback", "sidecar.write"])
def test_a_failed_bake_keeps_the_files_and_objects_of_the_last(
    tmp_path, monkeypatch, place, profile
):
    make_scene()
    options = {"mesh": "fbx", "profile": profile, "engines": ("unity", "godot")}
    bake_it(tmp_path, NAMES, (1, 3), **options)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    meshes = {obj.name: obj.data.name for obj in bpy.data.objects if "truevat_playback" in obj}
    marks = {
        obj.name: obj["truevat_playback"] for obj in bpy.data.objects if "truevat_playback" in obj
    }
    before = state()
    break_at(monkeypatch, place, 1)
    with pytest.raises(Stop):
        bake_it(tmp_path, NAMES, (1, 4), **options)
    assert_untouched(before)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
    assert {
        obj.name: obj.data.name for obj in bpy.data.objects if "truevat_playback" in obj
    } == meshes
    for name, mark in marks.items():
        assert bpy.data.objects[name]["truevat_playback"] == mark


def test_a_folder_that_the_bake_made_goes_with_it(tmp_path):
    scenes.cube("Grow").modifiers.new("Build", "BUILD").frame_start = 0
    with pytest.raises(BakeError):
        bake_it(tmp_path / "made", ["Grow"], (50, 80))
    assert not (tmp_path / "made").exists()


@each_profile
def test_a_second_bake_piles_nothing_up(tmp_path, profile):
    make_scene()
    bake_it(tmp_path, NAMES, mesh="fbx", profile=profile)
    names = {
        prop: sorted(d.name for d in getattr(bpy.data, prop)) for prop in ("objects", "meshes")
    }
    bake_it(tmp_path, NAMES, mesh="fbx", profile=profile)
    for prop, known in names.items():
        assert sorted(data.name for data in getattr(bpy.data, prop)) == known


def test_import_settings_that_an_engine_refers_to_stay_as_they_are(tmp_path):
    """Unity's .meta files hold the GUIDs by which a project knows its files."""
    scenes.moving(scenes.cube())
    options = {"mesh": "auto", "profile": "truevat", "engines": ("unity", "godot")}
    first = bake_it(tmp_path, ["Cube"], **options)
    mine = [path for path in tmp_path.iterdir() if path.suffix in (".meta", ".import")]
    assert len(mine) == 4 and set(mine) <= set(first.files.values())
    for path in mine:
        path.write_text(f"mine: {path.name}")
    second = bake_it(tmp_path, ["Cube"], (1, 4), **options)
    assert second.bake_id != first.bake_id
    assert [path.read_text() for path in mine] == [f"mine: {path.name}" for path in mine]
    assert not set(mine) & set(second.files.values())


def test_import_settings_of_another_pixel_type_are_told(tmp_path):
    """They stay, but the user has to know: as half floats, floats would lose their precision."""
    scenes.moving(scenes.cube())
    options = {"profile": "truevat", "engines": ("unity", "godot")}
    meta = tmp_path / "Cube.truevat.exr.meta"
    for pixel in ("float", "half"):  # which floats hold just as well
        assert not bake_it(tmp_path, ["Cube"], pixel=pixel, **options).warnings
    meta.unlink()
    assert not bake_it(tmp_path, ["Cube"], pixel="half", **options).warnings
    before = meta.read_text()
    (warning,) = bake_it(tmp_path, ["Cube"], pixel="float", **options).warnings
    assert warning.startswith("Cube.truevat.exr.meta was kept, since Unity refers to it")
    assert meta.read_text() == before
