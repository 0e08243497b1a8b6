# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender shows, corner by corner and as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from evaluated import go_to, read_corners

# A surface that is scaled to a line or a point has no direction: the bake says upwards.
NO_DIRECTION = (0.0, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Shown:
    """One object in one frame, in world space.

    `positions`: float32 (corners, 3). `normals`: float64 (corners, 3). `faces` and `triangles` are
    corners, front sides out. `flat`: scaled to nothing along some axis, so without front sides.
    """

    positions: np.ndarray
    normals: np.ndarray
    faces: np.ndarray
    triangles: np.ndarray
    origin: np.ndarray
    flat: bool


def read_shown(name: str) -> Shown:
    evaluated = bpy.data.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get())
    matrix = evaluated.matrix_world.copy()
    determinant = matrix.to_3x3().determinant()
    mesh = evaluated.to_mesh()
    corners = read_corners(mesh, matrix)
    faces = []
    for polygon in mesh.polygons:
        first, *others = polygon.loop_indices
        faces += [first, *(reversed(others) if determinant < 0 else others)]
    mesh.calc_loop_triangles()
    triangles = []
    for triangle in mesh.loop_triangles:
        a, b, c = triangle.loops
        triangles += (a, c, b) if determinant < 0 else (a, b, c)
    evaluated.to_mesh_clear()
    return Shown(
        positions=np.array([corner.position for corner in corners], np.float32),
        normals=np.array([NO_DIRECTION if c.normal is None else c.normal for c in corners]),
        faces=np.array(faces),
        triangles=np.array(triangles),
        origin=np.array(matrix.translation, np.float32),
        flat=abs(determinant) < 1e-9,
    )


def read_all(names: Sequence[str], times: Sequence[float]) -> list[list[Shown]]:
    """For each time, what each object shows."""
    frames = []
    for time in times:
        go_to(time)
        frames.append([read_shown(name) for name in names])
    assert any(
        first.positions.tobytes() != last.positions.tobytes()
        for first, last in zip(frames[0], frames[-1], strict=True)
    ), "nothing moves"
    return frames


def by_uv(shown: Sequence[Shown], first: Sequence[Shown]) -> tuple[np.ndarray, np.ndarray]:
    """Positions and normals of all objects' corners, face by face, about their first origins."""
    positions = [s.positions[f.faces] - f.origin for s, f in zip(shown, first, strict=True)]
    normals = [s.normals[f.faces] for s, f in zip(shown, first, strict=True)]
    return np.concatenate(positions), np.concatenate(normals)


def by_id(shown: Sequence[Shown], triangulated: Sequence[Shown]) -> tuple[np.ndarray, np.ndarray]:
    """Positions and normals of all triangles' corners, cut as `triangulated` are."""
    pairs = list(zip(shown, triangulated, strict=True))
    return (
        np.concatenate([s.positions[t.triangles] for s, t in pairs]),
        np.concatenate([s.normals[t.triangles] for s, t in pairs]),
    )


# -------------------------------------------------------------------------------------------------
# Playback objects


def addresses(names: Sequence[str]) -> np.ndarray:
    """float32 (corners, 2): the second UV maps of these objects, which players read as TEXCOORD1"""
    found = []
    for name in names:
        layer = bpy.data.objects[name].data.uv_layers[1]
        assert layer.name == "VertexUV"
        found += [item.vector[:] for item in layer.uv]
    return np.array(found, np.float32)
