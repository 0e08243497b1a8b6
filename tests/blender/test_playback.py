# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Playback objects in a scene, and what importers find in the files made of them."""

from __future__ import annotations

import json
import os
import struct
import sys
from dataclasses import replace
from pathlib import Path

import bpy

# isort: split
import addon_utils  # which can be found once bpy is there
import numpy as np
import pytest
from truevat.blender.export import check_export, export_mesh
from truevat.blender.playback import kept, make_object, place_playback, playback_conflicts
from truevat.core.errors import BakeError
from truevat.core.mesh import Color, MeshSnapshot, Topology
from truevat.core.playback import playback_mesh, triangle_mesh

# Blender's own importers
pytestmark = pytest.mark.filterwarnings("ignore:Setting the shape:DeprecationWarning")

LOCATION = (1.0, 2.0, 3.0)
BYTES = np.float32(np.arange(8 * 4).reshape(8, 4) * 8) / np.float32(255)


@pytest.fixture(autouse=True)
def cube_scene():
    bpy.ops.wm.read_factory_settings()
    bpy.data.materials.new("Red")
    yield
    # Blender 4.2 crashes at exit when the glTF exporter ran and is still registered
    addon_utils.disable("io_scene_gltf2")


def cube(uvs=(), *, mirrored=False, material="Red") -> MeshSnapshot:
    """A box of quads with uneven normals."""
    signs = np.float32([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    start = np.arange(0, 24, 4, dtype=np.int32)
    fans = [(a, a + i, a + i + 1) for a in start for i in (1, 2)]
    topology = Topology(
        points=8,
        corner_vert=np.int32(quads).ravel(),
        face_start=start,
        triangles=np.int32(fans),
        triangle_face=np.repeat(np.arange(6, dtype=np.int32), 2),
    )
    rng = np.random.default_rng(0)
    normals = signs[topology.corner_vert] + rng.normal(0, 0.1, (24, 3))
    matrix = np.eye(4, dtype=np.float32)
    matrix[:3, 3] = LOCATION
    matrix[0, 0] = -1 if mirrored else 1
    return MeshSnapshot(
        group=0,
        topology=topology,
        points=signs * np.float32([1, 2, 3]),
        normals=np.float32(normals / np.linalg.norm(normals, axis=1, keepdims=True)),
        matrix=matrix,
        material_index=np.int32([0, 0, 0, 1, 1, 1]),
        materials=(material, None),
        uv_maps={uv: np.float32(rng.integers(0, 1024, (24, 2)) / 1024) for uv in uvs},
        active_uv=uvs[0] if uvs else None,
        colors={"Col": Color("POINT", "BYTE_COLOR", BYTES)},
    )


def addresses(corners):
    """Texel centres of a 16 x 4 texture: exact, also after 1 - v."""
    i = np.arange(corners)
    return np.float32(np.stack([(i % 16 + 0.5) / 16, (i // 16 + 0.5) / 4], 1))


def playback(parts, **options):
    address = addresses(sum(part.topology.corners for part in parts))
    return playback_mesh("Foo_VAT", parts, address, np.float32(LOCATION), **options)


def everything():
    """The names of all datablocks, by collection."""
    return {
        prop.identifier: sorted(d.name_full for d in getattr(bpy.data, prop.identifier))
        for prop in bpy.data.bl_rna.properties
        if prop.type == "COLLECTION"
    }


def read(collection, field, width, dtype=np.float32):
    values = np.empty(len(collection) * width, dtype)
    collection.foreach_get(field, values)
    return values.reshape(-1, width)


def corner_rows(points, corner_vert, *uv_maps):
    """(corners, 3 + 2 n) sorted, so that the order of corners does not matter."""
    rows = np.column_stack([points[corner_vert], *uv_maps])
    return rows[np.lexsort(np.round(rows, 4).T)]


def imported_mesh(path: Path):
    """The one mesh object of a file, and its rows in world space."""
    before = set(bpy.data.objects)
    module, importer = {
        ".fbx": ("io_scene_fbx", lambda: bpy.ops.import_scene.fbx(filepath=str(path))),
        ".glb": ("io_scene_gltf2", lambda: bpy.ops.import_scene.gltf(filepath=str(path))),
    }[path.suffix]
    addon_utils.enable(module, default_set=True)
    importer()
    bpy.context.view_layer.update()
    (obj,) = (o for o in bpy.data.objects if o not in before and o.type == "MESH")
    matrix = np.array(obj.matrix_world)
    points = read(obj.data.vertices, "co", 3) @ matrix[:3, :3].T + matrix[:3, 3]
    corner_vert = read(obj.data.loops, "vertex_index", 1, np.int32)[:, 0]
    uv_maps = [read(layer.uv, "vector", 2) for layer in obj.data.uv_layers]
    return obj, points, corner_vert, uv_maps


@pytest.mark.parametrize("kind", ["fbx", "glb"])
@pytest.mark.parametrize("uvs", [(), ("A",), ("A", "B"), ("B", "A", "C")])
def test_importers_find_the_addresses_in_the_second_uv_map(tmp_path, kind, uvs):
    parts = [cube(uvs), cube(uvs, mirrored=True)]
    mesh = playback(parts, triangulate=True)
    path = tmp_path / f"foo.{kind}"
    export_mesh(path, [("Foo_VAT", mesh, LOCATION)], kind, "id")

    obj, points, corner_vert, uv_maps = imported_mesh(path)

    assert obj.name == "Foo_VAT"
    assert len(uv_maps) == max(2, len(uvs) + 1)
    np.testing.assert_allclose(
        corner_rows(points, corner_vert, *uv_maps),
        corner_rows(mesh.points + np.float32(LOCATION), mesh.corner_vert, *mesh.uv_maps.values()),
        rtol=0,
        atol=1e-5,
    )
    got = np.unique(uv_maps[1], axis=0)
    assert np.array_equal(got, np.unique(mesh.uv_maps["VertexUV"], axis=0))


@pytest.mark.parametrize("uvs", [(), ("A",), ("A", "B"), ("B", "A", "C")])
def test_fbx_layers_axes_and_units(tmp_path, uvs):
    mesh = playback([cube(uvs)])
    path = tmp_path / "foo.fbx"
    export_mesh(path, [("Foo_VAT", mesh, (0, 0, 0))], "fbx", "id")

    from io_scene_fbx import parse_fbx

    root, _ = parse_fbx.parse(str(path))
    elements = {element.id.decode(): element for element in root.elems}
    (geometry,) = (e for e in elements["Objects"].elems if e.id == b"Geometry")
    layers = [
        (element.props[0], next(e.props[0].decode() for e in element.elems if e.id == b"Name"))
        for element in geometry.elems
        if element.id == b"LayerElementUV"
    ]
    assert layers == list(enumerate(mesh.uv_maps))
    (vertices,) = (e.props[0] for e in geometry.elems if e.id == b"Vertices")
    x, y, z = mesh.points.astype(np.float64).T
    assert np.array_equal(np.reshape(vertices, (-1, 3)), np.stack([-x, z, y], 1))
    (properties,) = (e for e in elements["GlobalSettings"].elems if e.id == b"Properties70")
    settings = {p.props[0].decode(): p.props[-1] for p in properties.elems}
    assert settings["UnitScaleFactor"] == 100.0
    assert not any(e.id == b"AnimationStack" for e in elements["Objects"].elems)


def glb_json(path):
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length])


def test_glb_holds_the_bake_id_and_all_attributes(tmp_path):
    path = tmp_path / "foo.glb"
    export_mesh(path, [("Foo_VAT", playback([cube(("A", "B"))]), LOCATION)], "glb", "0123")
    content = glb_json(path)
    (node,) = content["nodes"]
    assert node["name"] == "Foo_VAT"
    assert node["extras"] == {"truevat_bake": "0123"}
    assert node["translation"] == [1, 3, -2]
    assert content["meshes"][0]["name"] == "Foo_VAT"
    assert [material["name"] for material in content["materials"]] == ["Red"]
    for primitive in content["meshes"][0]["primitives"]:
        assert {"NORMAL", "TEXCOORD_0", "TEXCOORD_1", "TEXCOORD_2"} < set(primitive["attributes"])
        assert any(name.startswith("COLOR_") for name in primitive["attributes"])
    assert "animations" not in content


def test_glb_is_the_same_each_time(tmp_path):
    contents = []
    for name in ("a.glb", "b.glb"):
        mesh = playback([cube(("A",))])
        export_mesh(tmp_path / name, [("Foo_VAT", mesh, LOCATION)], "glb", "id")
        contents.append((tmp_path / name).read_bytes())
        place_playback(bpy.context.scene, [("Foo_VAT", mesh, LOCATION)], "id")
    assert contents[0] == contents[1]


@pytest.mark.parametrize("kind", ["fbx", "glb"])
def test_normals_survive_the_file(tmp_path, kind):
    mesh = playback([cube()], triangulate=True)
    path = tmp_path / f"foo.{kind}"
    export_mesh(path, [("Foo_VAT", mesh, LOCATION)], kind, "id")
    obj, _, _, uv_maps = imported_mesh(path)
    rotation = np.array(obj.matrix_world.to_quaternion().to_matrix())
    normals = read(obj.data.corner_normals, "vector", 3) @ rotation.T
    by_address = {tuple(uv): n for uv, n in zip(uv_maps[1], normals, strict=True)}
    assert_within_degrees(
        mesh.normals, [by_address[tuple(uv)] for uv in mesh.uv_maps["VertexUV"]], 1
    )


def assert_within_degrees(actual, expected, degrees):
    cosines = np.clip(np.sum(np.float64(actual) * np.float64(expected), axis=1), -1, 1)
    assert np.degrees(np.arccos(cosines)).max() < degrees


@pytest.mark.parametrize("kind", ["fbx", "glb"])
def test_an_export_leaves_no_trace(tmp_path, kind):
    mesh = playback([cube(("A",))])
    old, *_ = place_playback(bpy.context.scene, [("Foo_VAT", mesh, (9, 9, 9))], "old")
    user = bpy.data.objects["Cube"]
    bpy.context.view_layer.objects.active = user
    user.select_set(True)
    bpy.context.scene.frame_set(7, subframe=0.5)
    bpy.ops.object.mode_set(mode="EDIT")
    before, window = everything(), bpy.context.window

    export_mesh(tmp_path / f"foo.{kind}", [("Foo_VAT", mesh, LOCATION)], kind, "id")

    assert everything() == before
    assert (old.name, old.data.name, tuple(old.location)) == ("Foo_VAT", "Foo_VAT", (9, 9, 9))
    assert window.scene.name == "Scene"
    assert bpy.context.view_layer.objects.active == user
    assert user.mode == "EDIT"
    assert (bpy.context.scene.frame_current, bpy.context.scene.frame_subframe) == (7, 0.5)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert [obj.name for obj in bpy.context.selected_objects] == ["Cube"]
    bpy.ops.wm.read_factory_settings()
    assert imported_mesh(tmp_path / f"foo.{kind}")[0].name == "Foo_VAT"


@pytest.mark.parametrize("kind", ["fbx", "glb"])
def test_a_failed_export_names_the_file_and_leaves_no_trace(tmp_path, kind):
    mesh = playback([cube(("A",))])
    place_playback(bpy.context.scene, [("Foo_VAT", mesh, LOCATION)], "old")
    path = tmp_path / f"folder.{kind}"
    path.mkdir()
    before = everything()
    with pytest.raises(BakeError, match=f"folder.{kind}': .*Error: .*Is a directory"):
        export_mesh(path, [("Foo_VAT", mesh, LOCATION)], kind, "id")
    assert everything() == before
    assert bpy.context.window.scene.name == "Scene"


@pytest.mark.skipif(sys.platform != "linux", reason="names are UTF-8 or UTF-16 elsewhere")
def test_a_blend_whose_name_is_not_utf8(tmp_path):
    """FBX files hold it. Nobody should learn that at the end of a bake."""
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / os.fsdecode(b"gr\xf6\xdfe.blend")))
    placements = [("Foo_VAT", playback([cube()], triangulate=True), LOCATION)]
    with pytest.raises(BakeError, match=r"gr\\udcf6.*not UTF-8; rename the .blend"):
        check_export("fbx")
    for kind in ("glb", "none"):
        check_export(kind)
    export_mesh(tmp_path / "foo.glb", placements, "glb", "id")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "größe.blend"))
    check_export("fbx")


@pytest.mark.parametrize(("kind", "module"), [("fbx", "io_scene_fbx"), ("glb", "io_scene_gltf2")])
def test_a_disabled_exporter_is_borrowed(tmp_path, kind, module):
    addon_utils.disable(module, default_set=True)
    path = tmp_path / f"foo.{kind}"
    export_mesh(path, [("Foo_VAT", playback([cube()]), LOCATION)], kind, "id")
    assert path.stat().st_size > 1000
    assert addon_utils.check(module) == (False, False)


@pytest.mark.parametrize("kind", ["fbx", "glb"])
def test_exporters_say_nothing(tmp_path, kind, capfd):
    export_mesh(tmp_path / f"foo.{kind}", [("Foo_VAT", playback([cube()]), LOCATION)], kind, "id")
    assert capfd.readouterr().out == ""


def test_several_objects_in_one_file(tmp_path):
    meshes = [("One", playback([cube()]), LOCATION), ("Two", playback([cube()]), (0, 0, 0))]
    export_mesh(tmp_path / "foo.glb", meshes, "glb", "id")
    assert [node["name"] for node in glb_json(tmp_path / "foo.glb")["nodes"]] == ["One", "Two"]


@pytest.mark.parametrize("mirrored", [False, True])
def test_the_object_is_the_mesh(mirrored):
    part = cube(("A", "B"), mirrored=mirrored)
    mesh = playback([part], widen=np.float32([[-9, -9, -9], [9, 9, 9]]), slot0_uv=(0.25, 0.75))
    obj = make_object(bpy.context.scene.collection, mesh, "Foo_VAT", LOCATION)
    bpy.context.view_layer.update()
    data = obj.data
    assert obj.matrix_world == obj.matrix_world.Translation(LOCATION)
    assert np.array_equal(read(data.vertices, "co", 3), mesh.points)
    assert np.array_equal(read(data.loops, "vertex_index", 1, np.int32)[:, 0], mesh.corner_vert)
    assert np.array_equal(read(data.polygons, "loop_start", 1, np.int32)[:, 0], mesh.face_start)
    assert len(data.edges) == 12 + 6
    assert [layer.name for layer in data.uv_layers] == ["A", "VertexUV", "B"]
    for layer in data.uv_layers:
        assert np.array_equal(read(layer.uv, "vector", 2), mesh.uv_maps[layer.name])
        assert layer.active_render == (layer.name == "A")
    assert [m and m.name for m in data.materials] == ["Red", None]
    assert [p.material_index for p in data.polygons] == [0, 0, 0, 1, 1, 1, 0, 0]
    colors = read(data.color_attributes["Col"].data, "color_srgb", 4)
    assert np.array_equal(np.round(colors[:8] * 255), np.round(BYTES * 255))
    outwards = [p.normal.dot(p.center) > 0 for p in data.polygons][:6]
    assert all(outwards)
    normals = read(data.corner_normals, "vector", 3)
    if bpy.app.version >= (4, 5, 0):
        assert np.array_equal(normals, mesh.normals)
    else:
        assert all(polygon.use_smooth for polygon in data.polygons)
        assert_within_degrees(normals[:24], mesh.normals[:24], 1)
    assert not data.validate(verbose=True)


def test_the_triangle_mesh_needs_no_normals():
    mesh = triangle_mesh([cube(("A",))], addresses(3 * 15))
    obj = make_object(bpy.context.scene.collection, mesh, "TriangleObject", (0, 0, 0))
    assert obj.data.name == "TriangleMesh"
    assert len(obj.data.polygons) == 15
    assert [layer.name for layer in obj.data.uv_layers] == ["UVMap", "VertexUV"]


def test_seven_source_uv_maps_fit():
    mesh = playback([cube(tuple("ABCDEFG"))])
    obj = make_object(bpy.context.scene.collection, mesh, "Foo_VAT", LOCATION)
    assert [layer.name for layer in obj.data.uv_layers] == ["A", "VertexUV", *"BCDEFG"]


def test_a_second_bake_replaces_the_first():
    bpy.data.materials.new("Blue")
    scene = bpy.context.scene
    (first,) = place_playback(scene, [("Foo_VAT", playback([cube(("A",))]), LOCATION)], "one")
    first.rotation_euler, first.scale = (1, 2, 3), (4, 5, 6)
    first.parent = bpy.data.objects["Cube"]
    names = everything()

    second_mesh = playback([cube(material="Blue")], triangulate=True)
    (second,) = place_playback(scene, [("Foo_VAT", second_mesh, (4, 5, 6))], "two")

    assert second == first
    assert everything() == names
    assert second.data.name == "Foo_VAT"
    assert (second["truevat_playback"], second.data["truevat_playback"]) == ("two", "two")
    assert len(second.data.polygons) == 12
    assert [layer.name for layer in second.data.uv_layers] == ["UVMap", "VertexUV"]
    assert second.material_slots[0].material.name == "Blue"
    bpy.context.view_layer.update()
    assert second.matrix_world == second.matrix_world.Translation((4, 5, 6))


def test_what_the_user_added_to_a_playback_object_is_kept_and_named():
    scene = bpy.context.scene
    placements = [(name, playback([cube()]), LOCATION) for name in ("A_VAT", "B_VAT", "C_VAT")]
    first, second, third = place_playback(scene, placements, "one")
    assert kept([first, second, third]) == []
    first.modifiers.new("Subdivision", "SUBSURF")
    hidden = second.modifiers.new("Bevel", "BEVEL")
    hidden.show_viewport = hidden.show_render = False
    second.constraints.new("COPY_LOCATION").target = bpy.data.objects["Cube"]
    second.keyframe_insert("location")
    third.constraints.new("COPY_LOCATION").mute = True
    third.animation_data_create()

    said = kept(place_playback(scene, placements, "two"))

    assert len(said) == 2
    assert said[0].startswith("'A_VAT' kept its modifier 'Subdivision'; with it ")
    assert said[1].startswith("'B_VAT' kept its constraint 'Copy Location', animation; with them ")
    assert first.modifiers and second.constraints and second.animation_data.action
    bpy.context.view_layer.objects.active = third
    bpy.ops.rigidbody.object_add()
    assert kept([third])[0].startswith("'C_VAT' kept its rigid body; with it ")


def test_a_mesh_that_someone_uses_is_kept():
    placements = [("Foo_VAT", playback([cube()]), LOCATION)]
    (obj,) = place_playback(bpy.context.scene, placements, "one")
    kept = obj.data
    bpy.data.objects.new("User", kept)
    (obj,) = place_playback(bpy.context.scene, placements, "two")
    assert obj.data != kept
    assert bpy.data.objects["User"].data == kept
    assert kept["truevat_playback"] == "one"


def test_all_objects_are_placed_or_none():
    scene, mesh = bpy.context.scene, playback([cube()])
    (old,) = place_playback(scene, [("Old_VAT", mesh, LOCATION)], "one")
    before, old_mesh = everything(), old.data
    broken = replace(mesh, materials=("Nowhere",))
    placements = [("New_VAT", mesh, LOCATION), ("Old_VAT", mesh, LOCATION), ("X", broken, LOCATION)]
    with pytest.raises(BakeError, match="material 'Nowhere' of 'Foo_VAT'"):
        place_playback(scene, placements, "two")
    assert everything() == before
    assert old.data == old_mesh
    assert old["truevat_playback"] == "one"


def test_units_of_the_scene():
    mesh = playback([cube()])
    placements = [("Foo_VAT", mesh, LOCATION)]
    (obj,) = place_playback(bpy.context.scene, placements, "id", unit_scale=0.5)
    assert tuple(obj.location) == (2, 4, 6)
    assert np.array_equal(read(obj.data.vertices, "co", 3), mesh.points * 2)


def test_conflicting_names_are_refused_early():
    playback_conflicts(["Free", "Free too"])
    with pytest.raises(BakeError, match="'Cube'.*not from a TrueVAT bake.*rename it"):
        playback_conflicts(["Free", "Cube"])
    with pytest.raises(BakeError, match="Two playback objects would be 'Free'"):
        playback_conflicts(["Free", "Free"])
    limit = 255 if bpy.app.version >= (5, 0, 0) else 63
    playback_conflicts(["x" * limit])
    with pytest.raises(BakeError, match=f"longer than Blender's {limit} bytes"):
        playback_conflicts(["é" * (limit // 2 + 1)])
    (obj,) = place_playback(bpy.context.scene, [("Foo_VAT", playback([cube()]), LOCATION)], "id")
    playback_conflicts(["Foo_VAT"])
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(BakeError, match="'Foo_VAT' is being edited"):
        playback_conflicts(["Foo_VAT"])


def test_a_users_object_is_never_replaced(tmp_path):
    before = everything()
    placements = [("Cube", playback([cube()]), LOCATION)]
    with pytest.raises(BakeError, match="'Cube'"):
        place_playback(bpy.context.scene, placements, "id")
    with pytest.raises(BakeError, match="'Cube'"):
        export_mesh(tmp_path / "foo.glb", placements, "glb", "id")
    assert everything() == before


def test_the_longest_name_is_kept():
    name = "x" * (255 if bpy.app.version >= (5, 0, 0) else 63)
    (obj,) = place_playback(bpy.context.scene, [(name, playback([cube()]), LOCATION)], "id")
    assert obj.name == name
