# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes for core.baker that no Blender made: meshes as arrays, moved by functions."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import truevat_native as native
from truevat.core.baker import Baker
from truevat.core.mesh import MeshSnapshot, Topology
from truevat.core.settings import BakeSettings

from exr_reader import read_exr

EYE = np.eye(4, dtype=np.float32)


def translation(*offset):
    matrix = EYE.copy()
    matrix[:3, 3] = offset
    return matrix


def grid(columns, rows):
    """Quads over a grid of points; their topology and (points, 3) positions."""
    across = columns + 1
    first = (np.arange(rows)[:, None] * across + np.arange(columns)).reshape(-1)
    quads = np.stack([first, first + 1, first + across + 1, first + across], axis=1)
    start = np.arange(columns * rows, dtype=np.int32) * 4
    topology = Topology(
        points=across * (rows + 1),
        corner_vert=np.int32(quads).reshape(-1),
        face_start=start,
        triangles=np.stack([start + [[0], [0]], start + [[1], [2]], start + [[2], [3]]], axis=2)
        .transpose(1, 0, 2)
        .reshape(-1, 3)
        .astype(np.int32),
        triangle_face=np.repeat(np.arange(columns * rows, dtype=np.int32), 2),
    )
    y, x = np.divmod(np.arange(topology.points), across)
    return topology, np.stack([x, y, np.zeros_like(x)], axis=1).astype(np.float32)


def snapshot(topology, points, group=0, matrix=EYE):
    return MeshSnapshot(
        group=group,
        topology=topology,
        points=np.float32(points),
        normals=np.tile(np.float32([0, 0, 1]), (topology.corners, 1)),
        matrix=matrix,
        material_index=np.zeros(topology.faces, np.int32),
    )


def upward(count):
    return np.tile(np.float32([0, 0, 1]), (count, 1))


def part(snap, points=None, normals=None, domain=native.POINT, matrix=None, samples=()):
    points = snap.points if points is None else np.float32(points)
    normals = upward(len(points)) if normals is None else np.float32(normals)
    return snap.group, points, normals, domain, snap.matrix if matrix is None else matrix, *samples


def make_baker(
    snapshots, frames, names=("A",), origins=None, times=None, stream=None, clips=(), **settings
):
    """A baker that has all frames, which are lists of parts. `stream` is the folder of the file
    that later frames go to as they come, if the first one decides the layout."""
    settings = {"profile": "nekovat", **settings}
    baker = Baker(BakeSettings(output=Path("out"), **settings), names, clips)
    origins = np.zeros((len(names), 3), np.float32) if origins is None else np.float32(origins)
    baker.begin(snapshots, origins)
    for parts, time in zip(frames, times or map(Fraction, range(len(frames))), strict=True):
        baker.frame(parts, Fraction(time))
        if stream and len(baker.times) == 1:
            baker.expect(len(frames))
            for _ in baker.stream_steps(lambda suffix: stream / f"a{suffix}"):
                pass
    return baker


def picture(baker, path):
    """(height, width, RGBA), row 0 at the bottom; after plan()."""
    done = list(baker.write(lambda suffix: path))
    height = baker.result.layout.height
    assert done[-1] == (height, height)
    assert [rows for rows, _ in done] == sorted(rows for rows, _ in done)
    return read_exr(path)[::-1]


def decode(pixels, plan, part, frame):
    """(positions, words) of the corners that part's address names, as a shader would look them
    up."""
    width, _, rows = plan.layout[:3]
    row, column = np.divmod(plan.address[part], width)
    texels = pixels[1 + row + frame * rows, column]
    return texels[:, :3], np.ascontiguousarray(texels[:, 3]).view(np.uint32)
