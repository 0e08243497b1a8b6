# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes of Blender scenes, through FBX as Unity reads it and the shaders: what Blender shows."""

from __future__ import annotations

import json

import bpy
import numpy as np
import pytest

import scenes
from decoders import angles
from evaluated import bake_it
from fbx_mesh import read_fbx, rounded, shuffled
from plain_exr import read_exr
from playing import Shader, unity
from truth import read_all

# Blender's exporter, with a newer NumPy than its own
pytestmark = pytest.mark.filterwarnings("ignore:Setting the shape:DeprecationWarning")
TIMES = range(1, 6)


# -------------------------------------------------------------------------------------------------
# Scenes


def with_maps(obj, maps, colors):
    for number in range(maps):
        obj.data.uv_layers.new(name=f"Map {number}")
        for item in obj.data.uv_layers[number].uv:
            item.vector = (0.25 + number, 0.5)
    if colors:
        obj.data.color_attributes.new("Color", "BYTE_COLOR", "CORNER")
    for name in ("Red", "Blue"):
        materials = bpy.data.materials
        obj.data.materials.append(materials.get(name) or materials.new(name))
    obj.data.polygons[0].material_index = 1
    return obj


def rotated(maps, colors):
    scenes.moving(scenes.wave(with_maps(scenes.cube(), maps, colors)))
    scenes.moving(scenes.wave(with_maps(scenes.ball(), maps, colors)))
    return ["Cube", "Ball"]


def parented(maps, colors):
    parent = scenes.link("Parent", None)
    scenes.moving(parent).scale = (0.5, 2, 1)
    scenes.moving(scenes.wave(with_maps(scenes.cube(), maps, colors))).parent = parent
    return ["Cube"]


def scaled(maps, colors):
    scenes.moving(scenes.wave(with_maps(scenes.cube(), maps, colors))).scale = (1, 3, 0.5)
    scenes.moving(scenes.wave(with_maps(scenes.ball(), maps, colors))).scale = (-1, 1, 2)
    return ["Cube", "Ball"]


def in_centimetres(maps, colors):
    bpy.context.scene.unit_settings.scale_length = 0.01
    return rotated(maps, colors)


SOURCES = [rotated, parented, scaled, in_centimetres]
each_source = pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.__name__)


@pytest.fixture
def forward(machine):
    return Shader(machine, "Lit", "built-in", "ForwardBase")


def play(shader, texture, pixels, mesh, form="float", more=None, **uniforms):
    """Corners in their own order again, though the shader had them in another."""
    order = shuffled(len(mesh.positions))
    address = rounded(mesh.uvs[1], form)[order]
    found = shader.run(
        {texture: pixels, **(more or {})}, address, mesh.positions[order], mesh.normals[order],
        mesh.tangents[order], **uniforms,
    )  # fmt: skip
    back = np.argsort(order)
    return {name: values[back] for name, values in found.items()}


def matched(rest, shown):
    """For each triangle that Blender shows, the corners of the playback mesh that rest there."""
    mine, wanted = rest.reshape(-1, 3, 3), shown.reshape(-1, 3, 3)
    found = []
    for triangle in wanted:
        turns = [np.roll(triangle, -turn, axis=0) for turn in range(3)]
        distances = np.stack([np.abs(mine - turn).max(axis=(1, 2)) for turn in turns])
        turn, which = np.unravel_index(distances.argmin(), distances.shape)
        found.append(3 * which + (np.arange(3) - turn) % 3)
    corners = np.concatenate(found)
    assert len(set(corners.tolist())) == len(corners), "one triangle for each"
    return corners


def truths(names, scale):
    """For each time: corners of all triangles, in Unity's axes and winding, in metres; normals."""
    frames = []
    for shown in read_all(names, TIMES):
        parts = [
            (unity(s.positions[t]) * scale, unity(s.normals[t]))
            for s in shown
            for t in [s.triangles.reshape(-1, 3)[:, [0, 2, 1]].reshape(-1)]
        ]
        frames.append(tuple(np.concatenate(values) for values in zip(*parts, strict=True)))
    return frames


# -------------------------------------------------------------------------------------------------


@each_source
@pytest.mark.parametrize("join", [True, False], ids=["joined", "apart"])
@pytest.mark.parametrize("pixel", ["float", "half"])
@pytest.mark.parametrize("maps, colors", [(0, False), (1, True), (3, True)])
def test_the_truevat_profile(forward, tmp_path, source, join, pixel, maps, colors):
    names = source(maps, colors)
    scale = np.float32(bpy.context.scene.unit_settings.scale_length)
    report = bake_it(
        tmp_path, names, profile="truevat", pixel=pixel, mesh="fbx", join=join, engines=("unity",)
    )
    sidecar = json.loads(report.files["sidecar"].read_text("utf-8"))
    pixels = read_exr(report.files["texture"])
    meshes = read_fbx(report.files["mesh"])
    assert len(meshes) == (1 if join else len(names))
    frames = truths(names, scale)
    rest = np.concatenate([mesh.positions + mesh.place for mesh in meshes])
    corners = matched(rest, frames[0][0])
    error = sidecar["position"]["error_m"] + 1e-6
    for time, (positions, normals) in enumerate(frames):
        played = [play(forward, "_VAT", pixels, mesh, _Phase=float(time)) for mesh in meshes]
        for mesh, found in zip(meshes, played, strict=True):
            if time == 0:  # the widening triangles are where they widen, and play at slot 0
                own = np.setdiff1d(np.arange(len(mesh.positions)), widening(mesh, found))
                assert len(own) >= len(mesh.positions) - 6
                exact = 0 if scale == 1 else 2e-7
                assert np.abs(found["position"] - mesh.positions)[own].max() <= exact
        world = np.concatenate(
            [found["position"] + m.place for m, found in zip(meshes, played, strict=True)]
        )
        assert np.abs(world[corners] - positions).max() <= error
        shaded = np.concatenate([found["normal"] for found in played])
        assert angles(shaded[corners], normals).max() <= sidecar["normals"]["error_degrees"] + 0.01
    played = [play(forward, "_VAT", pixels, mesh, _Phase=1.5) for mesh in meshes]
    world = np.concatenate(
        [found["position"] + m.place for m, found in zip(meshes, played, strict=True)]
    )
    between = (frames[1][0] + frames[2][0]) / 2
    assert np.abs(world[corners] - between).max() <= error
    for mesh in meshes:
        assert mesh.bake_id == sidecar["bake_id"]
        assert set(mesh.materials) == {"Red", "Blue"}
        assert len(mesh.uvs) == max(maps, 1) + 1
        assert bool(mesh.colors) == colors
        if maps:
            first = set(map(tuple, mesh.uvs[0].tolist()))
            assert (0.25, 0.5) in first and first <= {(0.25, 0.5), (0.0, 0.0)}  # where it widens


def widening(mesh, found):
    """Corners of triangles that are much smaller at rest than others and collapse when played."""
    corners = found["position"].reshape(-1, 3, 3)
    flat = (corners == corners[:, :1]).all(axis=(1, 2))
    return np.flatnonzero(np.repeat(flat, 3))


@pytest.mark.parametrize("form", ["half", "unorm16"])
@pytest.mark.parametrize("pixel", ["float", "half"])
def test_addresses_that_an_importer_has_rounded(forward, tmp_path, pixel, form):
    names = rotated(1, False)
    report = bake_it(tmp_path, names, profile="truevat", pixel=pixel, mesh="fbx")
    pixels = read_exr(report.files["texture"])
    for mesh in read_fbx(report.files["mesh"]):
        for time in (0.0, 2.5):
            exact = play(forward, "_VAT", pixels, mesh, _Phase=time)
            found = play(forward, "_VAT", pixels, mesh, form, _Phase=time)
            np.testing.assert_array_equal(found["position"], exact["position"])


@each_source
def test_the_nekovat_profile(machine, tmp_path, source):
    """Frame by frame, by the shader with the original's properties."""
    shader = Shader(machine, "VAT", "built-in", "ForwardBase")
    names = source(1, False)
    scale = np.float32(bpy.context.scene.unit_settings.scale_length)
    report = bake_it(tmp_path, names, profile="nekovat", mesh="fbx")
    pixels = read_exr(report.files["texture"])
    meshes = read_fbx(report.files["mesh"])
    frames = truths(names, scale)
    corners = matched(
        np.concatenate([mesh.positions + mesh.place for mesh in meshes]), frames[0][0]
    )
    for time, (positions, _) in enumerate(frames[:-1]):  # the last one is the loop's end
        played = [
            play(shader, "_Texture", pixels, mesh, _Motion=float(time))["position"] + mesh.place
            for mesh in meshes
        ]
        assert np.abs(np.concatenate(played)[corners] - positions).max() <= 2e-6


@pytest.mark.parametrize("size", [1024, 128], ids=["a row", "rows that wrap"])
@pytest.mark.parametrize("pixel", ["float", "half"])
@each_source
def test_the_bounds_profile(machine, tmp_path, source, pixel, size):
    shader = Shader(machine, "Bounds", "built-in", "ForwardBase")
    names = source(1, False)
    scale = np.float32(bpy.context.scene.unit_settings.scale_length)
    report = bake_it(tmp_path, names, profile="bounds", pixel=pixel, mesh="fbx", max_size=size)
    sidecar = json.loads(report.files["sidecar"].read_text("utf-8"))
    pixels, normal_pixels = (read_exr(report.files[role]) for role in ("texture", "normals"))
    meshes = read_fbx(report.files["mesh"])
    frames = truths(names, scale)
    corners = matched(
        np.concatenate([mesh.positions + mesh.place for mesh in meshes]), frames[0][0]
    )
    assert (sidecar["texture"]["rows_per_frame"] > 1) == (size < len(corners))
    uniforms = {
        "_BoundsMin": (*sidecar["bounds"]["min"], 0.0),
        "_BoundsMax": (*sidecar["bounds"]["max"], 0.0),
        "_RowsPerFrame": float(sidecar["texture"]["rows_per_frame"]),
        "_Speed": 0.0,
    }
    for time, (positions, normals) in enumerate(frames):
        played = [
            play(
                shader, "_Positions", pixels, mesh, more={"_Normals": normal_pixels},
                _Phase=float(time), **uniforms,
            )
            for mesh in meshes
        ]  # fmt: skip
        world = [found["position"] + m.place for m, found in zip(meshes, played, strict=True)]
        error = sidecar["position"]["error_m"] + 2e-6
        assert np.abs(np.concatenate(world)[corners] - positions).max() <= error
        shaded = np.concatenate([found["normal"] for found in played])
        assert angles(shaded[corners], normals).max() <= sidecar["normals"]["error_degrees"] + 0.01


@pytest.mark.parametrize("profile, shader", [("truevat", "Lit"), ("nekovat", "VAT")])
def test_one_two_three_arrives_at_one_three_two(machine, tmp_path, profile, shader):
    obj = scenes.mesh_object(
        "Point",
        lambda shape: shape.faces.new(
            [shape.verts.new(v) for v in ((1, 2, 3), (0, 0, 0), (2, 0, 0))]
        ),
    )
    scenes.keyed(obj, "location", (1, (0, 0, 0)), (5, (1, 0, 0)))
    report = bake_it(tmp_path, ["Point"], profile=profile, mesh="fbx")
    pixels = read_exr(report.files["texture"])
    (mesh,) = read_fbx(report.files["mesh"])
    texture = "_VAT" if shader == "Lit" else "_Texture"
    played = play(Shader(machine, shader, "built-in", "ForwardBase"), texture, pixels, mesh)
    assert (1.0, 3.0, 2.0) in set(map(tuple, mesh.positions.tolist()))
    assert (1.0, 3.0, 2.0) in set(map(tuple, played["position"].tolist()))
    assert not {(1.0, 2.0, 3.0), (-1.0, 3.0, 2.0)} & set(map(tuple, played["position"].tolist()))


def test_a_bake_brings_its_import_settings_and_keeps_those_that_are_there(tmp_path):
    names = rotated(1, False)
    options = {"profile": "truevat", "mesh": "fbx", "engines": ("unity",)}
    report = bake_it(tmp_path, names, **options)
    written = sorted(tmp_path.glob("*.meta"))
    assets = (report.files["texture"], report.files["mesh"])
    assert written == sorted(path.with_name(f"{path.name}.meta") for path in assets)
    kept = written[0].read_text("utf-8").replace("nPOTScale: 0", "nPOTScale: 1") + "# mine\n"
    written[0].write_text(kept, "utf-8")
    written[1].unlink()
    bake_it(tmp_path, names, **options)
    assert written[0].read_text("utf-8") == kept
    assert written[1].exists()


@pytest.mark.parametrize("pixel", ["float", "half"])
def test_a_topology_that_changes(forward, tmp_path, pixel):
    """In each frame all triangles that Blender shows, once, and nothing else that has an area."""
    growing = scenes.moving(scenes.cube())
    scenes.keyed(growing.modifiers.new("Array", "ARRAY"), "count", (1, 1), (5, 4))
    options = {"profile": "truevat", "address": "vertex-id", "mesh": "fbx", "pixel": pixel}
    report = bake_it(tmp_path, ["Cube"], **options)
    sidecar = json.loads(report.files["sidecar"].read_text("utf-8"))
    pixels = read_exr(report.files["texture"])
    (mesh,) = read_fbx(report.files["mesh"])
    counts = []
    for time, (positions, _) in enumerate(truths(["Cube"], np.float32(1))):
        for fraction in (0.0, 0.75):  # frames are never mixed
            played = play(forward, "_VAT", pixels, mesh, _Phase=min(time + fraction, 4.0))
            world = played["position"] + mesh.place
            corners = matched(world, positions)
            error = np.abs(world[corners] - positions).max()
            assert error <= sidecar["position"]["error_m"] + 1e-6
            others = np.delete(world, corners, axis=0).reshape(-1, 3, 3)
            # HALF rounds each corner's offset from where it rests.
            spread = 0 if pixel == "float" else 2 * sidecar["position"]["error_m"]
            assert np.abs(others - others[:, :1]).max(initial=0) <= spread
        counts.append(len(positions) // 3)
    assert counts == sidecar["triangles"] and len(set(counts)) > 1
