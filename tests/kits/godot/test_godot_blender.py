# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From Blender to Godot with nothing but the command: what is drawn is Blender's mesh.

Both have the materials that Godot imported: textures, two-sidedness, a normal map.
"""

from __future__ import annotations

import subprocess
import sys
from math import pi

import bpy
import numpy as np
import pytest

from godot_pictures import STEP, Jobs, change_shaders, difference, picture
from godot_subjects import write_corners
from moving import gltf_axes

FRAMES = 24
# Of the object's pixels. Seen: at most 0.06 %, though tangents are only those of the rest pose,
# turned.
SAME, OTHER = 0.003, 0.08
POSES = [1, 7, 13.5, 19]


def build_scene():
    """A flag with a texture and a normal map, called like a collider; and a head that turns."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, FRAMES
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=24, y_subdivisions=24, size=2)
    flag = bpy.context.object
    flag.name, flag.rotation_euler = "Flag-col", (0, 0, 0.3)
    wave = flag.modifiers.new("Wave", "WAVE")
    wave.height, wave.width, wave.speed, wave.narrowness = 0.6, 1.0, 0.15, 1.5
    flag.data.materials.append(bumpy_material())
    bpy.ops.mesh.primitive_monkey_add(size=1, location=(0, 0, 1.2))
    head = bpy.context.object
    red = bpy.data.materials.new("Red")
    with_nodes(red)
    red.use_backface_culling = True
    red.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.8, 0.05, 0.05, 1)
    head.data.materials.append(red)
    for frame, angle in ((1, 0), (FRAMES, 2 * pi)):
        head.rotation_euler = (0, 0, angle)
        head.keyframe_insert("rotation_euler", frame=frame)
    return [flag, head]


def with_nodes(material):
    if bpy.app.version < (5, 0, 0):  # later ones always have nodes, and warn
        material.use_nodes = True


def bumpy_material():
    material = bpy.data.materials.new("Bumpy")
    with_nodes(material)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    surface = nodes["Principled BSDF"]
    y, x = np.mgrid[0:128, 0:128] / 128
    checks = np.where((np.floor(x * 8) + np.floor(y * 8)) % 2, 0.9, 0.3)
    color = nodes.new("ShaderNodeTexImage")
    color.image = image("Checks", [checks, x, y])
    links.new(color.outputs["Color"], surface.inputs["Base Color"])
    slope_x, slope_y = 0.4 * np.sin(6 * pi * x), 0.4 * np.sin(6 * pi * y)
    up = np.sqrt(1 - slope_x**2 - slope_y**2)
    bumps = nodes.new("ShaderNodeTexImage")
    bumps.image = image("Bumps", [c * 0.5 + 0.5 for c in (slope_x, slope_y, up)])
    bumps.image.colorspace_settings.name = "Non-Color"
    bumps.image.pack()
    turned = nodes.new("ShaderNodeNormalMap")
    links.new(bumps.outputs["Color"], turned.inputs["Color"])
    links.new(turned.outputs["Normal"], surface.inputs["Normal"])
    return material


def image(name, channels):
    size = len(channels[0])
    made = bpy.data.images.new(name, size, size)
    pixels = np.dstack([*channels, np.ones((size, size))])
    made.pixels.foreach_set(np.float32(pixels).ravel())
    made.pack()
    return made


def corners(item, frame):
    """Of the evaluated triangles, as Godot has them in the world: positions, normals, UVs."""
    scene = bpy.context.scene
    scene.frame_set(int(frame))
    shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = shown.to_mesh()
    mesh.calc_loop_triangles()
    loops = np.array([triangle.loops for triangle in mesh.loop_triangles])[:, [0, 2, 1]].ravel()
    points = np.array([vertex.co for vertex in mesh.vertices])
    points = points[[mesh.loops[loop].vertex_index for loop in loops]]
    normals = np.array([mesh.corner_normals[loop].vector for loop in loops])
    uv = np.array([mesh.uv_layers[0].data[loop].uv for loop in loops])
    matrix = np.array(shown.matrix_world)
    shown.to_mesh_clear()
    world = points @ matrix[:3, :3].T + matrix[:3, 3]
    turned = normals @ matrix[:3, :3].T
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    return gltf_axes(world), gltf_axes(turned), np.stack([uv[:, 0], 1 - uv[:, 1]], axis=1)


def true_corners(item, frame):
    """Half-way frames are mixed, as a player does."""
    if frame == int(frame):
        return corners(item, frame)
    pairs = zip(corners(item, frame), corners(item, frame + 1), strict=True)
    positions, normals, uv = [(a + b) / 2 for a, b in pairs]
    return positions, normals / np.linalg.norm(normals, axis=1, keepdims=True), uv


@pytest.fixture(scope="module", params=["float", "half"])
def drawn(request, engine, tmp_path_factory):
    pixel = request.param
    bpy.ops.wm.read_factory_settings(use_empty=True)
    items = build_scene()
    scene = tmp_path_factory.mktemp("scene") / "flag.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(scene))
    project = engine.make_project(f"blender_{pixel}")
    command = [sys.executable, "-m", "truevat", "bake", str(scene), "-o", str(project / "flag")]
    command += ["--name", "flag", "--objects", ",".join(item.name for item in items)]
    command += ["--mesh", "glb", "--engine", "godot", "--pixel", pixel]
    subprocess.run(command, check=True, cwd=engine.REPO)
    log = engine.import_all(project)
    assert not engine.complaints(log), log
    change_shaders(
        project,
        "still_tangents",
        "truevat_turn(TANGENT, truevat_rest_normal, NORMAL)",
        "TANGENT",
    )
    jobs = Jobs(project)
    folder = project / "soups"
    folder.mkdir()
    (folder / ".gdignore").touch()
    view = {"target": [0, 0.6, 0], "size": 3.4}
    for frame in POSES:
        parts = []
        for item in items:
            path = folder / f"{item.name}_{frame}.bin"
            name = item.data.materials[0].name
            file = write_corners(path, *true_corners(item, frame))
            parts.append({"file": file, "like": "res://flag/flag.glb", "material": name})
        jobs.add(f"{frame}_true", {"soup": parts}, **view)
        for label, shown in (("", frame), ("_off", frame + 1)):
            actions = [["play"], ["seek", (shown - 1) / 24]]
            thing = {"scene": "res://flag/flag.truevat.json", "actions": actions}
            jobs.add(f"{frame}{label}", thing, **view)
            if not label:
                still = {**thing, "shaders": "res://faults/still_tangents/"}
                jobs.add(f"{frame}_still_tangents", still, **view)
    engine.draw(project, "compatibility", list(jobs.jobs.values()))
    return project


@pytest.mark.parametrize("frame", POSES)
def test_a_picture_is_that_of_blenders_mesh(drawn, frame):
    true = picture(drawn, f"{frame}_true")
    away = difference(picture(drawn, str(frame)), true)
    print(f"{frame}: {away:.2%} differ by more than {STEP}")
    assert away <= SAME
    assert difference(picture(drawn, f"{frame}_off"), true) > OTHER


def test_tangents_turn_with_normals(drawn):
    away = max(
        difference(picture(drawn, f"{frame}_still_tangents"), picture(drawn, f"{frame}_true"))
        for frame in POSES
    )
    assert away > 2 * SAME
