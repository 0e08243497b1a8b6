# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that move by formulas, as triangles of corners that share nothing yet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Surface:
    """Points and their triangles (n, 3); `uv` (points, 2). `hard`: shaded by faces."""

    points: np.ndarray
    triangles: np.ndarray
    uv: np.ndarray
    hard: bool

    def corners(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions and normals (3 n, 3) of the corners when the points are there."""
        corners = np.float32(points)[self.triangles]
        a, b, c = np.float64(corners).transpose(1, 0, 2)
        area = np.cross(b - a, c - a)
        if self.hard:
            normals = np.repeat(area, 3, axis=0)
        else:
            sums = np.zeros((len(points), 3))
            for corner in range(3):
                np.add.at(sums, self.triangles[:, corner], area)
            normals = sums[self.triangles].reshape(-1, 3)
        return corners.reshape(-1, 3), unit(normals)


def unit(vectors: np.ndarray) -> np.ndarray:
    return np.float32(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


def sheet(cells: int) -> Surface:
    """A square of cells * cells quads from -1 to 1, facing up."""
    points, quads, uv = _grid(cells, cells)
    flat = np.stack([points[:, 0], points[:, 1], np.zeros(len(points))], axis=1)
    return Surface(flat, _split(quads), uv, hard=False)


def box(cells: int) -> Surface:
    """A cube from -1 to 1 with hard edges, cells * cells quads to a face."""
    points, quads, uv = _grid(cells, cells)
    face = np.stack([points[:, 0], points[:, 1], np.ones(len(points))], axis=1)
    turns = [np.eye(3), _turn(1, np.pi / 2), _turn(1, np.pi), _turn(1, -np.pi / 2)]
    turns += [_turn(0, np.pi / 2), _turn(0, -np.pi / 2)]
    sides = np.concatenate([np.rint(face @ turn.T * cells) / cells for turn in turns])
    faces = np.concatenate([quads + len(points) * side for side in range(6)])
    return Surface(sides, _split(faces), np.tile(uv, (6, 1)), hard=True)


def ball(segments: int, rings: int) -> Surface:
    """A sphere of radius 1."""
    points, quads, uv = _grid(segments, rings)
    around, up = points[:, 0] * np.pi, points[:, 1] * np.pi / 2
    around = np.where(points[:, 0] == 1, -np.pi, around)
    radius = np.where(np.abs(points[:, 1]) == 1, 0, np.cos(up))
    sphere = np.stack([radius * np.cos(around), radius * np.sin(around), np.sin(up)], axis=1)
    _, index = np.unique(np.round(sphere, 9), axis=0, return_inverse=True)
    same = index.reshape(-1)
    _, first = np.unique(same, return_index=True)
    triangles = first[same][_split(quads)]
    a, b, c = triangles.T
    return Surface(sphere, triangles[(a != b) & (b != c) & (c != a)], uv, hard=False)


def _grid(columns: int, rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points (n, 2) from -1 to 1, quads, and UVs from 0 to 1."""
    y, x = np.divmod(np.arange((columns + 1) * (rows + 1)), columns + 1)
    uv = np.stack([x / columns, y / rows], axis=1)
    row, column = np.divmod(np.arange(columns * rows), columns)
    first = row * (columns + 1) + column
    quads = np.stack([first, first + 1, first + columns + 2, first + columns + 1], axis=1)
    return uv * 2 - 1, quads, uv


def _split(quads: np.ndarray) -> np.ndarray:
    return quads[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)


def _turn(axis: int, angle: float) -> np.ndarray:
    matrix = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix[i, i] = matrix[j, j] = np.cos(angle)
    matrix[i, j], matrix[j, i] = -np.sin(angle), np.sin(angle)
    return matrix


def turned(points: np.ndarray, axis: int, angle: float) -> np.ndarray:
    return points @ _turn(axis, angle).T
