# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Synthetic textures of the profiles `nekovat` and `bounds`, and what is in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

GUARD = 0x40000000  # keeps words of normals from being denormals


@dataclass(frozen=True, eq=False)
class Neko:
    """`positions` and `normals` (frames, samples, 3) in Blender's axes; `uv` (samples, 2).

    Normals are what the bytes say: not quite of unit length.
    """

    pixels: np.ndarray
    positions: np.ndarray
    normals: np.ndarray
    uv: np.ndarray
    rows: int


def tumbling(frames: int, samples: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions that move far, and unit normals that turn."""
    random = np.random.default_rng(10)
    start, speed = random.uniform(-2, 2, (2, samples, 3))
    positions = start + speed * np.arange(frames)[:, None, None] / frames
    normals = start + 0.3 * speed * np.arange(frames)[:, None, None]
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return np.float32(positions), np.float32(normals)


def neko(frames: int = 9, samples: int = 45, width: int = 16) -> Neko:
    """Three rows to a frame; `frames` are stored, the last being the loop's end."""
    positions, normals = tumbling(frames, samples)
    rows = -(-samples // width)
    height = 1 << (frames * rows).bit_length()
    pixels = np.zeros((height, width, 4), np.float32)
    pixels[0, 0, 0] = np.uint32(rows << 16 | frames - 1).view(np.float32)
    row, column = np.divmod(np.arange(samples), width)
    codes = np.uint32((normals / 2 + 0.5) * 255)
    packed = GUARD | codes[..., 0] << 16 | codes[..., 1] << 8 | codes[..., 2]
    for frame in range(frames):
        pixels[1 + frame * rows + row, column, :3] = positions[frame]
        pixels[1 + frame * rows + row, column, 3] = packed[frame].astype(np.uint32).view(np.float32)
    decoded = codes / 255 * 2 - 1
    uv = np.stack([(column + 0.5) / width, (row + 1.5) / height], -1)
    return Neko(pixels, positions, decoded, np.float32(uv), rows)


@dataclass(frozen=True, eq=False)
class Bounded:
    """`positions` and `normals` (frames, vertices, 3) in Unity's axes; `uv` (vertices, 2)."""

    texture: np.ndarray
    normal_texture: np.ndarray
    positions: np.ndarray
    normals: np.ndarray
    uv: np.ndarray
    lowest: tuple[float, ...]
    highest: tuple[float, ...]
    rows: int


def bounded(frames: int = 12, vertices: int = 50, width: int = 50) -> Bounded:
    positions, normals = tumbling(frames, vertices)
    lowest, highest = positions.min(axis=(0, 1)), positions.max(axis=(0, 1))
    rows = -(-vertices // width)
    texture, normal_texture = np.zeros((2, frames * rows, width, 4), np.float32)
    row, column = np.divmod(np.arange(vertices), width)
    for frame in range(frames):
        where = frame * rows + row, column
        texture[where[0], where[1], :3] = (positions[frame] - lowest) / (highest - lowest)
        normal_texture[where[0], where[1], :3] = normals[frame] * 0.5 + 0.5
    uv = np.stack([(column + 0.5) / width, row / (frames * rows)], -1)
    corners = (tuple(float(v) for v in corner) + (0.0,) for corner in (lowest, highest))
    return Bounded(texture, normal_texture, positions, normals, np.float32(uv), *corners, rows)
