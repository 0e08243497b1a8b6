# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small promises, each from a scene to its files."""

from __future__ import annotations

import json

import bmesh
import bpy
import numpy as np
import pytest
from truevat.core.baker import Baker

import scenes
from decoding import Texture
from evaluated import bake_it, check, go_to

# -------------------------------------------------------------------------------------------------
# Who shares a slot


def triangulated_cube(name="Cube", *, smooth=False):
    """36 corners, that moves."""

    def make(shape):
        bmesh.ops.create_cube(shape, size=2)
        bmesh.ops.triangulate(shape, faces=shape.faces)

    obj = scenes.moving(scenes.mesh_object(name, make))
    if smooth:
        obj.data.shade_smooth()
    return obj


@pytest.mark.parametrize("smooth, slots", [(False, 24), (True, 8)], ids=["hard edges", "smooth"])
def test_hard_edges_and_compression_go_together(tmp_path, smooth, slots):
    triangulated_cube(smooth=smooth)
    report = bake_it(tmp_path, ["Cube"])
    assert (report.samples, report.slots) == (36, slots)
    assert bake_it(tmp_path, ["Cube"], dedup="none").slots == 36
    check(tmp_path, ["Cube"])


def test_the_normals_that_are_asked_for_decide_who_shares(tmp_path):
    cube = triangulated_cube(smooth=True)
    for edge in cube.data.edges:
        edge.use_edge_sharp = True
    slots = {n: bake_it(tmp_path, ["Cube"], normals=n).slots for n in ("corner", "face", "vertex")}
    assert slots == {"corner": 24, "face": 24, "vertex": 8}


def two_quads():
    """Side by side in one plane; along x = 0 each has vertices of its own, at the same places."""
    mesh = bpy.data.meshes.new("Quads")
    left = [(-1, 0, 0), (0, 0, 0), (0, 1, 0), (-1, 1, 0)]
    right = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    mesh.from_pydata([*left, *right], [], [(0, 1, 2, 3), (4, 5, 6, 7)])
    return scenes.link("Quads", mesh)


def opened_and_closed(obj):
    """The right quad goes away and comes back, so that both ends of the range look alike."""
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="Apart", from_mix=False)
    for point in key.data[4:]:
        point.co.x += 0.5
    scenes.keyed(key, "value", (1, 0.0), (3, 1.0), (5, 0.0))
    return obj


def test_vertices_that_part_later_keep_slots_of_their_own(tmp_path):
    opened_and_closed(two_quads())
    assert bake_it(tmp_path, ["Quads"]).slots == 8
    check(tmp_path, ["Quads"], still=True)  # as it was in the end


def test_vertices_that_stay_together_share_a_slot(tmp_path):
    scenes.moving(two_quads())
    assert bake_it(tmp_path, ["Quads"]).slots == 6
    check(tmp_path, ["Quads"])


def test_the_originals_rule_glues_what_starts_in_one_place(tmp_path):
    opened_and_closed(two_quads())
    report = bake_it(tmp_path, ["Quads"], dedup="rest")
    assert report.slots == 6
    uv = [item.vector[:] for item in bpy.data.objects["Quads_VAT"].data.uv_layers["VertexUV"].uv]
    positions, _ = Texture(report.files["texture"]).by_uv(np.array(uv), 2)
    np.testing.assert_array_equal(positions[[1, 2]], positions[[4, 7]])


def test_objects_share_no_slots(tmp_path):
    for name in ("A", "B"):
        triangulated_cube(name, smooth=True)
    for dedup in ("trajectory", "rest"):
        assert bake_it(tmp_path, ["A", "B"], dedup=dedup).slots == 16


# -------------------------------------------------------------------------------------------------
# Same scene, same settings, same bytes


def smooth_grid():
    """Written as its frames come."""
    scenes.moving(scenes.wave(scenes.grid(cells=100)))
    return {"address": "uv", "mesh": "glb"}


def hard_grid():
    obj = scenes.moving(scenes.wave(scenes.grid(cells=100)))
    obj.data.shade_flat()
    return {"address": "uv", "mesh": "glb"}


def large_and_changing():
    obj = scenes.moving(scenes.wave(scenes.grid(cells=30)))
    scenes.keyed(obj.modifiers.new("Array", "ARRAY"), "count", (1, 1), (12, 4))
    return {"address": "vertex-id", "mesh": "glb"}


@pytest.mark.parametrize(
    ("scene", "streamed"),
    [(smooth_grid, True), (hard_grid, False), (large_and_changing, False)],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_same_bytes_again_whatever_threads_and_memory(tmp_path, monkeypatch, scene, streamed):
    spilled, taken = [], []

    class Watched(Baker):
        def plan_steps(self):
            plan = yield from super().plan_steps()
            spilled.append(self.track.spilled)
            taken.append(self.track.taken)
            return plan

    monkeypatch.setattr("truevat.blender.bake.Baker", Watched)
    options = scene()
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    how = [{}, {}, {"threads": 1}, {"threads": 2}, {"threads": 4}]
    how += [{"memory": 1, "scratch": scratch, "threads": n} for n in (1, 4)]
    bakes = []
    for number, more in enumerate(how):
        folder = tmp_path / str(number)
        bake_it(folder, ["Grid"], (1, 12), **options, **more)
        bakes.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert sorted(bakes[0]) == ["Grid.glb", "Grid.truevat.json", "Grid_pos.exr"]
    for other in bakes[1:]:
        assert other == bakes[0]
    assert spilled[:-2] == [0] * 5 and all(spilled[-2:]) != streamed
    assert taken == [11 if streamed else 0] * len(how)
    assert not list(scratch.iterdir())


def test_a_bake_id_tells_what_was_baked_and_how(tmp_path):
    cube = triangulated_cube()
    ways = [{}, {"guard": False}, {"normals": "face"}, {"dedup": "none"}, {"address": "vertex-id"}]
    ids = [bake_it(tmp_path, ["Cube"], **options).bake_id for options in ways]
    ids.append(bake_it(tmp_path, ["Cube"], (1, 4)).bake_id)
    cube.data.vertices[0].co.x += 1e-6
    ids.append(bake_it(tmp_path, ["Cube"]).bake_id)
    assert len(set(ids)) == len(ids)
    assert all(len(bytes.fromhex(bake_id)) == 16 for bake_id in ids)


# -------------------------------------------------------------------------------------------------
# Units


def world_corners(obj):
    """float64 (corners, 3) as they are evaluated now, in Blender units."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    matrix = evaluated.matrix_world
    corners = [matrix @ mesh.vertices[loop.vertex_index].co for loop in mesh.loops]
    evaluated.to_mesh_clear()
    return np.array(corners, float)


@pytest.mark.parametrize("metres", [0.01, 1.0, 2.0])
def test_files_are_in_metres_and_the_playback_object_in_the_scenes_units(tmp_path, metres):
    bpy.context.scene.unit_settings.scale_length = metres
    cube = triangulated_cube()
    report = bake_it(tmp_path, ["Cube"], mesh="glb")
    texture = Texture(report.files["texture"])
    playback = bpy.data.objects["Cube_VAT"]
    uv = np.array([item.vector[:] for item in playback.data.uv_layers["VertexUV"].uv])
    sidecar = json.loads(report.files["sidecar"].read_text("utf-8"))

    shown = []
    for frame in range(1, 6):
        go_to(frame)
        shown.append(world_corners(cube))
    go_to(1)
    origin = np.array(cube.matrix_world.translation)
    near = {"rtol": 0, "atol": 1e-6 * max(metres, 1)}
    for k, corners in enumerate(shown):
        positions, _ = texture.by_uv(uv, k)
        np.testing.assert_allclose(positions, (corners - origin) * metres, **near)
    np.testing.assert_allclose(world_corners(playback), shown[0], rtol=0, atol=1e-6)

    everywhere = np.concatenate(shown) * metres
    bounds = np.array([everywhere.min(axis=0), everywhere.max(axis=0)])
    (source,) = sidecar["objects"]
    np.testing.assert_allclose(source["origin"], origin * metres, **near)
    np.testing.assert_allclose(list(source["bounds"].values()), bounds, **near)
    np.testing.assert_allclose(list(sidecar["bounds"].values()), bounds - origin * metres, **near)
    np.testing.assert_allclose(glb_bounds(report.files["mesh"]), bounds, **near)


def glb_bounds(path):
    """Of the one mesh in the file, turned into Blender's axes."""
    data = path.read_bytes()
    content = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    (node,), (mesh,) = content["nodes"], content["meshes"]
    position = content["accessors"][mesh["primitives"][0]["attributes"]["POSITION"]]
    corners = np.array([position["min"], position["max"]]) + node["translation"]
    return np.sort(corners[:, [0, 2, 1]] * (1, -1, 1), axis=0)
