# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The best bake in plain Python that we know how to write, to compare ours with.

Blender's fast reads, whole-array NumPy into arrays that are made once, one pass over the frames,
and Blender's own EXR file. Same layout, same transform, same normal words, and a playback object
with its address. It leaves out what a careful bake also does: it takes one object that stands
still and is not mirrored, trusts its topology, and sets no custom normals.
"""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

from floor import Reader, evaluate

GUARD = np.uint32(0x40000000)
Floats = NDArray[np.float32]


class Frames:
    """Turns what a reader has read into world-space texels of samples."""

    def __init__(self, source: bpy.types.Object, mesh: bpy.types.Mesh, shared: bool) -> None:
        """`shared`: vertices are the samples, which needs normals that live on vertices."""
        self.domain = mesh.normals_domain
        self.shared = shared
        self.samples = len(mesh.vertices) if shared else len(mesh.loops)
        self.corner_vert, self.corner_face = _corner_indices(mesh)
        if shared and self.domain != "POINT":
            raise ValueError("Only point normals can be shared by the corners of a vertex")
        matrix = np.array(source.matrix_world, np.float32)
        self.matrix = np.zeros((3, 4), np.float32)
        self.matrix[:, :3] = matrix[:3, :3].T
        self.normal_matrix = np.linalg.inv(matrix[:3, :3]).astype(np.float32)
        points = len(mesh.vertices)
        normals = {"POINT": points, "FACE": len(mesh.polygons), "CORNER": len(mesh.loops)}
        self.texels = np.zeros((points, 4), np.float32)
        self.normals = np.empty((normals[self.domain], 3), np.float32)
        self.squares = np.empty_like(self.normals)
        self.lengths = np.empty((len(self.normals), 1), np.float32)
        self.words = np.empty(len(self.normals), np.uint32)
        self.corner_words = np.empty(len(mesh.loops), np.uint32)

    def write(self, target: Floats, reader: Reader) -> None:
        """The frame's samples, (samples, 4). The source stands at its own origin all along."""
        words = self._normal_words(reader.normals.reshape(-1, 3))
        points = reader.points.reshape(-1, 3)
        texels = target if self.shared else self.texels
        np.matmul(points, self.matrix, out=texels)
        if self.domain == "POINT":
            texels.view(np.uint32)[:, 3] = words
        if not self.shared:
            np.take(texels, self.corner_vert, axis=0, out=target, mode="clip")
        if self.domain == "FACE":
            np.take(words, self.corner_face, out=self.corner_words, mode="clip")
            target.view(np.uint32)[:, 3] = self.corner_words
        elif self.domain == "CORNER":
            target.view(np.uint32)[:, 3] = words

    def samples_of_corners(self) -> NDArray[np.intp]:
        return self.corner_vert if self.shared else np.arange(self.samples)

    def _normal_words(self, normals: Floats) -> NDArray[np.uint32]:
        unit, squares = self.normals, self.squares
        np.matmul(normals, self.normal_matrix, out=unit)
        np.multiply(unit, unit, out=squares)
        np.matmul(squares, np.ones((3, 1), np.float32), out=self.lengths)
        np.sqrt(self.lengths, out=self.lengths)
        np.divide(np.float32(127.5), self.lengths, out=self.lengths)
        np.multiply(unit, self.lengths, out=unit)
        np.add(unit, np.float32(127.5), out=unit)
        np.floor(unit, out=unit)
        packed = np.matmul(unit, np.array((65536, 256, 1), np.float32))
        np.copyto(self.words, packed, casting="unsafe")
        return np.bitwise_or(self.words, GUARD, out=self.words)


def bake(
    source: bpy.types.Object, frames: int, path: Path, max_size: int, *, shared: bool = False
) -> None:
    """Frames 1 to `frames` of one object, as a nekoVAT texture and a playback object.

    A sample is a corner, as in the original, or a vertex where the corners share its sample.
    """
    reader = Reader()
    evaluated = evaluate(source, 1)
    baker = Frames(source, reader.read(evaluated), shared)
    width, rows, height = layout(baker.samples, frames, max_size)
    _playback(source, evaluated, baker.samples_of_corners(), width, height)
    pixels = np.zeros((height * width, 4), np.float32)
    pixels[0, 3] = 1.0
    pixels.view(np.uint32)[0, 0] = rows << 16 | frames - 1
    for index in range(frames):
        if index:
            reader.read(evaluate(source, index + 1))
        first = (1 + index * rows) * width
        baker.write(pixels[first : first + baker.samples], reader)
    _save(path, width, height, pixels)


def layout(samples: int, frames: int, max_size: int) -> tuple[int, int, int]:
    """Width, rows per frame, height."""
    rows = -(-samples // max_size)
    width, height = _power_of_two(-(-samples // rows)), _power_of_two(frames * rows + 1)
    if height > max_size:
        raise ValueError(f"{samples} samples x {frames} frames do not fit {max_size} pixels")
    return width, rows, height


def _power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()


def _corner_indices(mesh: bpy.types.Mesh) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    corner_vert = np.empty(len(mesh.loops), np.intc)
    mesh.attributes[".corner_vert"].data.foreach_get("value", corner_vert)
    counts = np.empty(len(mesh.polygons), np.intc)
    mesh.polygons.foreach_get("loop_total", counts)
    return corner_vert.astype(np.intp), np.repeat(np.arange(len(counts)), counts)


def _playback(
    source: bpy.types.Object,
    evaluated: bpy.types.Object,
    samples: NDArray[np.intp],
    width: int,
    height: int,
) -> None:
    mesh = bpy.data.meshes.new_from_object(evaluated)
    matrix = source.matrix_world.copy()
    origin = matrix.translation.copy()
    matrix.translation = (0.0, 0.0, 0.0)
    mesh.transform(matrix)
    address = np.empty((len(samples), 2), np.float32)
    row, column = np.divmod(samples, width)
    address[:, 0] = (column + 0.5) / width
    address[:, 1] = (row + 1.5) / height
    layer = mesh.uv_layers.new(name="VertexUV")
    layer.uv.foreach_set("vector", address.reshape(-1))
    playback = bpy.data.objects.new(f"{source.name}_VAT", mesh)
    playback.location = origin
    bpy.context.collection.objects.link(playback)


def _save(path: Path, width: int, height: int, pixels: Floats) -> None:
    """By Blender, which writes 32-bit floats without compression here, bit by bit."""
    image = bpy.data.images.new(path.stem, width, height, alpha=True, float_buffer=True)
    image.colorspace_settings.name = "Non-Color"
    image.pixels.foreach_set(pixels.reshape(-1))
    image.file_format = "OPEN_EXR"
    image.filepath_raw = str(path)
    image.save()
    bpy.data.images.remove(image)
