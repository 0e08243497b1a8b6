# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Captured meshes to playback meshes: joined, in world space, addressed.

The addresses are always the second UV map, since players read TEXCOORD1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import truevat_native as native

from .errors import BakeError
from .mesh import Color, Floats, Ints, MeshSnapshot, PlaybackMesh, Topology
from .widen import widened

EMPTY_MAP = "UVMap"
MOST_UV_MAPS = 8  # Blender's MAX_MTFACE


def is_mirrored(matrix: Floats) -> bool:
    """Whether this (4, 4) matrix turns faces inside out, judged as truevat_native does."""
    rows = np.asarray(matrix, np.float64)[:3, :3]
    return bool(rows[0] @ np.cross(rows[1], rows[2]) < 0)


def outward(triangles: Ints, matrix: Floats) -> Ints:
    """(triangles, 3) corners with their front side out in world space.

    Samples addressed by vertex ID have this order.
    """
    return triangles[:, [0, 2, 1]] if is_mirrored(matrix) else triangles


def world_triangles(part: MeshSnapshot) -> Ints:
    """(triangles, 3) corners of the part's loop triangles, front side out in world space."""
    return outward(part.topology.triangles, part.matrix)


def playback_mesh(
    name: str,
    parts: Sequence[MeshSnapshot],
    address: Floats,
    origin: Floats,
    *,
    address_map: str = "VertexUV",
    triangulate: bool = False,
    widen: Floats | None = None,
    slot0_uv: Sequence[float] | None = None,
    source: str | None = None,
) -> PlaybackMesh:
    """Joins mesh instances into the mesh that plays their animation.

    `address`: (corners, 2), one for each of the parts' own corners, in their order. `origin`: (3,)
    world position that becomes the mesh's zero. `widen`: (2, 3) the animation's bounds in world
    space; two tiny triangles at their corners, addressed by `slot0_uv`, make importers see them.
    `source` is the object that errors name; by default `name`.
    """
    names = uv_names(source or name, parts, address_map)
    origin = np.asarray(origin, np.float32)
    faces = [_Faces.of(part, triangulate) for part in parts]
    materials, material_index = _unite_materials(parts, [f.source_face for f in faces])

    point_offset = _offsets(len(part.points) for part in parts)
    source_offset = _offsets(part.topology.corners for part in parts)
    corner_offset = _offsets(f.count for f in faces)
    address = np.asarray(address, np.float32)

    def per_corner(arrays: Sequence[Floats]) -> Floats:
        return _join([f.pick(array) for array, f in zip(arrays, faces, strict=True)])

    uv_maps = {
        uv: per_corner([part.uv_maps.get(uv, _zeros(part.topology.corners, 2)) for part in parts])
        for uv in names
        if uv != address_map
    }
    uv_maps[address_map] = per_corner(np.split(address, source_offset[1:]))
    mesh = PlaybackMesh(
        name=name,
        points=_join(
            [native.transform_points(part.points, part.matrix)[0] - origin for part in parts]
        ),
        corner_vert=_join(
            [
                f.pick(part.topology.corner_vert) + at
                for part, f, at in zip(parts, faces, point_offset, strict=True)
            ]
        ),
        face_start=_join([f.start + at for f, at in zip(faces, corner_offset, strict=True)]),
        normals=per_corner(
            [native.transform_normals(part.normals, part.matrix)[0] for part in parts]
        ),
        material_index=material_index,
        materials=materials,
        uv_maps={uv: uv_maps[uv] for uv in names},
        active_uv=next((part.active_uv for part in parts if part.active_uv), names[0]),
        colors=_unite_colors(parts, faces),
    )
    if widen is None:
        return mesh
    if slot0_uv is None:
        raise ValueError("the triangles that widen the bounds need slot0_uv")
    return widened(mesh, np.asarray(widen, np.float32) - origin, address_map, slot0_uv)


def triangle_mesh(parts: Sequence[MeshSnapshot], address: Floats) -> PlaybackMesh:
    """The stand-in that samples addressed by vertex ID are played on, whatever their topology.

    `address`: (3 * triangles, 2) in sample order, for the frame with the most triangles. Those of
    the first frame, `world_triangles` of all parts in order, give UVs and materials.
    """
    count = len(address) // 3
    points = np.empty((count, 3, 3), np.float32)
    points[:, :, :2] = (1, 0), (-1, 0), (0, 1)
    points[:, :, 2] = (np.arange(count) / 1000)[:, None]

    uv = _zeros(3 * count, 2)
    materials, first_index = _unite_materials(parts, [p.topology.triangle_face for p in parts])
    material_index = np.zeros(count, np.int32)
    material_index[: len(first_index)] = first_index
    at = 0
    for part in parts:
        corners = world_triangles(part).ravel()
        if part.active_uv is not None:
            uv[at : at + len(corners)] = part.uv_maps[part.active_uv][corners]
        at += len(corners)

    return PlaybackMesh(
        name="TriangleMesh",
        points=points.reshape(-1, 3),
        corner_vert=np.arange(3 * count, dtype=np.int32),
        face_start=np.arange(0, 3 * count, 3, dtype=np.int32),
        normals=None,
        material_index=material_index,
        materials=materials,
        uv_maps={EMPTY_MAP: uv, "VertexUV": np.asarray(address, np.float32)},
        active_uv=EMPTY_MAP,
    )


def soup_mesh(
    name: str,
    parts: Sequence[MeshSnapshot],
    address: Floats,
    origin: Floats,
    *,
    address_map: str,
    widen: Floats | None = None,
) -> PlaybackMesh:
    """Triangles that share no points, at the first frame's places.

    `address`: (3 * triangles, 2) in slot order, for the frame with the most triangles. Those that
    the first frame lacks have all corners at its first point.
    """
    corners = sum(part.topology.corners for part in parts)
    mesh = playback_mesh(
        name, parts, _zeros(corners, 2), origin, address_map=address_map, triangulate=True
    )
    has, count = len(mesh.corner_vert), len(address)
    points = mesh.points[mesh.corner_vert] if has else _zeros(0, 3)
    nowhere = points[:1] if has else _zeros(1, 3)
    up = np.tile(np.float32([0, 0, 1]), (count - has, 1))

    def extended(values: np.ndarray) -> np.ndarray:
        missing = np.zeros((count - has, *values.shape[1:]), values.dtype)
        return np.concatenate([values, missing])

    def split(color: Color) -> Color:
        values = color.values
        if color.domain == "POINT":
            values = values[mesh.corner_vert]
        return Color("CORNER", color.kind, extended(values))

    uv_maps = {uv: extended(values) for uv, values in mesh.uv_maps.items()}
    uv_maps[address_map] = np.asarray(address, np.float32)
    material_index = np.zeros(count // 3, np.int32)
    material_index[: has // 3] = mesh.material_index
    soup = PlaybackMesh(
        name=name,
        points=np.concatenate([points, np.repeat(nowhere, count - has, axis=0)]),
        corner_vert=np.arange(count, dtype=np.int32),
        face_start=np.arange(0, count, 3, dtype=np.int32),
        normals=np.concatenate([mesh.normals, up]),
        material_index=material_index,
        materials=mesh.materials,
        uv_maps=uv_maps,
        active_uv=mesh.active_uv,
        colors={color: split(values) for color, values in mesh.colors.items()},
    )
    if widen is None:
        return soup
    box = np.asarray(widen, np.float32) - np.asarray(origin, np.float32)
    return widened(soup, box, address_map, soup.uv_maps[address_map][0])


@dataclass(frozen=True)
class _Faces:
    """A part's faces as they are played.

    corners: the part's own corner that each new corner is, None if they are the part's as they are.
    count: of new corners. start: first new corner of each face. source_face: the part's own face
    that each is, or is a piece of.
    """

    corners: Ints | None
    count: int
    start: Ints
    source_face: Ints

    @classmethod
    def of(cls, part: MeshSnapshot, triangulate: bool) -> _Faces:
        topology = part.topology
        if triangulate:
            corners = world_triangles(part).ravel()
            start = np.arange(0, len(corners), 3, dtype=np.int32)
            return cls(corners, len(corners), start, topology.triangle_face)
        mirrored = is_mirrored(part.matrix)
        corners = _reversed_winding(topology) if mirrored else None
        every_face = np.arange(topology.faces, dtype=np.int32)
        return cls(corners, topology.corners, topology.face_start, every_face)

    def pick(self, values: np.ndarray) -> np.ndarray:
        """Values of the part's corners, for the new ones."""
        return values if self.corners is None else values[self.corners]


def _join(arrays: Sequence[np.ndarray]) -> np.ndarray:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _reversed_winding(topology: Topology) -> Ints:
    """Each face's first corner stays the first; the others follow in reverse."""
    start, face = topology.face_start, topology.corner_face
    corners = np.arange(topology.corners, dtype=np.int32)
    first = start[face]
    end = np.append(start[1:], np.int32(len(corners)))[face]
    return np.where(corners == first, corners, first + end - corners)


def _offsets(counts: Iterable[int]) -> list[np.int32]:
    return [np.int32(0), *np.cumsum(list(counts), dtype=np.int32)][:-1]


def _zeros(count: int, width: int) -> Floats:
    return np.zeros((count, width), np.float32)


def uv_names(source: str, parts: Sequence[MeshSnapshot], address_map: str) -> list[str]:
    """The names of the UV maps in their final order; refuses what a mesh cannot hold."""
    uvs = list(dict.fromkeys(uv for part in parts for uv in part.uv_maps))
    colors = {color for part in parts for color in part.colors}
    for kind, names in (("UV map", uvs), ("colour attribute", colors)):
        if address_map in names:
            raise BakeError(
                f"'{source}' has a {kind} called '{address_map}', the name that the addresses "
                "need; rename it"
            )
    for uv in uvs:
        if uv in colors:
            raise BakeError(
                f"'{source}' has instances in which '{uv}' is a UV map and others in which it is "
                "a colour attribute; rename one of the two"
            )
    if len(uvs) >= MOST_UV_MAPS:
        rendered = {part.active_uv for part in parts}
        spare = [uv for uv in uvs[1:] if uv not in rendered][MOST_UV_MAPS - 1 - len(uvs) :]
        raise BakeError(
            f"'{source}' has {len(uvs)} UV maps; with '{address_map}' a mesh holds "
            f"{MOST_UV_MAPS - 1} at most. Remove {', '.join(map(repr, spare))}"
        )
    first = uvs[0] if uvs else _free_name(EMPTY_MAP, colors)
    return [first, address_map, *uvs[1:]]


def _free_name(name: str, taken: set[str]) -> str:
    """Attributes of all kinds share one set of names."""
    number, free = 0, name
    while free in taken:
        number += 1
        free = f"{name}.{number:03d}"
    return free


def _unite_materials(
    parts: Sequence[MeshSnapshot], source_faces: Sequence[Ints]
) -> tuple[tuple[str | None, ...], Ints]:
    """The parts' materials as one list of slots, and the slot of each new face."""
    slots = [part.materials or (None,) for part in parts]
    united = list(dict.fromkeys(material for names in slots for material in names))
    indices = []
    for part, names, faces in zip(parts, slots, source_faces, strict=True):
        slot = np.array([united.index(material) for material in names], np.int32)
        # Blender draws an index beyond the last slot with the last slot's material
        indices.append(slot[np.clip(part.material_index[faces], 0, len(names) - 1)])
    return (() if united == [None] else tuple(united)), np.concatenate(indices)


def _unite_colors(parts: Sequence[MeshSnapshot], faces: Sequence[_Faces]) -> dict[str, Color]:
    """Each colour attribute over all parts; zeros in those that lack it."""
    united = {}
    for name in dict.fromkeys(color for part in parts for color in part.colors):
        found = [part.colors[name] for part in parts if name in part.colors]
        domain = found[0].domain if len({color.domain for color in found}) == 1 else "CORNER"
        kind = found[0].kind if len({color.kind for color in found}) == 1 else "FLOAT_COLOR"
        values = [
            _color_values(part, f, part.colors.get(name), domain, kind)
            for part, f in zip(parts, faces, strict=True)
        ]
        united[name] = Color(domain, kind, np.concatenate(values))
    return united


def _color_values(
    part: MeshSnapshot, faces: _Faces, color: Color | None, domain: str, kind: str
) -> Floats:
    if color is None:
        return _zeros(len(part.points) if domain == "POINT" else faces.count, 4)
    values = color.values if color.kind == kind else _srgb_to_linear(color.values)
    if domain == "POINT":
        return values
    if color.domain == "POINT":
        values = values[part.topology.corner_vert]
    return faces.pick(values)


def _srgb_to_linear(values: Floats) -> Floats:
    """IEC 61966-2-1; alpha is linear already."""
    rgb = values[:, :3]
    linear = np.where(rgb < 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return np.concatenate([linear, values[:, 3:]], axis=1).astype(np.float32)
