# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes out of FBX and GLB files play too: importers may number and join vertices as they like."""

from __future__ import annotations

from dataclasses import dataclass

import bpy

# isort: split
import addon_utils  # which can be found once bpy is there
import numpy as np
import pytest

import scenes
from evaluated import bake_it
from glb import read_glb
from player import in_blender, read_texture
from reference_reader import Texture
from truth import read_all

# Blender's own importers
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

NAMES = ["Cube", "Ball", "Mirror"]
TIMES = range(1, 6)
EACH_READER = ["glb", "glb by Blender", "fbx by Blender", "fbx by ufbx"]


@dataclass(frozen=True, eq=False)
class Imported:
    """Three vertices for each triangle, in Blender's axes; `positions` are about `origin`."""

    positions: np.ndarray
    address: np.ndarray
    origin: np.ndarray


def scene():
    """Sharp and smooth, two materials, quads and triangles, and one that is inside out."""
    cube = scenes.moving(scenes.wave(scenes.cube()))
    for name in ("Red", "Blue"):
        cube.data.materials.append(bpy.data.materials.new(name))
    cube.data.polygons[0].material_index = 1
    cube.data.uv_layers.new(name="Own")
    scenes.moving(scenes.wave(scenes.ball()))
    scenes.moving(scenes.wave(scenes.ball("Mirror"))).scale = (1, 2, -0.5)


def read_by_blender(path, reader):
    before = set(bpy.data.objects)
    if reader == "glb by Blender":
        addon_utils.enable("io_scene_gltf2")
        bpy.ops.import_scene.gltf(filepath=str(path))
        addon_utils.disable("io_scene_gltf2")
    elif reader == "fbx by Blender":
        addon_utils.enable("io_scene_fbx")
        bpy.ops.import_scene.fbx(filepath=str(path))
        addon_utils.disable("io_scene_fbx")
    else:
        bpy.ops.wm.fbx_import(filepath=str(path))
    bpy.context.view_layer.update()  # for matrix_world
    return {
        obj.name.removesuffix(".001"): read_imported(obj)
        for obj in set(bpy.data.objects) - before
        if obj.type == "MESH"
    }


def read_imported(obj):
    turn = np.array(obj.matrix_world)
    mesh = obj.data
    mesh.calc_loop_triangles()
    corners = [i for triangle in mesh.loop_triangles for i in triangle.loops]
    positions = [mesh.vertices[mesh.loops[i].vertex_index].co for i in corners]
    address = [mesh.uv_layers[1].uv[i].vector for i in corners]
    return Imported(
        np.array(positions) @ turn[:3, :3].T, np.array(address, np.float32), turn[:3, 3]
    )


def read_by_ourselves(path):
    """In Blender's axes, and with v upwards, as engines turn it."""

    def turned(vectors):
        return vectors[..., [0, 2, 1]] * (1, -1, 1)

    return {
        name: Imported(
            turned(vertices.positions),
            vertices.address * np.float32([1, -1]) + np.float32([0, 1]),
            turned(vertices.origin),
        )
        for name, vertices in read_glb(path).items()
    }


def bake_and_read(folder, reader, **options):
    """(what the mesh file holds, the texture's file) of the scene, baked."""
    scene()
    kind = reader.split()[0]
    report = bake_it(folder, NAMES, mesh=kind, **options)
    path = report.files["mesh"]
    assert path.suffix == f".{kind}"
    found = read_by_ourselves(path) if reader == "glb" else read_by_blender(path, reader)
    return found, report.files["texture"]


def soup(corners):
    """(triangles, 3, 3) in an order that tells winding, but not numbering."""
    turned = []
    for triangle in (corners + 0.0).reshape(-1, 3, 3).tolist():
        start = triangle.index(min(triangle))
        turned.append(triangle[start:] + triangle[:start])
    return np.array(sorted(turned))


def collapsed(positions):
    """For each vertex, whether all three of its triangle are in one place."""
    corners = positions.reshape(-1, 3, 3)
    return np.repeat((corners == corners[:, :1]).all(axis=(1, 2)), 3)


def texels(address, pixels):
    """(column, row) of each address."""
    height, width, _ = pixels.shape
    return map(tuple, np.floor(address * (width, height)).astype(int).tolist())


# -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bounds", [True, False], ids=["bounds", "no bounds"])
@pytest.mark.parametrize("reader", EACH_READER)
def test_a_mesh_file_plays_by_texcoord1(player, tmp_path, reader, bounds):
    found, texture = bake_and_read(tmp_path, reader, bounds=bounds)
    pixels = read_texture(texture)
    assert sorted(found) == sorted(f"{name}_VAT" for name in NAMES)
    frames = read_all(NAMES, TIMES)
    for index, name in enumerate(NAMES):
        mesh, first = found[f"{name}_VAT"], frames[0][index]
        np.testing.assert_allclose(mesh.origin, first.origin, atol=1e-6)
        for k, shown in enumerate(frames):
            played = in_blender(player.play(pixels, k, addresses=mesh.address)["position"])
            extra = collapsed(played)
            assert extra.sum() == (6 if bounds else 0), "the triangles that widen the bounds"
            assert set(texels(mesh.address[extra], pixels)) <= {(0, 1)}, "which show slot 0"
            expected = shown[index].positions[first.triangles] - first.origin
            np.testing.assert_array_equal(soup(played[~extra]), soup(expected))
            if k == 0:
                rest = mesh.positions[~extra]
                np.testing.assert_allclose(rest, played[~extra], atol=1e-6)
        if bounds:
            assert_spans(mesh, [shown[index].positions for shown in frames])


def assert_spans(mesh, positions):
    """An importer that looks at the file alone sees how far the animation goes."""
    everywhere = np.concatenate(positions)
    at = mesh.positions + mesh.origin
    np.testing.assert_allclose(at.min(axis=0), everywhere.min(axis=0), atol=1e-5)
    np.testing.assert_allclose(at.max(axis=0), everywhere.max(axis=0), atol=1e-5)


@pytest.mark.parametrize("reader", EACH_READER)
def test_a_triangle_object_plays_by_texcoord1_however_it_is_numbered(player, tmp_path, reader):
    found, texture = bake_and_read(tmp_path, reader, address="vertex-id")
    pixels = read_texture(texture)
    assert list(found) == ["TriangleObject"]
    mesh = found["TriangleObject"]
    frames = read_all(NAMES, TIMES)
    for k, shown in enumerate(frames):
        played = in_blender(player.play(pixels, k, addresses=mesh.address)["position"])
        pairs = zip(shown, frames[0], strict=True)
        expected = np.concatenate([s.positions[first.triangles] for s, first in pairs])
        np.testing.assert_array_equal(soup(played), soup(expected))


# -------------------------------------------------------------------------------------------------
# The layout `truevat`


def slots_of(address):
    """Importers may round, but must leave a doubt to nobody."""
    whole = np.rint(address)
    assert np.abs(address - whole).max() < 1e-3
    return (whole @ (1, 1024)).astype(int)


@pytest.mark.parametrize("join", [True, False], ids=["join", "no join"])
@pytest.mark.parametrize("bounds", [True, False], ids=["bounds", "no bounds"])
@pytest.mark.parametrize("reader", EACH_READER)
def test_a_mesh_file_names_the_slot_of_each_corner(tmp_path, reader, bounds, join):
    options = {"profile": "truevat", "pixel": "float", "bounds": bounds, "join": join}
    found, path = bake_and_read(tmp_path, reader, **options)
    groups = {"Cube_VAT": NAMES} if join else {f"{name}_VAT": [name] for name in NAMES}
    assert sorted(found) == sorted(groups)
    texture = Texture(path)
    frames = read_all(NAMES, TIMES)
    used = set()
    for group, names in groups.items():
        mesh, which = found[group], [NAMES.index(name) for name in names]
        origin = frames[0][which[0]].origin
        np.testing.assert_allclose(mesh.origin, origin, atol=1e-6)
        slots = slots_of(mesh.address)
        used |= {*slots.tolist()}
        extra = np.repeat((slots.reshape(-1, 3) == 0).all(axis=1), 3)
        assert extra.sum() == (6 if bounds else 0), "the triangles that widen the bounds"
        rest = mesh.positions[~extra]
        np.testing.assert_allclose(rest, texture.positions(0)[slots[~extra]], atol=1e-6)
        for k, shown in enumerate(frames):
            each = [shown[i].positions[frames[0][i].triangles] - origin for i in which]
            np.testing.assert_array_equal(
                soup(texture.positions(k)[slots[~extra]]), soup(np.concatenate(each))
            )
        if bounds:
            assert_spans(mesh, [shown[i].positions for shown in frames for i in which])
    assert used == {*range(texture.slots)}


@pytest.mark.parametrize("pixel", ["float", "half"])
@pytest.mark.parametrize("reader", EACH_READER)
def test_a_soup_names_the_slot_of_each_corner(tmp_path, reader, pixel):
    options = {"profile": "truevat", "pixel": pixel, "address": "vertex-id", "bounds": False}
    found, path = bake_and_read(tmp_path, reader, **options)
    ((name, mesh),) = found.items()
    assert name == "Cube_VAT"
    texture = Texture(path)
    slots = slots_of(mesh.address)
    assert sorted(slots.tolist()) == list(range(texture.slots)), "one vertex for each"
    corners = slots.reshape(-1, 3)
    np.testing.assert_array_equal(
        corners[:, 1:] - corners[:, :1], np.tile((1, 2), (len(corners), 1))
    )
    frames = read_all(NAMES, TIMES)
    shown = [s.positions[s.triangles] - frames[0][0].origin for s in frames[0]]
    np.testing.assert_allclose(mesh.positions, np.concatenate(shown)[slots], atol=1e-6)
