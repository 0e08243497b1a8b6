# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes as arrays: what was captured at the first frame, and what playback objects are made of."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Color:
    """A colour attribute. `domain` is POINT or CORNER, `kind` is FLOAT_COLOR or BYTE_COLOR.

    `values`: float32 (elements, 4), linear for FLOAT_COLOR, sRGB for BYTE_COLOR, so that bytes come
    back as they were.
    """

    domain: str
    kind: str
    values: Floats


@dataclass(frozen=True, eq=False)
class Topology:
    """How the corners of one mesh instance hang together. int32 arrays, the mesh's own indices.

    corner_vert: (corners,) point of each corner. face_start: (faces,) first corner of each face.
    triangles: (triangles, 3) corners of Blender's own loop triangles, in their order.
    triangle_face: (triangles,) face of each. The two are empty where nobody needs them.
    """

    points: int
    corner_vert: Ints
    face_start: Ints
    triangles: Ints
    triangle_face: Ints

    @property
    def corners(self) -> int:
        return len(self.corner_vert)

    @property
    def faces(self) -> int:
        return len(self.face_start)

    @property
    def counts(self) -> tuple[int, int, int]:
        """Points, corners and faces."""
        return self.points, self.corners, self.faces

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Topology)
            and self.counts == other.counts
            and np.array_equal(self.corner_vert, other.corner_vert)
            and np.array_equal(self.face_start, other.face_start)
        )

    @cached_property
    def corner_face(self) -> Ints:
        """(corners,) the face of each corner."""
        sizes = np.diff(self.face_start, append=np.int32(self.corners))
        return np.repeat(np.arange(self.faces, dtype=np.int32), sizes)


@dataclass(frozen=True)
class MeshSnapshot:
    """One mesh instance as it was evaluated at the first baked frame.

    `group` is the index of the source object that it belongs to. `points`: float32 (points, 3),
    local space; `matrix`: float32 (4, 4), local to world. `normals`: float32 (corners, 3), local
    space, of unit length. `materials`: the names of the slots' materials, None for an empty slot.
    `uv_maps`: float32 (corners, 2) by name, in the mesh's order; `active_uv` is the one that is
    rendered.
    """

    group: int
    topology: Topology
    points: Floats
    normals: Floats
    matrix: Floats
    material_index: Ints
    materials: tuple[str | None, ...] = ()
    uv_maps: dict[str, Floats] = field(default_factory=dict)
    active_uv: str | None = None
    colors: dict[str, Color] = field(default_factory=dict)


@dataclass(frozen=True)
class PlaybackMesh:
    """A mesh that an engine plays the texture on; world axes, metres, relative to its object.

    points: float32 (points, 3). corner_vert: int32 (corners,) point of each corner. face_start:
    int32 (faces,) first corner of each face. normals: float32 (corners, 3) of unit length; None
    leaves them to whoever draws it. material_index: int32 (faces,) into `materials`, which are
    names, None for an empty slot. uv_maps: float32 (corners, 2) by name, in their final order.
    `name` is the mesh datablock's. The last `widening` triangles only widen the bounds.
    """

    name: str
    points: Floats
    corner_vert: Ints
    face_start: Ints
    normals: Floats | None
    material_index: Ints
    materials: tuple[str | None, ...]
    uv_maps: dict[str, Floats]
    active_uv: str
    colors: dict[str, Color] = field(default_factory=dict)
    widening: int = 0


def mesh_content_hash(meshes: Iterable[PlaybackMesh]) -> str:
    """SHA-256, in hex, of what pairs meshes with a texture: positions, UV maps and indices.

    Per mesh, all little-endian: uint64 counts of points, corners, faces and UV maps; then points,
    UV maps in their order (float32), corner_vert and face_start (int32).
    """
    digest = hashlib.sha256()
    for mesh in meshes:
        counts = (len(mesh.points), len(mesh.corner_vert), len(mesh.face_start), len(mesh.uv_maps))
        digest.update(np.array(counts, "<u8"))
        for values in (mesh.points, *mesh.uv_maps.values()):
            digest.update(np.ascontiguousarray(values, "<f4"))
        for indices in (mesh.corner_vert, mesh.face_start):
            digest.update(np.ascontiguousarray(indices, "<i4"))
    return digest.hexdigest()
