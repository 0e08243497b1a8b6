# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof that what was measured is a bake: its texture plays what Blender evaluates.

Reads a texture by Blender's own reader and looks each corner up by the playback object's address.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

from floor import evaluate

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "formats"))

# isort: split
from reference_reader import Texture

# Positions are a few metres; the bytes of a normal are truncated, each 2 / 255 wide.
POSITION_ERROR = 4e-6
HALF_POSITION_ERROR = 8e-3  # offsets of some metres
NORMAL_ERROR = 2.1 / 255


def check(source: bpy.types.Object, playback: bpy.types.Object, path: Path, frames: int) -> None:
    """Raises an AssertionError unless the first, a middle and the last frame are right."""
    texels = _read(path)
    height, width = texels.shape[:2]
    rows, last = divmod(int(texels.view(np.uint32)[0, 0, 0]), 1 << 16)
    assert last == frames - 1, f"{path.name} has {last + 1} frames, not {frames}"
    column, row = _addresses(playback.data, width, height)
    for index in sorted({0, frames // 2, frames - 1}):
        played = texels[row + index * rows, column]
        positions, normals = _expected(source, evaluate(source, index + 1).data)
        off = np.abs(played[:, :3] - positions).max()
        assert off < POSITION_ERROR, f"{path.name}, frame {index + 1}: positions are off by {off}"
        off = np.abs(_normals(played) - normals).max()
        assert off < NORMAL_ERROR, f"{path.name}, frame {index + 1}: normals are off by {off}"


def check_slots(
    source: bpy.types.Object, playback: bpy.types.Object, path: Path, frames: int
) -> None:
    """The same for the truevat layout, by the reader that the tests have for it."""
    mesh = playback.data
    address = np.empty(2 * len(mesh.loops), np.float32)
    mesh.uv_layers["VertexSlot"].uv.foreach_get("vector", address)
    slot = np.intp(address.reshape(-1, 2) @ (1, 1024))
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.attributes["position"].data.foreach_get("vector", points)
    corner_vert = np.empty(len(mesh.loops), np.intc)
    mesh.attributes[".corner_vert"].data.foreach_get("value", corner_vert)
    rest = np.zeros((slot.max() + 1, 3), np.float32)
    rest[slot] = points.reshape(-1, 3)[corner_vert]
    texture = Texture(path, rest)
    allowed = HALF_POSITION_ERROR if texture.is_offset else POSITION_ERROR
    for index in sorted({0, frames // 2, frames - 1}):
        positions, normals = _expected(source, evaluate(source, index + 1).data)
        off = np.abs(texture.positions(index)[slot] - positions).max()
        assert off < allowed, f"{path.name}, frame {index + 1}: positions are off by {off}"
        off = np.abs(texture.normals(index)[slot] - normals).max()
        assert off < 0.002, f"{path.name}, frame {index + 1}: normals are off by {off}"


def _read(path: Path) -> NDArray[np.float32]:
    image = bpy.data.images.load(str(path))
    image.colorspace_settings.name = "Non-Color"
    width, height = image.size
    pixels = np.empty(4 * width * height, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4)


def _addresses(
    mesh: bpy.types.Mesh, width: int, height: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    address = np.empty(2 * len(mesh.loops), np.float32)
    mesh.uv_layers["VertexUV"].uv.foreach_get("vector", address)
    texel = np.floor(address.reshape(-1, 2) * (width, height)).astype(np.intp)
    return texel[:, 0], texel[:, 1]


def _expected(
    source: bpy.types.Object, mesh: bpy.types.Mesh
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of each corner, in world axes. The source's origin does not move in these scenes."""
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.attributes["position"].data.foreach_get("vector", points)
    normals = np.empty(3 * len(mesh.loops), np.float32)
    mesh.corner_normals.foreach_get("vector", normals)
    corner_vert = np.empty(len(mesh.loops), np.intc)
    mesh.attributes[".corner_vert"].data.foreach_get("value", corner_vert)
    matrix = np.array(source.matrix_world)[:3, :3]
    turned = normals.reshape(-1, 3) @ np.linalg.inv(matrix)
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    return (points.reshape(-1, 3) @ matrix.T)[corner_vert], turned


def _normals(texels: NDArray[np.float32]) -> NDArray[np.float64]:
    words = np.ascontiguousarray(texels[:, 3]).view(np.uint32)
    return np.stack([words >> shift & 255 for shift in (16, 8, 0)], axis=1) / 255 * 2 - 1
