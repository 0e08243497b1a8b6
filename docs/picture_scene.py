# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene of pictures.py: a tower with hard edges that a rig lets dance, a soft flag on it, and
instances around it."""

from __future__ import annotations

import math

import bpy

FRAMES = 31  # and a header: 32 rows
BONES, BONE = 5, 0.8
COLORS = {
    "Stone": (0.70, 0.53, 0.36),
    "Trim": (0.80, 0.73, 0.62),
    "Slate": (0.04, 0.20, 0.32),
    "Glass": (0.05, 0.07, 0.12),
    "Grass": (0.22, 0.38, 0.10),
    "Cloth": (0.70, 0.03, 0.03),
    "Gold": (0.95, 0.50, 0.05),
}


def build() -> list[str]:
    """The scene that is baked; returns the names of its objects."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, FRAMES
    for name, color in COLORS.items():
        shader = bpy.data.materials.new(name).node_tree.nodes["Principled BSDF"]
        shader.inputs["Base Color"].default_value = *color, 1.0
    rig = skeleton()
    for rigged in tower(), flag():
        rigged.modifiers.new("Rig", "ARMATURE").object = rig
        for bone in range(BONES):
            group = rigged.vertex_groups.new(name=f"Spine{bone}")
            for vertex in rigged.data.vertices:
                height = min(max(vertex.co.z / BONE, 0.5), BONES - 0.5)
                group.add([vertex.index], max(0.0, 1.0 - abs(height - bone - 0.5)), "REPLACE")
    return ["Tower", "Flag", crown().name]


def skeleton() -> bpy.types.Object:
    """A chain of bones that twists, leans and bounces; the lowest stands still."""
    rig = link("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for index in range(BONES):
        bone = rig.data.edit_bones.new(f"Spine{index}")
        bone.head.z, bone.tail.z = BONE * index, BONE * (index + 1)
        bone.parent = rig.data.edit_bones[index - 1] if index else None
    bpy.ops.object.mode_set(mode="OBJECT")
    for index, bone in enumerate(rig.pose.bones[1:], 1):
        bone.rotation_mode = "XYZ"
        for frame in range(1, FRAMES + 1):
            turn = math.tau * (0.2 + (frame - 1) / (FRAMES - 1)) - 0.7 * index
            twist, lean = 0.3 * math.sin(turn), 0.16 * math.sin(turn + 1.0)
            bone.rotation_euler = 0.05 * math.cos(turn), twist, lean
            bone.scale.y = 1.0 + 0.08 * math.sin(2.0 * turn)
            bone.keyframe_insert("rotation_euler", frame=frame)
            bone.keyframe_insert("scale", frame=frame)
    return rig


def tower() -> bpy.types.Object:
    """Hard edges: three storeys with windows and ledges, battlements, a roof, a pole."""
    solid = Solid()
    solid.pipe("Grass", (1.25, 0.0), (1.25, 0.2), (1.15, 0.3), (0.8, 0.3))
    for storey in range(3):
        low, side = 0.3 + 0.93 * storey, 0.86 - 0.06 * storey
        solid.pipe("Stone", *((side, low + step / 5) for step in range(5)))
        ledge = (side, 0.8), (side + 0.1, 0.83), (side + 0.1, 0.93), (side - 0.06, 0.93)
        solid.pipe("Trim", *((reach, low + z) for reach, z in ledge))
        for turns in range(4):
            solid.box("Glass", (0.0, -side, low + 0.42), (0.13, 0.05, 0.22), turns)
    solid.pipe("Stone", (0.68, 3.09), (0.68, 3.3), (1.0, 3.55), (1.0, 3.8), (0.6, 3.8), (0.6, 4.1))
    for turns in range(4):
        for x in (-0.86, -0.29, 0.29):
            solid.box("Trim", (x, -0.88, 3.92), (0.14, 0.12, 0.14), turns)
    solid.pipe("Slate", (0.6, 4.1), (0.8, 4.05), (0.03, 5.3))
    solid.box("Trim", (0.0, 0.0, 5.8), (0.035, 0.035, 0.7))
    return solid.object("Tower", sharp=math.radians(30))


def flag() -> bpy.types.Object:
    """A soft cloth with waves in it."""
    columns, rows = 27, 14
    solid = Solid()
    points = [
        (1.75 * i / columns, 0.0, 5.45 + j / rows) for j in range(rows) for i in range(columns)
    ]
    corners = [i + j * columns for j in range(rows - 1) for i in range(columns - 1)]
    faces = [(i, i + 1, i + columns + 1, i + columns) for i in corners]
    solid.add("Cloth", points, faces)
    cloth = solid.object("Flag", sharp=math.pi)
    free = cloth.vertex_groups.new(name="Free")
    for vertex in cloth.data.vertices:
        free.add([vertex.index], min(vertex.co.x, 1.0), "REPLACE")
    wave = cloth.modifiers.new("Wave", "WAVE")
    wave.use_normal, wave.use_y, wave.vertex_group = True, False, free.name
    wave.height, wave.width, wave.narrowness, wave.speed = 0.55, 0.8, 2.0, 0.11
    wave.time_offset = -100.0  # waves everywhere at the first frame
    return cloth


class Solid:
    """Collects the parts of one mesh."""

    def __init__(self) -> None:
        self.points: list[tuple[float, ...]] = []
        self.faces: list[tuple[int, ...]] = []
        self.materials: list[int] = []

    def add(self, material: str, points: list, faces: list) -> None:
        self.faces += [tuple(len(self.points) + corner for corner in face) for face in faces]
        self.points += points
        self.materials += [list(COLORS).index(material)] * len(faces)

    def pipe(self, material: str, *profile: tuple[float, float]) -> None:
        """A square pipe through (half a side, height), two faces wide at each side."""
        square = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
        points = [(side * x, side * y, z) for side, z in profile for x, y in square]
        faces = [
            (low + i, low + (i + 1) % 8, low + 8 + (i + 1) % 8, low + 8 + i)
            for low in range(0, len(points) - 8, 8)
            for i in range(8)
        ]
        self.add(material, points, faces)

    def box(self, material: str, center: tuple, half: tuple, turns: int = 0) -> None:
        """Turned by so many quarters about the tower's axis."""
        points = []
        for corner in range(8):
            x, y, z = (center[i] + half[i] * (corner >> i & 1 or -1) for i in range(3))
            for _ in range(turns):
                x, y = -y, x
            points.append((x, y, z))
        faces = [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (4, 5, 7, 6), (0, 2, 3, 1)]
        self.add(material, points, faces)

    def object(self, name: str, sharp: float) -> bpy.types.Object:
        """Edges beyond that angle are sharp."""
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(self.points, [], self.faces)
        for material in COLORS:
            mesh.materials.append(bpy.data.materials[material])
        mesh.polygons.foreach_set("material_index", self.materials)
        mesh.shade_smooth()
        mesh.set_sharp_from_angle(angle=sharp)
        return link(name, mesh)


def crown() -> bpy.types.Object:
    """Cubes on a circle that turns and tilts, instances made by geometry nodes."""
    tree = bpy.data.node_groups.new("Crown", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")

    def node(kind: str, **inputs: object) -> bpy.types.NodeSocket:
        new = tree.nodes.new(kind)
        for name, value in inputs.items():
            if isinstance(value, bpy.types.NodeSocket):
                tree.links.new(value, new.inputs[name])
            else:
                new.inputs[name].default_value = value
        return new.outputs[0]

    circle = node("GeometryNodeMeshCircle", Vertices=21, Radius=1.9)
    cube = node("GeometryNodeMeshCube", Size=(0.26, 0.26, 0.26))
    gold = node("GeometryNodeSetMaterial", Geometry=cube, Material=bpy.data.materials["Gold"])
    index = node("GeometryNodeInputIndex")
    tumbled = node("ShaderNodeCombineXYZ", X=index, Y=index)
    ring = node("GeometryNodeInstanceOnPoints", Points=circle, Instance=gold, Rotation=tumbled)
    tree.links.new(ring, tree.nodes.new("NodeGroupOutput").inputs[0])
    cubes = link("Crown", bpy.data.meshes.new("Crown"))
    cubes.modifiers.new("Crown", "NODES").node_group = tree
    cubes.location.z = 2.1
    for frame in range(1, FRAMES + 1):
        cubes.rotation_euler = 0.3, 0.0, math.tau * (0.4 + (frame - 1) / (FRAMES - 1))
        cubes.keyframe_insert("rotation_euler", frame=frame)
    return cubes


def link(name: str, data: bpy.types.ID) -> bpy.types.Object:
    new = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(new)
    return new
