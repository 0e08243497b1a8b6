# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Importers cull by the bounds of the mesh that they see: let it reach as far as the animation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .mesh import Floats, PlaybackMesh


def widened(
    mesh: PlaybackMesh, bounds: Floats, address_map: str, slot0_uv: Sequence[float]
) -> PlaybackMesh:
    """The mesh with a tiny triangle at both corners of `bounds`, float32 (2, 3), relative to it.

    All their corners read the same slot, so that a player collapses them to nothing.
    """
    uv_maps = {uv: _extended(values) for uv, values in mesh.uv_maps.items()}
    uv_maps[address_map][-6:] = slot0_uv
    new_points = np.arange(6, dtype=np.int32) + np.int32(len(mesh.points))
    new_starts = np.array([0, 3], np.int32) + np.int32(len(mesh.corner_vert))
    up = np.tile(np.float32([0, 0, 1]), (6, 1))
    return replace(
        mesh,
        points=np.append(mesh.points, _corner_triangles(*bounds), 0),
        corner_vert=np.append(mesh.corner_vert, new_points),
        face_start=np.append(mesh.face_start, new_starts),
        normals=np.append(mesh.normals, up, 0),
        material_index=np.append(mesh.material_index, np.zeros(2, np.int32)),
        uv_maps=uv_maps,
        widening=2,
        colors={
            name: replace(color, values=_extended(color.values))
            for name, color in mesh.colors.items()
        },
    )


def _extended(values: Floats) -> Floats:
    return np.append(values, np.zeros((6, values.shape[1]), np.float32), 0)


def _corner_triangles(low: Floats, high: Floats) -> Floats:
    """(6, 3): a triangle from each corner of the bounds inwards, along their two longest axes.

    Bounds that are a line or a point have no second axis; there they leave it by their size.
    """
    extent = high.astype(np.float64) - low
    size = 1e-4 * extent.max() or 1e-6
    axes = np.argsort(extent, kind="stable")[1:]
    triangles = np.empty((2, 3, 3), np.float32)
    for triangle, start, end in zip(triangles, (low, high), (high, low), strict=True):
        triangle[:] = start
        for vertex, axis in enumerate(axes, 1):
            triangle[vertex, axis] = _step(start[axis], end[axis], size)
    return triangles.reshape(6, 3)


def _step(start: np.float32, end: np.float32, size: float) -> np.float32:
    """From start by size towards end, never past it, and at least to the next float32."""
    if start == end:
        end = np.float32(np.inf)
    step = min(size, abs(float(end) - float(start)))
    stepped = np.float32(float(start) + (step if end > start else -step))
    return stepped if stepped != start else np.nextafter(start, end)
