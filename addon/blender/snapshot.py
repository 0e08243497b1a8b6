# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads whole evaluated meshes: what playback objects are made of, and topologies."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ..core.mesh import Color, Floats, Ints, MeshSnapshot, Topology


def read_topology(mesh: bpy.types.Mesh, triangulate: bool) -> Topology:
    """`triangulate`: with Blender's triangles, which take a while for quads and n-gons."""
    corner_vert = read_corner_vert(mesh)
    face_start = read_face_start(mesh)
    triangles, triangle_face = np.empty((0, 3), np.int32), np.empty(0, np.int32)
    if triangulate:
        triangles, triangle_face = _read_triangles(mesh, corner_vert, face_start)
    return Topology(len(mesh.vertices), corner_vert, face_start, triangles, triangle_face)


def read_corner_vert(mesh: bpy.types.Mesh, out: Ints | None = None) -> Ints:
    """(corners,) int32. Through the attribute: `loops` has no fast path."""
    count = len(mesh.loops)
    corner_vert = np.empty(count, np.int32) if out is None or len(out) != count else out
    if count:  # an empty mesh may lack the attribute
        mesh.attributes[".corner_vert"].data.foreach_get("value", corner_vert)
    return corner_vert


def read_face_start(mesh: bpy.types.Mesh) -> Ints:
    """(faces,) int32: the first corner of each face. Slow: `loop_start` has no fast path."""
    face_start = np.empty(len(mesh.polygons), np.int32)
    mesh.polygons.foreach_get("loop_start", face_start)
    return face_start


def _read_triangles(mesh: bpy.types.Mesh, corner_vert: Ints, face_start: Ints) -> tuple[Ints, Ints]:
    if len(corner_vert) == 3 * len(face_start):  # they are what Blender would find, at no cost
        corners = np.arange(len(corner_vert), dtype=np.int32)
        return corners.reshape(-1, 3), np.arange(len(face_start), dtype=np.int32)
    mesh.calc_loop_triangles()
    triangles = np.empty((len(mesh.loop_triangles), 3), np.int32)
    mesh.loop_triangles.foreach_get("loops", triangles.reshape(-1))
    triangle_face = np.empty(len(triangles), np.int32)
    mesh.loop_triangle_polygons.foreach_get("value", triangle_face)
    return triangles, triangle_face


def read_snapshot(
    obj: bpy.types.Object,
    mesh: bpy.types.Mesh,
    group: int,
    matrix: Floats,
    topology: Topology,
    points: Floats,
    normals: Floats,
    domain: str,
) -> MeshSnapshot:
    """All of an evaluated mesh that a playback object keeps. Copies points and normals."""
    index = {"POINT": topology.corner_vert, "CORNER": slice(None)}
    picked = topology.corner_face if domain == "FACE" else index[domain]
    return MeshSnapshot(
        group=group,
        topology=topology,
        points=points.copy(),
        normals=normals[picked].copy(),
        matrix=matrix.copy(),
        material_index=_material_indices(mesh, topology),
        materials=_materials(obj, mesh),
        uv_maps={layer.name: _uv_map(layer, topology.corners) for layer in mesh.uv_layers},
        active_uv=next((layer.name for layer in mesh.uv_layers if layer.active_render), None),
        colors=_colors(mesh, topology),
    )


def _read(attribute: Any, data: Any, name: str, shape: tuple[int, ...], dtype: type) -> np.ndarray:
    """An attribute's values. One that is stored as a single value is spread over its domain."""
    values = np.empty((len(data), *shape[1:]), dtype)
    data.foreach_get(name, values.reshape(-1))
    return values if len(values) == shape[0] else np.broadcast_to(values[:1], shape).copy()


def _uv_map(layer: bpy.types.MeshUVLoopLayer, corners: int) -> Floats:
    return _read(layer, layer.uv, "vector", (corners, 2), np.float32)


def _material_indices(mesh: bpy.types.Mesh, topology: Topology) -> Ints:
    attribute = mesh.attributes.get("material_index")
    if attribute is None or attribute.domain != "FACE" or attribute.data_type != "INT":
        return np.zeros(topology.faces, np.int32)
    return _read(attribute, attribute.data, "value", (topology.faces,), np.int32)


def _materials(obj: bpy.types.Object, mesh: bpy.types.Mesh) -> tuple[str | None, ...]:
    """The mesh's materials, but the object's own where a slot is linked to the object."""
    names = [material.name if material else None for material in mesh.materials]
    for i, slot in enumerate(obj.material_slots):
        if slot.link == "OBJECT":
            names.extend([None] * (i + 1 - len(names)))
            names[i] = slot.material.name if slot.material else None
    return tuple(names)


def _colors(mesh: bpy.types.Mesh, topology: Topology) -> dict[str, Color]:
    sizes = {"POINT": topology.points, "CORNER": topology.corners}
    colors = {}
    for attribute in mesh.color_attributes:
        if attribute.domain in sizes:
            name = "color_srgb" if attribute.data_type == "BYTE_COLOR" else "color"
            shape = (sizes[attribute.domain], 4)
            values = _read(attribute, attribute.data, name, shape, np.float32)
            colors[attribute.name] = Color(attribute.domain, attribute.data_type, values)
    return colors
