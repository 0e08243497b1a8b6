# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A topology that changes: an error by UV, baked by vertex ID."""

from __future__ import annotations

import bpy
import pytest
from truevat.core.errors import BakeError

import scenes
from evaluated import bake_it, check
from scenes import frame_socket, node


def build(obj, start: float = 0, duration: float = 6):
    modifier = obj.modifiers.new("Grow", "BUILD")
    modifier.frame_start, modifier.frame_duration = start, duration
    return obj


def growing_instances(tree, geometry):
    """As many cubes as the frame's number."""
    line = node(tree, "GeometryNodeMeshLine", {"Count": frame_socket(tree)}).outputs[0]
    cube = node(tree, "GeometryNodeMeshCube").outputs[0]
    return node(tree, "GeometryNodeInstanceOnPoints", {"Points": line, "Instance": cube}).outputs[0]


def test_the_error_names_object_frame_counts_modifier_and_the_way_out(tmp_path):
    scenes.moving(scenes.cube())
    build(scenes.ball())
    depsgraph = bpy.context.evaluated_depsgraph_get
    counts = []
    for frame in (2, 3):
        bpy.context.scene.frame_set(frame)
        evaluated = bpy.data.objects["Ball"].evaluated_get(depsgraph())
        counts.append(len(evaluated.data.vertices))
    assert counts[0] != counts[1]
    with pytest.raises(BakeError) as error:
        bake_it(tmp_path, ["Cube", "Ball"], (2, 5))
    for part in (
        "Object 'Ball'",
        f"{counts[0]} vertices at frame 2, but {counts[1]} at frame 3",
        "'Grow' (BUILD)",
        "vertex-ID addressing (--address vertex-id)",
    ):
        assert part in str(error.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("order", [("SUBSURF", "BUILD"), ("BUILD", "SUBSURF")])
def test_the_suspect_is_what_changes_by_nature(tmp_path, order):
    obj = scenes.ball()
    for kind in order:
        modifier = obj.modifiers.new(kind.title(), kind)
    obj.modifiers["Build"].frame_start, obj.modifiers["Build"].frame_duration = 0, 9
    hidden = obj.modifiers.new("Hidden", "EXPLODE")
    hidden.show_viewport = False
    assert modifier
    with pytest.raises(BakeError, match=r"'Build' \(BUILD\)"):
        bake_it(tmp_path, ["Ball"], (2, 5))


@pytest.mark.parametrize("triangles", [False, True])
def test_equal_counts_that_connect_otherwise_are_noticed(tmp_path, triangles):
    obj = scenes.grid(cells=2)
    if triangles:
        obj.modifiers.new("Triangulate", "TRIANGULATE")

    def make(tree, geometry):
        late = node(tree, "FunctionNodeCompare", {"A": frame_socket(tree), "B": 2.5}).outputs[0]
        flipped = node(tree, "GeometryNodeFlipFaces", {"Mesh": geometry}).outputs[0]
        inputs = {"Switch": late, "False": geometry, "True": flipped}
        return node(tree, "GeometryNodeSwitch", inputs, input_type="GEOMETRY").outputs[0]

    scenes.geometry_nodes(obj, make)
    scenes.moving(obj)
    with pytest.raises(BakeError, match="'Grid'.* connect other vertices at frame 3 than at fra"):
        bake_it(tmp_path, ["Grid"])
    check(tmp_path, ["Grid"], addresses=["vertex-id"])


def test_the_same_corners_cut_into_other_faces_are_noticed(tmp_path):
    meshes = []
    for name, faces in (("A", [(0, 1, 2), (3, 4, 5, 6)]), ("B", [(0, 1, 2, 3), (4, 5, 6)])):
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata([(i % 3, i // 3, i % 2) for i in range(7)], [], faces)
        meshes.append(scenes.link(name, mesh))

    def make(tree, geometry):
        late = node(tree, "FunctionNodeCompare", {"A": frame_socket(tree), "B": 2.5}).outputs[0]
        first, second = (
            node(tree, "GeometryNodeObjectInfo", {"Object": obj}).outputs["Geometry"]
            for obj in meshes
        )
        inputs = {"Switch": late, "False": first, "True": second}
        return node(tree, "GeometryNodeSwitch", inputs, input_type="GEOMETRY").outputs[0]

    scenes.geometry_nodes(scenes.moving(scenes.grid(cells=2)), make)
    with pytest.raises(BakeError, match="'Grid'.* connect other vertices at frame 3 than at fra"):
        bake_it(tmp_path, ["Grid"])
    check(tmp_path, ["Grid"], addresses=["vertex-id"])


def test_a_triangulation_that_follows_the_deformation_is_noticed(tmp_path):
    obj = scenes.grid(cells=4)
    obj.shape_key_add(name="Basis")
    bent = obj.shape_key_add(name="Bent", from_mix=False)
    for i, point in enumerate(bent.data):
        point.co.x += 0.2 * (-1) ** i
    scenes.driven(bent, "value", "(frame - 2) / 3")
    obj.modifiers.new("Cut", "TRIANGULATE").quad_method = "SHORTEST_DIAGONAL"
    with pytest.raises(BakeError, match=r"'Grid'.* connect other vertices .*'Cut' \(TRIANGULATE\)"):
        bake_it(tmp_path, ["Grid"])
    check(tmp_path, ["Grid"], addresses=["vertex-id"])


def test_a_script_that_edits_the_mesh_at_a_frame_is_noticed(tmp_path):
    """The mesh has no modifier that could do it, and the counts stay the same."""
    obj = scenes.moving(scenes.grid(cells=2))

    def flip(scene, depsgraph):
        if scene.frame_current == 3:
            obj.data.flip_normals()

    bpy.app.handlers.frame_change_post.append(flip)
    try:
        with pytest.raises(BakeError, match="connect other vertices at frame 3"):
            bake_it(tmp_path, ["Grid"])
    finally:
        bpy.app.handlers.frame_change_post.remove(flip)


def test_more_instances_are_noticed(tmp_path):
    scenes.geometry_nodes(scenes.grid(), growing_instances)
    with pytest.raises(BakeError, match=r"'Grid': 3 meshes \(with instances\) at frame 2, but 4"):
        bake_it(tmp_path, ["Grid"], (2, 5))


def test_a_mesh_that_grows_is_baked_by_vertex_id(tmp_path):
    scenes.moving(scenes.cube())
    build(scenes.ball())
    frames = check(tmp_path, ["Cube", "Ball"], (2, 6), addresses=["vertex-id"])
    counts = [len(frame.triangles) for frame in frames]
    assert counts == sorted(set(counts))


def test_a_mesh_that_shrinks_is_baked_by_vertex_id(tmp_path):
    build(scenes.moving(scenes.ball())).modifiers[0].use_reverse = True
    frames = check(tmp_path, ["Ball"], (1, 4), addresses=["vertex-id"])
    assert len(frames[0].triangles) > len(frames[-1].triangles) > 0


def test_a_first_frame_without_faces_is_baked_by_vertex_id(tmp_path):
    build(scenes.ball(), start=1, duration=6)
    frames = check(tmp_path, ["Ball"], (1, 5), addresses=["vertex-id"])
    assert not frames[0].triangles
    with pytest.raises(BakeError, match="'Ball' shows no mesh at frame 1: it has no faces"):
        bake_it(tmp_path, ["Ball"])


def test_the_number_of_instances_may_change_by_vertex_id(tmp_path):
    scenes.wave(scenes.grid(cells=1))
    scenes.geometry_nodes(scenes.grid("Grow", 1), growing_instances)
    frames = check(tmp_path, ["Grow", "Grid"], (0, 4), addresses=["vertex-id"])
    assert [len(frame.triangles) for frame in frames] == [6 + 36 * n for n in range(5)]


def test_counts_that_come_back_are_as_they_were(tmp_path):
    """Frames with the first one's topology lie between others."""
    obj = scenes.wave(scenes.grid(cells=2))
    scenes.driven(obj.modifiers.new("Array", "ARRAY"), "count", "1 + frame % 2")
    frames = check(tmp_path, ["Grid"], (1, 5), addresses=["vertex-id"])
    assert [len(frame.triangles) for frame in frames] == [48, 24, 48, 24, 48]


def test_a_mirrored_object_whose_topology_changes(tmp_path):
    build(scenes.moving(scenes.ball())).scale = (-1, 2, 1)
    check(tmp_path, ["Ball"], (2, 5), addresses=["vertex-id"])


@pytest.mark.parametrize("normals", ["vertex", "face", "corner"])
def test_a_growing_mesh_with_each_kind_of_normals(tmp_path, normals):
    obj = build(scenes.ball())
    if normals == "face":
        obj.data.shade_flat()
    check(tmp_path, ["Ball"], (2, 5), addresses=["vertex-id"], normals=normals)


def test_a_topology_that_changes_at_the_last_frame_only(tmp_path):
    obj = scenes.moving(scenes.grid(cells=2))
    scenes.driven(obj.modifiers.new("Array", "ARRAY"), "count", "1 + (frame > 4)")
    with pytest.raises(BakeError, match="at frame 1, but .* at frame 5"):
        bake_it(tmp_path, ["Grid"])
    check(tmp_path, ["Grid"], addresses=["vertex-id"])
