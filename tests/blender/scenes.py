# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small objects that move, made without bpy.ops."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import bmesh
import bpy

Object = bpy.types.Object


def link(name: str, data: bpy.types.ID | None, collection=None) -> Object:
    obj = bpy.data.objects.new(name, data)
    (collection or bpy.context.scene.collection).objects.link(obj)
    return obj


def mesh_object(name: str, make: Callable[[bmesh.types.BMesh], object], **where) -> Object:
    mesh = bpy.data.meshes.new(name)
    shape = bmesh.new(use_operators=True)
    make(shape)
    shape.to_mesh(mesh)
    shape.free()
    return link(name, mesh, **where)


def cube(name: str = "Cube", size: float = 2.0, **where) -> Object:
    return mesh_object(name, lambda shape: bmesh.ops.create_cube(shape, size=size), **where)


def grid(name: str = "Grid", cells: int = 4, smooth: bool = True, **where) -> Object:
    obj = mesh_object(
        name,
        lambda shape: bmesh.ops.create_grid(shape, x_segments=cells, y_segments=cells, size=1),
        **where,
    )
    if smooth:
        obj.data.shade_smooth()
    return obj


def ball(name: str = "Ball", **where) -> Object:
    obj = mesh_object(
        name,
        lambda shape: bmesh.ops.create_uvsphere(shape, u_segments=8, v_segments=5, radius=1),
        **where,
    )
    obj.data.shade_smooth()
    return obj


def wave(obj: Object) -> Object:
    modifier = obj.modifiers.new("Wave", "WAVE")
    modifier.height, modifier.width, modifier.narrowness = 0.4, 1.2, 1.5
    modifier.time_offset = -20
    return obj


def keyed(owner, path: str, *keys: tuple[float, object], index: int = -1) -> None:
    """Keyframes (frame, value) on a property."""
    for frame, value in keys:
        if index < 0:
            setattr(owner, path, value)
        else:
            getattr(owner, path)[index] = value
        owner.keyframe_insert(path, index=index, frame=frame)


def moving(obj: Object) -> Object:
    """Turns and drifts, by keys, from frame 1 to 5."""
    keyed(obj, "location", (1, (0.3, -1.0, 0.5)), (5, (1.7, 2.0, -0.25)))
    keyed(obj, "rotation_euler", (1, (0.1, 0.2, 0.3)), (5, (0.5, -1.0, 2.0)))
    return obj


def driven(owner, path: str, expression: str, index: int = -1) -> None:
    """Simple expressions only: they need no permission to run Python."""
    curve = owner.driver_add(path, index) if index >= 0 else owner.driver_add(path)
    curve.driver.expression = expression


def collection(name: str, parent=None) -> bpy.types.Collection:
    """In no scene, unless it has a parent."""
    made = bpy.data.collections.new(name)
    if parent is not None:
        parent.children.link(made)
    return made


def instance_of(name: str, instanced: bpy.types.Collection, where=None) -> Object:
    obj = link(name, None, where)
    obj.instance_type = "COLLECTION"
    obj.instance_collection = instanced
    return obj


def text(name: str = "Text", body: str = "Vat", **where) -> Object:
    curve = bpy.data.curves.new(name, "FONT")
    curve.body, curve.extrude, curve.resolution_u = body, 0.1, 2
    return link(name, curve, **where)


def curve_object(name: str = "Curve", depth: float = 0.1, **where) -> Object:
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions, curve.bevel_depth = "3D", depth
    curve.bevel_resolution, curve.resolution_u = 1, 4
    spline = curve.splines.new("BEZIER")
    spline.bezier_points.add(2)
    for i, point in enumerate(spline.bezier_points):
        point.co = (i, math.sin(2 * i), 0.3 * i)
        point.handle_left_type = point.handle_right_type = "AUTO"
    return link(name, curve, **where)


def surface(name: str = "Surface") -> Object:
    data = bpy.data.curves.new(name, "SURFACE")
    data.dimensions, data.resolution_u, data.resolution_v = "3D", 2, 2
    for row in range(4):
        spline = data.splines.new("NURBS")
        spline.points.add(3)
        for column, point in enumerate(spline.points):
            point.co = (column, row, math.sin(row + column), 1)
    obj = link(name, data)
    # Rows become a surface in Edit Mode only.
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    for spline in data.splines:
        for point in spline.points:
            point.select = True
    bpy.ops.curve.make_segment()
    bpy.ops.object.mode_set(mode="OBJECT")
    data.splines[0].use_endpoint_u = data.splines[0].use_endpoint_v = True
    return obj


def metaball(name: str, resolution: float = 0.5, **where) -> Object:
    data = bpy.data.metaballs.new(name)
    data.resolution, data.render_resolution = resolution, resolution
    data.elements.new().radius = 1.5
    return link(name, data, **where)


def armature(bones: int = 3, frames: tuple[int, int] = (1, 5)) -> Object:
    """A chain of bones along x that curls up."""
    obj = link("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    last = None
    for i in range(bones):
        bone = obj.data.edit_bones.new(f"Bone{i}")
        bone.head = (-1 + 2 * i / bones, 0, 0)
        bone.tail = (-1 + 2 * (i + 1) / bones, 0, 0)
        bone.parent = last
        last = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in obj.pose.bones:
        bone.rotation_mode = "XYZ"
        keyed(bone, "rotation_euler", (frames[0], (0, 0, 0)), (frames[1], (0.7, 0.1, 0.4)))
    return obj


def skinned(obj: Object, rig: Object) -> Object:
    """Weights by distance to the bones' middles."""
    for bone in rig.data.bones:
        group = obj.vertex_groups.new(name=bone.name)
        middle = (bone.head_local + bone.tail_local) / 2
        for vertex in obj.data.vertices:
            group.add([vertex.index], math.exp(-4 * (vertex.co - middle).length_squared), "REPLACE")
    obj.modifiers.new("Armature", "ARMATURE").object = rig
    return obj


# -------------------------------------------------------------------------------------------------
# Geometry nodes


def geometry_nodes(
    obj: Object, make: Callable[[bpy.types.NodeTree, object], object]
) -> bpy.types.Modifier:
    """A modifier whose group is Group Input, what `make(tree, geometry)` returns, Group Output."""
    tree = bpy.data.node_groups.new("Nodes", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    geometry = tree.nodes.new("NodeGroupInput").outputs[0]
    tree.links.new(make(tree, geometry), tree.nodes.new("NodeGroupOutput").inputs[0])
    modifier = obj.modifiers.new("Nodes", "NODES")
    modifier.node_group = tree
    return modifier


def node(tree: bpy.types.NodeTree, kind: str, inputs: dict | None = None, **properties):
    """A node; inputs, by name, are sockets to link or values."""
    made = tree.nodes.new(kind)
    for name, value in properties.items():
        setattr(made, name, value)
    for name, value in (inputs or {}).items():
        if isinstance(value, bpy.types.NodeSocket):
            tree.links.new(value, made.inputs[name])
        else:
            made.inputs[name].default_value = value
    return made


def frame_socket(tree: bpy.types.NodeTree, scale: float = 1.0, add: float = 0.0):
    """The scene's frame, times `scale`, plus `add`."""
    frame = node(tree, "GeometryNodeInputSceneTime").outputs["Frame"]
    math_node = tree.nodes.new("ShaderNodeMath")
    math_node.operation = "MULTIPLY_ADD"
    tree.links.new(frame, math_node.inputs[0])
    math_node.inputs[1].default_value, math_node.inputs[2].default_value = scale, add
    return math_node.outputs[0]


def vector(tree: bpy.types.NodeTree, **inputs):
    return node(tree, "ShaderNodeCombineXYZ", inputs).outputs[0]


def shifted(tree: bpy.types.NodeTree, geometry, x: float = 0.1):
    """Drifts along x and bends with the frame."""
    offset = vector(tree, X=frame_socket(tree, x), Z=frame_socket(tree, 0.05, 0.2))
    return node(tree, "GeometryNodeSetPosition", {"Geometry": geometry, "Offset": offset}).outputs[
        0
    ]


def select(*objects: Object, active: Object | None = None) -> Sequence[Object]:
    for obj in objects:
        obj.select_set(True)
    bpy.context.view_layer.objects.active = active or (objects[0] if objects else None)
    return objects
