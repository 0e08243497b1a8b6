# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The least that any bake in Blender does: evaluate each frame, read it, write the bytes.

Reads what a bake has to read, by the fastest calls that Blender has, into arrays that are reused,
and does nothing with it.
"""

from __future__ import annotations

import os
from pathlib import Path

import bpy
import numpy as np

NORMALS = {"POINT": "vertex_normals", "FACE": "polygon_normals", "CORNER": "corner_normals"}
CHUNK = b"VAT!" * (1 << 18)


class Reader:
    """Reads positions and normals of one object's evaluated mesh into arrays that it keeps."""

    def __init__(self) -> None:
        self.points = np.empty(0, np.float32)
        self.normals = np.empty(0, np.float32)

    def read(self, evaluated: bpy.types.Object) -> bpy.types.Mesh:
        mesh = evaluated.data
        positions = mesh.attributes["position"].data
        normals = getattr(mesh, NORMALS[mesh.normals_domain])
        if self.points.size != 3 * len(positions):
            self.points = np.empty(3 * len(positions), np.float32)
        if self.normals.size != 3 * len(normals):
            self.normals = np.empty(3 * len(normals), np.float32)
        positions.foreach_get("vector", self.points)
        normals.foreach_get("vector", self.normals)
        return mesh


def evaluate(source: bpy.types.Object, frame: int) -> bpy.types.Object:
    """The object as it is at a frame."""
    bpy.context.scene.frame_set(frame)
    return source.evaluated_get(bpy.context.evaluated_depsgraph_get())


def read_frames(source: bpy.types.Object, frames: int) -> None:
    reader = Reader()
    for frame in range(1, frames + 1):
        reader.read(evaluate(source, frame))


def write_bytes(path: Path, size: int) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        while size > 0:
            size -= os.write(file, CHUNK[:size])
    finally:
        os.close(file)


def run(source: bpy.types.Object, frames: int, path: Path, size: int) -> None:
    read_frames(source, frames)
    write_bytes(path, size)
