# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every vertex of every frame, played by a shader, is where Blender shows it."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

import scenes
from evaluated import bake_it
from player import BY_SAMPLER, BY_UV, MASKS_14, MASKS_16, in_blender, read_texture
from truth import addresses, by_id, by_uv, read_all

# The three bytes are truncated: each component loses less than 2 / 255, and a float's rounding.
NORMAL_ERROR = 3**0.5 * 2 / 255 + 1e-6
TIMES = range(1, 6)
LAST = len(TIMES) - 1


# -------------------------------------------------------------------------------------------------
# Scenes


def half_sharp_cube(name="Cube"):
    """Smooth, but for half of its edges: corner normals."""
    obj = scenes.cube(name)
    obj.data.shade_smooth()
    for edge in obj.data.edges[:6]:
        edge.use_edge_sharp = True
    return obj


def smooth():
    scenes.moving(scenes.wave(scenes.ball()))
    return ["Ball"]


def hard_edges():
    scenes.moving(scenes.wave(half_sharp_cube()))
    return ["Cube"]


def two_objects():
    hard_edges()
    scenes.moving(scenes.wave(scenes.ball("Ball"))).delta_location = (3, 0, 1)
    return ["Cube", "Ball"]


def mirrored():
    scenes.moving(scenes.wave(half_sharp_cube())).scale = (-1, 1, 1)
    scenes.wave(scenes.ball()).scale = (-0.5, -1, -2)
    return ["Cube", "Ball"]


def zero_scale():
    scenes.keyed(scenes.moving(half_sharp_cube()), "scale", (1, (1, 1, 1)), (3, (1, 1, 0)))
    scenes.keyed(scenes.moving(scenes.ball()), "scale", (1, (2, 1, 1)), (5, (0, 0, 0)))
    return ["Cube", "Ball"]


def non_uniform_scale():
    scenes.moving(scenes.wave(half_sharp_cube())).scale = (1, 2, 0.2)
    scenes.keyed(scenes.wave(scenes.ball()), "scale", (1, (0.1, 3, 1)), (5, (2, 0.3, 1)))
    return ["Cube", "Ball"]


def rotated_parent():
    parent = scenes.link("Parent", None)
    scenes.moving(parent).scale = (0.5, 2, 1)  # shears a child that is rotated itself
    child = scenes.moving(scenes.wave(half_sharp_cube()))
    child.parent = parent
    return ["Cube"]


def changing_topology():
    """More and more cubes, and a mirrored one beside a ball that stays as it is."""
    for name, scale in (("Cube", (1, 1, 1)), ("Other", (1, -2, 1))):
        obj = scenes.moving(half_sharp_cube(name))
        obj.scale = scale
        scenes.keyed(obj.modifiers.new("Array", "ARRAY"), "count", (1, 1), (5, 4))
    scenes.moving(scenes.ball())
    return ["Ball", "Cube", "Other"]


SCENES = [
    smooth,
    hard_edges,
    two_objects,
    mirrored,
    zero_scale,
    non_uniform_scale,
    rotated_parent,
]
each_scene = pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)


def uv_bake(folder, scene, **options):
    """(names of the sources, addresses of all playback corners, texture, report)."""
    names = scene()
    report = bake_it(folder, names, **options)
    where = addresses([f"{name}_VAT" for name in names])
    return names, where, read_texture(report.files["texture"]), report


# -------------------------------------------------------------------------------------------------
# Comparing


def assert_shown(played, positions, normals):
    np.testing.assert_array_equal(in_blender(played["position"]), positions)
    assert np.linalg.norm(in_blender(played["normal"]) - normals, axis=1).max() <= NORMAL_ERROR


def assert_front_sides_out(played, triangles, flat):
    """By the played positions alone. `flat`: for each triangle, whether it has no front side."""
    corners = in_blender(played["position"]).astype(float)[triangles].reshape(-1, 3, 3)
    normals = in_blender(played["normal"])[triangles].reshape(-1, 3, 3).sum(axis=1)
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert ((facing * normals).sum(axis=1) > 0)[~flat].all()


def normal_words(pixels, report, frames=LAST + 1):
    """uint32 (frames, slots)."""
    rows = report.layout.rows_per_frame
    words = np.ascontiguousarray(pixels[1 : 1 + frames * rows, :, 3]).view(np.uint32)
    return words.reshape(frames, -1)[:, : report.slots]


def assert_no_sampler_flushes(words):
    exponents = words >> 23 & 255
    assert exponents.min() >= 1 and exponents.max() <= 254


# -------------------------------------------------------------------------------------------------


@each_scene
def test_vertices_play_by_uv(player, tmp_path, scene):
    names, where, pixels, report = uv_bake(tmp_path, scene)
    frames = read_all(names, TIMES)
    for k, shown in enumerate(frames):
        for lookup in (BY_UV, BY_SAMPLER):
            played = player.play(pixels, k, addresses=where, lookup=lookup)
            assert_shown(played, *by_uv(shown, frames[0]))
        triangles, flat = playback_triangles(names, shown)
        assert_front_sides_out(played, triangles, flat)
    assert_no_sampler_flushes(normal_words(pixels, report))


def playback_triangles(names, shown):
    """Blender's triangles of all playback objects, and whether their sources are flat now."""
    triangles, flat, start = [], [], 0
    for name, source in zip(names, shown, strict=True):
        mesh = bpy.data.objects[f"{name}_VAT"].data
        mesh.calc_loop_triangles()
        triangles += [start + i for triangle in mesh.loop_triangles for i in triangle.loops]
        flat += [source.flat] * len(mesh.loop_triangles)
        start += len(mesh.loops)
    return np.array(triangles), np.array(flat)


@each_scene
def test_vertices_play_by_vertex_id(player, tmp_path, scene):
    names = scene()
    report = bake_it(tmp_path, names, address="vertex-id")
    pixels = read_texture(report.files["texture"])
    frames = read_all(names, TIMES)
    for k, shown in enumerate(frames):
        played = player.play(pixels, k, count=report.slots)
        assert_shown(played, *by_id(shown, frames[0]))
        flat = np.concatenate([[s.flat] * (len(s.triangles) // 3) for s in shown])
        assert_front_sides_out(played, np.arange(report.slots), flat)
        stored = player.play(pixels, k, addresses=addresses(["TriangleObject"]))
        np.testing.assert_array_equal(stored, played)
    assert_no_sampler_flushes(normal_words(pixels, report))


def test_a_changing_topology_plays_by_vertex_id(player, tmp_path):
    names = changing_topology()
    report = bake_it(tmp_path, names, address="vertex-id")
    pixels = read_texture(report.files["texture"])
    frames = read_all(names, TIMES)
    counts = [sum(len(s.triangles) for s in shown) for shown in frames]
    assert len(set(counts)) > 2 and report.slots == max(counts)
    words = normal_words(pixels, report)
    for k, (shown, count) in enumerate(zip(frames, counts, strict=True)):
        played = player.play(pixels, k, count=report.slots)
        assert_shown(played[:count], *by_id(shown, shown))
        assert_front_sides_out(played, np.arange(count), np.zeros(count // 3, bool))
        assert not played["position"][count:].any(), "what is left over collapses"
        assert_no_sampler_flushes(words[k, :count])
        stored = player.play(pixels, k, addresses=addresses(["TriangleObject"]))
        np.testing.assert_array_equal(stored[:count], played[:count])


@pytest.mark.parametrize("normals", ["vertex", "face"])
def test_normals_on_request(player, tmp_path, normals):
    names, where, pixels, _ = uv_bake(tmp_path, hard_edges, normals=normals)
    played = player.play(pixels, 0, addresses=where)
    bpy.context.scene.frame_set(TIMES[0])
    obj = bpy.data.objects[names[0]].evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh, turned = obj.to_mesh(), obj.matrix_world.to_3x3()  # only a rotation
    expected = [
        turned @ (mesh.vertices[mesh.loops[i].vertex_index] if normals == "vertex" else face).normal
        for face in mesh.polygons
        for i in face.loop_indices
    ]
    obj.to_mesh_clear()
    error = np.linalg.norm(in_blender(played["normal"]) - np.array(expected), axis=1)
    assert error.max() <= NORMAL_ERROR


# -------------------------------------------------------------------------------------------------
# Between frames


@pytest.mark.parametrize("k", range(LAST))
def test_half_way_between_two_frames(player, tmp_path, k):
    names, where, pixels, _ = uv_bake(tmp_path, two_objects)
    frames = read_all(names, TIMES)
    (p0, n0), (p1, n1) = (by_uv(frames[i], frames[0]) for i in (k, k + 1))
    played = player.play(pixels, k + 0.5, addresses=where, blend=True, wrap=True)
    between = (p0.astype(float) + p1) / 2
    np.testing.assert_allclose(in_blender(played["position"]), between, atol=1e-6)

    normal = (n0 + n1) / 2
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    error = np.linalg.norm(in_blender(played["normal"]) - normal / length, axis=1, keepdims=True)
    # Normalising what is short makes its error longer.
    assert (error * length).max() <= 1.01 * NORMAL_ERROR
    np.testing.assert_allclose(np.linalg.norm(played["normal"], axis=1), 1, atol=1e-6)


def test_motion_wraps_at_the_last_stored_frame(player, tmp_path):
    _, where, pixels, _ = uv_bake(tmp_path, two_objects)
    once = [player.play(pixels, k, addresses=where) for k in range(LAST + 1)]
    for motion in range(3 * LAST + 1):
        looped = player.play(pixels, motion, addresses=where, wrap=True)
        np.testing.assert_array_equal(looped, once[motion % LAST])
    assert once[LAST].tobytes() != once[0].tobytes()
    stopped = player.play(pixels, LAST + 2, addresses=where)
    np.testing.assert_array_equal(stopped, once[LAST])


def test_a_single_frame_plays_for_ever(player, tmp_path):
    names, where, pixels, _ = uv_bake(tmp_path, hard_edges, frames=(2, 2))
    shown = read_all(names, (2, 3))[:1]
    for motion in (0, 0.5, 1, 7.25):
        for blend in (False, True):
            played = player.play(pixels, motion, addresses=where, wrap=True, blend=blend)
            assert_shown(played, *by_uv(shown[0], shown[0]))


# -------------------------------------------------------------------------------------------------
# Header and guard


@pytest.mark.parametrize("masks", [MASKS_16, MASKS_14], ids=["16 bits", "14 bits"])
def test_the_shader_reads_both_numbers_from_the_header(player, tmp_path, masks):
    _, where, pixels, report = uv_bake(tmp_path, two_objects, dedup="none", max_size=32)
    assert report.layout.rows_per_frame > 1
    played = player.play(pixels, 0, addresses=where, masks=masks)
    assert set(map(tuple, played["header"].tolist())) == {(report.layout.rows_per_frame, LAST)}


def test_frames_of_several_rows_play(player, tmp_path):
    names, where, pixels, report = uv_bake(tmp_path, two_objects, dedup="none", max_size=32)
    frames = read_all(names, TIMES)
    assert report.layout.rows_per_frame > 1
    for k, shown in enumerate(frames):
        for lookup in (BY_UV, BY_SAMPLER):
            played = player.play(pixels, k, addresses=where, lookup=lookup)
            assert_shown(played, *by_uv(shown, frames[0]))


def test_without_guard_the_words_are_the_originals(tmp_path):
    _, _, guarded, report = uv_bake(tmp_path, two_objects)
    bare = read_texture(bake_it(tmp_path, ["Cube", "Ball"], guard=False).files["texture"])
    with_guard, without = (normal_words(pixels, report) for pixels in (guarded, bare))
    np.testing.assert_array_equal(with_guard, without | 0x40000000)
    assert not (without >> 24).any()
    assert (without >> 23 & 255 == 0).any(), "denormals, which a guard is for"


def test_guarded_normals_survive_a_sampler_that_flushes(player, tmp_path):
    """llvmpipe keeps denormals, other hardware does not: flush them beforehand."""
    _, where, guarded, report = uv_bake(tmp_path, two_objects)
    bare = read_texture(bake_it(tmp_path, ["Cube", "Ball"], guard=False).files["texture"])
    # The header word is a denormal too: players then take it from material properties.
    properties = (report.layout.rows_per_frame, LAST)

    def normals(pixels):
        played = player.play(pixels, 2, addresses=where, known=properties)
        return played["normal"]

    np.testing.assert_array_equal(normals(flushed(guarded)), normals(guarded))
    np.testing.assert_array_equal(normals(bare), normals(guarded))
    assert (normals(flushed(bare)) != normals(bare)).any()


def flushed(pixels):
    return np.where(abs(pixels) < np.finfo(np.float32).tiny, np.float32(0), pixels)
