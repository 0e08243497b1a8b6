# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small scene in which much moves: 10,000 vertices, 120 frames.

  demo_scene.py FILE.blend

The collection `Steady` holds what keeps its vertices: a flag, a twisting tower with hard edges, a
swarm of instances. The collection `Demo` holds all that, and what only vertex-ID addressing can
play: stairs that are built brick by brick, and drops that melt together.
"""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path

import bpy

FRAMES = 120
FPS = 30


def build() -> None:
    """Puts the scene into an empty .blend."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, FRAMES
    scene.render.fps = FPS
    demo = bpy.data.collections.new("Demo")
    steady = bpy.data.collections.new("Steady")
    scene.collection.children.link(demo)
    demo.children.link(steady)
    for make in (flag, tower, swarm):
        steady.objects.link(make())
    for object_ in (stairs(), *drops()):
        demo.objects.link(object_)


def flag() -> bpy.types.Object:
    """Two waves run through a cloth of 4,800 vertices that hangs on a pole."""
    columns, rows, width, height = 79, 59, 4.0, 2.4
    points = [
        (width * column / columns, height * row / rows, 0.0)
        for row in range(rows + 1)
        for column in range(columns + 1)
    ]
    step = columns + 1
    faces = [
        (i, i + 1, i + 1 + step, i + step)
        for row in range(rows)
        for i in range(row * step, row * step + columns)
    ]
    mesh = mesh_of("Cloth", points, faces, (0.75, 0.06, 0.04))
    mesh.polygons.foreach_set("use_smooth", [True] * len(faces))
    layer = mesh.uv_layers.new(name="UVMap")
    for loop in mesh.loops:
        x, y, _ = points[loop.vertex_index]
        layer.uv[loop.index].vector = x / width, y / height
    cloth = bpy.data.objects.new("Flag", mesh)
    cloth.location, cloth.rotation_euler = (-5.5, 0.0, 1.5), (math.pi / 2, 0.0, 0.0)
    free = cloth.vertex_groups.new(name="Free")
    for index, (x, _, _) in enumerate(points):
        free.add([index], min(x / 2.0, 1.0), "REPLACE")
    for name, along_x, rise, length in (("Long", True, 0.5, 1.6), ("Cross", False, 0.2, 1.1)):
        wave = cloth.modifiers.new(name, "WAVE")
        wave.use_x, wave.use_y = along_x, not along_x
        wave.height, wave.width, wave.narrowness, wave.speed = rise, length, 1.5, 0.06
        wave.time_offset = -400.0  # waves everywhere at the first frame
        wave.vertex_group = free.name
    return cloth


def tower() -> bpy.types.Object:
    """A square tower of 1,900 vertices winds up and back; all its edges are hard."""
    side, floors = 5, 95
    ring = [(2.0 * i / side - 1.0, -1.0) for i in range(side)]
    for _ in range(3):
        ring += [(-y, x) for x, y in ring[-side:]]
    points = []
    for floor in range(floors):
        radius = 0.9 if floor % 12 < 6 else 0.75
        points += [(radius * x, radius * y, floor * 0.045) for x, y in ring]
    size = len(ring)
    faces = [
        (low + i, low + (i + 1) % size, low + size + (i + 1) % size, low + size + i)
        for low in range(0, size * (floors - 1), size)
        for i in range(size)
    ]
    faces.append(tuple(range(size * (floors - 1), size * floors)))
    stone = bpy.data.objects.new("Tower", mesh_of("Stone", points, faces, (0.5, 0.42, 0.3)))
    stone.location = 1.2, 0.5, 0.0
    twist = stone.modifiers.new("Twist", "SIMPLE_DEFORM")
    twist.deform_method, twist.deform_axis = "TWIST", "Z"
    for frame, angle in ((1, 0.0), (FRAMES // 2, 200.0), (FRAMES, 0.0)):
        twist.angle = math.radians(angle)
        twist.keyframe_insert("angle", frame=frame)
    return stone


def swarm() -> bpy.types.Object:
    """48 pebbles, instances made by geometry nodes, dance on a circle."""
    tree = bpy.data.node_groups.new("Swarm", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")

    def node(kind: str, **settings: object) -> bpy.types.Node:
        new = tree.nodes.new(kind)
        for name, value in settings.items():
            setattr(new, name, value)
        return new

    def link(source: bpy.types.Node, output: int | str, target: bpy.types.Node, input_: int | str):
        tree.links.new(source.outputs[output], target.inputs[input_])

    circle = node("GeometryNodeMeshCircle")
    circle.inputs["Vertices"].default_value = 48
    circle.inputs["Radius"].default_value = 2.6
    pebble = node("GeometryNodeMeshIcoSphere")
    pebble.inputs["Radius"].default_value = 0.14
    pebble.inputs["Subdivisions"].default_value = 2
    painted = node("GeometryNodeSetMaterial")
    painted.inputs["Material"].default_value = material("Pebble", (0.05, 0.3, 0.6))
    instances = node("GeometryNodeInstanceOnPoints")
    moved = node("GeometryNodeTranslateInstances")
    phase = node("ShaderNodeMath", operation="MULTIPLY")
    phase.inputs[1].default_value = math.tau * 5 / 48
    angle = node("ShaderNodeMath", operation="MULTIPLY_ADD")
    angle.inputs[1].default_value = math.tau / 2.0
    sine = node("ShaderNodeMath", operation="SINE")
    offset = node("ShaderNodeCombineXYZ")
    link(node("GeometryNodeInputIndex"), 0, phase, 0)
    link(node("GeometryNodeInputSceneTime"), "Seconds", angle, 0)
    link(phase, 0, angle, 2)
    link(angle, 0, sine, 0)
    link(sine, 0, offset, "Z")
    link(pebble, "Mesh", painted, "Geometry")
    link(circle, "Mesh", instances, "Points")
    link(painted, 0, instances, "Instance")
    link(instances, 0, moved, "Instances")
    link(offset, 0, moved, "Translation")
    link(moved, 0, node("NodeGroupOutput"), 0)
    stones = bpy.data.objects.new("Swarm", bpy.data.meshes.new("Swarm"))
    stones.location = 1.2, 0.5, 2.0
    stones.modifiers.new("Swarm", "NODES").node_group = tree
    return stones


def stairs() -> bpy.types.Object:
    """A Build modifier lays 80 bricks around the tower, face by face."""
    points, faces = [], []
    box = [(x, y, z) for z in (0.0, 0.1) for x, y in ((0, -0.3), (0.7, -0.3), (0.7, 0.3), (0, 0.3))]
    sides = [(0, 3, 2, 1), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (4, 5, 6, 7)]
    for brick in range(80):
        turn, first = math.tau * brick / 32, len(points)
        for x, y, z in box:
            x += 1.4
            points.append(
                (
                    x * math.cos(turn) - y * math.sin(turn),
                    x * math.sin(turn) + y * math.cos(turn),
                    z + 0.05 * brick,
                )
            )
        faces += [tuple(first + corner for corner in face) for face in sides]
    bricks = bpy.data.objects.new("Stairs", mesh_of("Brick", points, faces, (0.45, 0.16, 0.09)))
    bricks.location = 1.2, 0.5, 0.0
    build_up = bricks.modifiers.new("Build", "BUILD")
    build_up.frame_start, build_up.frame_duration = -10.0, float(FRAMES)
    return bricks


def drops() -> list[bpy.types.Object]:
    """Six metaballs meet and part: another mesh in each frame."""
    slime = material("Slime", (0.2, 0.6, 0.08))
    objects = []
    for index in range(6):
        ball = bpy.data.metaballs.new("Drop")
        ball.elements.new().radius = 0.55 + 0.08 * index
        ball.resolution = ball.render_resolution = 0.13
        ball.materials.append(slime)
        drop = bpy.data.objects.new("Drop" if index == 0 else f"Drop.{index:03}", ball)
        for frame in range(1, FRAMES + 1, 7):
            turn = math.tau * ((frame - 1) / FRAMES * (1 + index % 3) + index / 6)
            drop.location = 5.5 + math.cos(turn), math.sin(turn), 2.0 + math.sin(2 * turn + index)
            drop.keyframe_insert("location", frame=frame)
        objects.append(drop)
    return objects


def mesh_of(name: str, points: list, faces: list, color: tuple) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.materials.append(material(name, color))
    return mesh


def material(name: str, color: tuple[float, float, float]) -> bpy.types.Material:
    new = bpy.data.materials.new(name)
    new.diffuse_color = (*color, 1.0)
    if new.node_tree is None:
        new.use_nodes = True  # 5.x has nodes always, and warns
    new.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*color, 1.0)
    return new


if __name__ == "__main__":
    build()
    bpy.ops.wm.save_as_mainfile(filepath=str(Path(sys.argv[-1]).absolute()))
    sys.stdout.flush()
    os._exit(0)  # bpy 4.x may hang in Python's own way out
