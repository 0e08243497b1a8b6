# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot be baked ends with a message that names it and says what to do."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from truevat.blender.bake import bake
from truevat.core.errors import BakeError

import scenes
from evaluated import bake_it, go_to, settings
from test_capture_caches import positions, write_pc2


def refused(folder: Path, *args, **options) -> str:
    """The message of a bake that must fail; nothing is written."""
    before = sorted(folder.iterdir())
    with pytest.raises(BakeError) as error:
        bake_it(folder, *args, **options)
    assert sorted(folder.iterdir()) == before
    return str(error.value)


def test_nothing_selected(tmp_path):
    scenes.cube()
    text = refused(tmp_path)
    assert "Nothing to bake is selected" in text and "select objects" in text


def test_only_a_lamp_selected(tmp_path):
    scenes.select(scenes.link("Lamp", bpy.data.lights.new("Lamp", "POINT")))
    assert "Nothing to bake is selected" in refused(tmp_path)


def test_an_unknown_object(tmp_path):
    scenes.cube()
    text = refused(tmp_path, ["Cube", "Cubo"])
    assert "no object 'Cubo' in the scene 'Scene'" in text and "spelling" in text


@pytest.mark.parametrize("kind", ["camera", "empty"])
def test_an_object_that_has_no_mesh(tmp_path, kind):
    data = bpy.data.cameras.new("Thing") if kind == "camera" else None
    scenes.link("Thing", data)
    text = refused(tmp_path, ["Thing"])
    assert "'Thing' is of type " + kind.upper() in text and "name objects that have one" in text


def test_an_unknown_collection(tmp_path):
    assert "no collection 'Nope'" in refused(tmp_path, collection="Nope")


def test_a_collection_without_meshes(tmp_path):
    scenes.link("Empty", None, scenes.collection("Bare", bpy.context.scene.collection))
    assert "'Bare' has no object with a mesh" in refused(tmp_path, collection="Bare")


def test_a_collection_that_is_in_no_scene(tmp_path):
    scenes.cube("Lost", collection=scenes.collection("Island"))
    text = refused(tmp_path, collection="Island")
    assert "'Lost' is not in the scene 'Scene'" in text and "link its collection" in text


@pytest.mark.parametrize("address", ["uv", "vertex-id"])
@pytest.mark.parametrize("points", [0, 3])
def test_a_mesh_without_faces(tmp_path, address, points):
    mesh = bpy.data.meshes.new("Bare")
    mesh.from_pydata([(i, 0, 0) for i in range(points)], [], [])
    scenes.link("Bare", mesh)
    scenes.cube()
    for names in (["Bare"], ["Cube", "Bare"]):
        text = refused(tmp_path, names, address=address)
        assert "'Bare' shows no mesh" in text and "no faces" in text and "leave it out" in text


def test_edit_mode(tmp_path):
    scenes.select(scenes.cube())
    bpy.ops.object.mode_set(mode="EDIT")
    text = refused(tmp_path)
    assert "'Cube' is in Edit Mode" in text and "Tab" in text


def hide_object(obj, collection, layer):
    obj.hide_viewport = True


def hide_collection(obj, collection, layer):
    collection.hide_viewport = True


def exclude(obj, collection, layer):
    layer.exclude = True


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(
    ("hide", "words"),
    [
        (hide_object, ("disabled in viewports", "monitor icon")),
        (hide_collection, ("disabled in viewports", "collection", "monitor icon")),
        (exclude, ("collection that the view layer 'ViewLayer' excludes", "tick")),
    ],
)
def test_what_blender_does_not_evaluate(tmp_path, hide, words, named):
    hidden = scenes.collection("Hidden", bpy.context.scene.collection)
    obj = scenes.wave(scenes.grid(collection=hidden))
    bpy.context.view_layer.update()
    hide(obj, hidden, bpy.context.view_layer.layer_collection.children["Hidden"])
    text = refused(tmp_path, ["Grid"]) if named else refused(tmp_path, collection="Hidden")
    assert "'Grid'" in text
    for word in words:
        assert word in text


def test_an_instancer_hidden_with_the_eye(tmp_path):
    """Blender hands out nothing of what it shows."""
    parts = scenes.collection("Parts")
    scenes.cube(collection=parts)
    scenes.instance_of("Show", parts).hide_set(True)
    text = refused(tmp_path, ["Show"])
    assert "'Show' shows no mesh" in text and "hidden with the eye icon" in text


def test_eight_uv_maps(tmp_path):
    obj = scenes.cube()
    for i in range(8):
        obj.data.uv_layers.new(name=f"Map {i}")
    text = refused(tmp_path, ["Cube"])
    assert "'Cube' has 8 UV maps" in text and "Remove 'Map 7'" in text
    # By vertex ID only the active one is taken.
    bake_it(tmp_path, ["Cube"], address="vertex-id")


def test_what_the_first_frame_shows_is_refused_there(tmp_path):
    mesh = scenes.cube().data
    for i in range(8):
        mesh.uv_layers.new(name=f"Map {i}")
    seen = []
    with pytest.raises(BakeError, match="8 UV maps"):
        bake(bpy.context, settings(tmp_path, ["Cube"], (1, 100)), seen.append)
    assert not seen


@pytest.mark.parametrize("kind", ["UV map", "colour attribute"])
def test_a_name_clash_with_the_addresses(tmp_path, kind):
    mesh = scenes.cube().data
    if kind == "UV map":
        mesh.uv_layers.new(name="VertexUV")
    else:
        mesh.color_attributes.new("VertexUV", "FLOAT_COLOR", "POINT")
    text = refused(tmp_path, ["Cube"])
    assert f"'Cube' has a {kind} called 'VertexUV'" in text and "rename it" in text


@pytest.mark.parametrize(("address", "name"), [("uv", "Cube_VAT"), ("vertex-id", "TriangleObject")])
def test_an_object_of_the_user_has_the_playback_objects_name(tmp_path, address, name):
    scenes.cube()
    foreign = scenes.cube(name)
    text = refused(tmp_path, ["Cube"], address=address)
    assert f"'{name}'" in text and "not from a TrueVAT bake" in text and "rename it" in text
    assert foreign.name == name and len(foreign.data.vertices) == 8


def test_too_many_samples_for_the_texture(tmp_path):
    scenes.grid(cells=20)
    text = refused(tmp_path, ["Grid"], (1, 100), max_size=128, dedup="none")
    assert "1,600 samples x 100 frames do not fit into a texture of 128 x 128" in text
    assert "at most 9 frames" in text and "a max size of 512" in text


def test_too_many_frames_for_the_texture(tmp_path):
    scenes.cube()
    text = refused(tmp_path, ["Cube"], (1, 200), max_size=64)
    assert "200 frames do not fit into a texture of 64 x 64" in text and "max size of 256" in text


def nan_at(folder: Path, value: float) -> None:
    """A grid whose vertex 7 is not a number at frame 3."""
    obj = scenes.grid()
    moved = positions(obj, 5)
    moved[2, 7, 1] = value
    write_pc2(folder / "cache.pc2", moved)
    modifier = obj.modifiers.new("Cache", "MESH_CACHE")
    modifier.cache_format, modifier.filepath = "PC2", str(folder / "cache.pc2")
    modifier.frame_start = 1


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("address", ["uv", "vertex-id"])
def test_a_position_that_is_no_number(tmp_path, value, address):
    scenes.cube()
    nan_at(tmp_path, value)
    text = refused(tmp_path, ["Cube", "Grid"], address=address)
    assert "'Grid', frame 3: vertex 7" in text and "modifiers" in text
    bake_it(tmp_path, ["Cube", "Grid"], (1, 2), address=address)


def test_a_matrix_that_is_too_large(tmp_path):
    obj, parent = scenes.cube(), scenes.link("Parent", None)
    obj.parent, parent.scale = parent, (1e30, 1, 1)
    scenes.driven(obj, "scale", "1 + (frame > 2) * 1e30", index=0)
    assert "'Cube', frame 3: vertex 0" in refused(tmp_path, ["Cube"])


@pytest.mark.parametrize("name", ["", "a/b", "a\\b", "..", " a", "a.", "a:b", "x" * 201, "a\nb"])
def test_a_name_that_cannot_be_a_file(tmp_path, name):
    scenes.cube()
    text = refused(tmp_path, ["Cube"], name=name)
    assert "file" in text and (name[:40] in text)


@pytest.mark.parametrize("name", ["a/b:c", "...", " ", "x" * 50, "Würfel?"])
def test_any_objects_name_becomes_a_file_name(tmp_path, name):
    scenes.cube(name)
    report = bake_it(tmp_path, [name], (1, 2), mesh="glb")
    for path in report.files.values():
        assert path.parent == tmp_path and path.stat().st_size


def test_a_name_too_long_for_the_playback_object(tmp_path):
    longest = bpy.types.ID.bl_rna.properties["name"].length_max - 1
    scenes.cube("x" * longest)
    assert "shorter name" in refused(tmp_path, ["x" * longest])


def test_a_frame_range_that_is_empty(tmp_path):
    scenes.cube()
    assert "its end 3 is before its start 5" in refused(tmp_path, ["Cube"], (5, 3))
    assert "must be above 0" in refused(tmp_path, ["Cube"], (1, 3, 0))


def test_a_scene_that_is_not_at_fault_bakes_after_all_this(tmp_path):
    scenes.moving(scenes.cube())
    go_to(2)
    assert bake_it(tmp_path, ["Cube"]).frames == 5
