# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes from Blender to pictures by three.js, against pictures of Blender's own meshes."""

from __future__ import annotations

import math
from pathlib import Path

import bpy
import numpy as np
import pytest
import truevat

import scenes
from evaluated import go_to
from three_rig import gltf_axes, run_jobs
from truth import read_shown

SAME = 0.0005
OTHER = 0.01
FRAMES = (1, 3, 5)
BETWEEN = 3.5

# How it is baked, and the scene's unit.
VARIANTS = {
    "float joined": ({"pixel": "float", "join": True}, 1.0),
    "float apart": ({"pixel": "float", "join": False}, 1.0),
    "half joined": ({"pixel": "half", "join": True}, 1.0),
    "half apart": ({"pixel": "half", "join": False}, 0.01),
}
# Float's positions are exact; half's shift a few edges by a hair.
MOST = {"float": SAME, "half": 0.003}


def build() -> list[str]:
    """Sharp and smooth, two materials with a texture, one inside out, one that hangs on another."""
    cube = scenes.moving(scenes.wave(scenes.cube()))
    for name in ("Red", "Checked"):
        cube.data.materials.append(bpy.data.materials.new(name))
    picture = bpy.data.images.new("Checks", 8, 8)
    picture.pixels = np.tile([1, 0, 0, 1, 0, 0, 1, 1], 32)
    picture.pack()
    nodes = cube.data.materials[1].node_tree.nodes
    texture = nodes.new("ShaderNodeTexImage")
    texture.image = picture
    principled = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    links = cube.data.materials[1].node_tree.links
    links.new(texture.outputs["Color"], principled.inputs["Base Color"])
    cube.data.polygons[0].material_index = 1
    cube.data.uv_layers.new(name="Own")
    scenes.moving(scenes.wave(scenes.ball("Mirror"))).scale = (1, 2, -0.5)
    parent = scenes.link("Parent", None)
    parent.scale, parent.rotation_euler = (0.5, 1.5, 1), (0.3, 0.2, 1)
    scenes.keyed(parent, "location", (1, (-2, 2, 0)), (5, (0, 3, 2)))
    grid = scenes.grid()
    grid.parent = parent
    for name in ("First", "Second"):
        grid.data.uv_layers.new(name=name)
    return ["Cube", "Mirror", "Grid"]


def shown(names: list[str]) -> np.ndarray:
    """(corners, 6) of all triangles, in three.js's axes and metres."""
    found = []
    for name in names:
        object_ = read_shown(name)
        corners = object_.triangles
        found.append(
            np.concatenate(
                [
                    gltf_axes(object_.positions[corners]),
                    gltf_axes(object_.normals[corners]),
                ],
                axis=1,
            )
        )
    values = np.concatenate(found)
    values[:, :3] *= bpy.context.scene.unit_settings.scale_length
    return values


def write_truth(folder: Path, name: str, values: np.ndarray) -> str:
    (folder / "truth").mkdir(exist_ok=True)
    (folder / "truth" / name).write_bytes(np.float32(values).tobytes())
    return name


def bake(folder: Path, place: str, names: list[str], **options: object) -> None:
    settings = {"profile": "truevat", "mesh": "glb", "frames": (1, 5), "name": "bake", **options}
    output = folder / "bakes" / place
    output.mkdir(parents=True)
    truevat.bake(output, names, **settings)


@pytest.fixture(scope="session")
def played(tmp_path_factory) -> dict[str, dict]:
    """All pictures, by one browser."""
    folder = tmp_path_factory.mktemp("blender")
    jobs = []
    for variant, (options, unit) in VARIANTS.items():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        names = build()
        bpy.context.scene.unit_settings.scale_length = unit
        place = variant.replace(" ", "_")
        base = {"kind": "image", "bake": f"{place}/bake", "material": "standard", "clip": 0}
        truths = {}
        for frame in (*FRAMES, math.floor(BETWEEN), math.ceil(BETWEEN)):
            go_to(frame)
            truths[frame] = shown(names)
        low, high = truths[math.floor(BETWEEN)], truths[math.ceil(BETWEEN)]
        part = BETWEEN % 1
        truths[BETWEEN] = low * (1 - part) + high * part
        fps = bpy.context.scene.render.fps
        for frame in (*FRAMES, BETWEEN):
            truth = write_truth(folder, f"{place}-{frame}", truths[frame])
            given = {**base, "seconds": (frame - 1) / fps, "picture": frame == FRAMES[1]}
            jobs.append({**given, "id": f"{variant} {frame}", "truth": truth})
        wrong = {"id": f"{variant} wrong", "truth": f"{place}-{FRAMES[2]}", "seconds": 2 / fps}
        jobs.append({**base, **wrong})
        jobs.append({"id": f"{variant} first", "kind": "firstFrame", "bake": f"{place}/bake"})
        bake(folder, place, names, **options)
    jobs += soup(folder) + without_normals(folder)
    return run_jobs(folder, jobs)


def soup(folder: Path) -> list[dict]:
    """One whose triangles are others in each frame."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    ball = scenes.moving(scenes.ball())
    decimate = ball.modifiers.new("Decimate", "DECIMATE")
    scenes.keyed(decimate, "ratio", (1, 1.0), (5, 0.3))
    jobs = []
    for pixel in ("float", "half"):
        bake(folder, f"soup_{pixel}", ["Ball"], pixel=pixel, address="vertex-id")
        for frame in FRAMES:
            go_to(frame)
            truth = write_truth(folder, f"soup-{pixel}-{frame}", shown(["Ball"]))
            job = {"kind": "image", "bake": f"soup_{pixel}/bake", "material": "flat", "clip": 0}
            seconds = (frame - 1) / bpy.context.scene.render.fps
            given = {"id": f"soup {pixel} {frame}", "truth": truth, "seconds": seconds}
            jobs.append({**job, **given, "picture": frame == FRAMES[1]})
    return jobs


def without_normals(folder: Path) -> list[dict]:
    """Then triangles are flat, whatever the material says."""
    jobs = []
    for pixel in ("float", "half"):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        cube = scenes.moving(scenes.cube())
        bake(folder, f"bare_{pixel}", [cube.name], pixel=pixel, normal_texture="none")
        go_to(3)
        truth = write_truth(folder, f"bare-{pixel}", shown([cube.name]))
        job = {"kind": "image", "bake": f"bare_{pixel}/bake", "material": "standard", "clip": 0}
        seconds = 2 / bpy.context.scene.render.fps
        jobs.append({**job, "id": f"bare {pixel}", "truth": truth, "seconds": seconds})
    return jobs


def result(played: dict[str, dict], id: str) -> dict:
    found = played[id]
    assert "failed" not in found, found["failed"]
    assert found["complaints"] == []
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_three_shows_what_blender_shows(played, variant):
    most = MOST[variant.split()[0]]
    for frame in (*FRAMES, BETWEEN):
        assert result(played, f"{variant} {frame}")["different"] <= most, frame
    assert result(played, f"{variant} wrong")["different"] >= OTHER


@pytest.mark.parametrize("variant", VARIANTS)
def test_first_frame_is_the_mesh(played, variant):
    found = result(played, f"{variant} first")
    assert found["error"] == 0
    assert found["vertices"] > 100
    assert {"Red", "Checked"} <= {name for name, _ in found["materials"]}


@pytest.mark.parametrize("pixel", ["float", "half"])
def test_changing_topology(played, pixel):
    for frame in FRAMES:
        assert result(played, f"soup {pixel} {frame}")["different"] <= MOST[pixel], frame


@pytest.mark.parametrize("pixel", ["float", "half"])
def test_without_normals(played, pixel):
    assert result(played, f"bare {pixel}")["different"] <= MOST[pixel]
