# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a baked texture back as a player does, without any code of the product."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np


class Texture:
    """An uncompressed OpenEXR file with float32 channels, in the nekoVAT layout."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        assert data[:8] == struct.pack("<II", 20000630, 2)
        at, header = 8, {}
        while data[at]:
            name, kind, rest = data[at : at + 300].split(b"\0", 2)
            at += len(name) + len(kind) + 2
            (size,) = struct.unpack_from("<I", data, at)
            header[name.decode()] = data[at + 4 : at + 4 + size]
            at += 4 + size
        assert header["compression"] == b"\0"
        left, top, right, bottom = struct.unpack("<4i", header["dataWindow"])
        assert (left, top) == (0, 0)
        self.width, self.height = right + 1, bottom + 1
        offsets = np.frombuffer(data, "<u8", self.height, at + 1)
        self.pixels = np.empty((self.height, self.width, 4), np.float32)
        for offset in offsets.tolist():
            y, size = struct.unpack_from("<iI", data, offset)
            assert size == 16 * self.width
            row = np.frombuffer(data, "<f4", 4 * self.width, offset + 8).reshape(4, -1)
            self.pixels[self.height - 1 - y] = row[[3, 2, 1, 0]].T  # stored as A, B, G, R
        word = int(self.pixels[0, 0, :1].view(np.uint32)[0])
        self.rows, self.frames = word >> 16, (word & 0xFFFF) + 1

    def by_uv(self, uv: np.ndarray, frame: int) -> tuple[np.ndarray, np.ndarray]:
        """Positions and normal bytes, (n, 3) each, at addresses (n, 2)."""
        column = np.floor(np.float64(uv[:, 0]) * self.width).astype(int)
        row = np.floor(np.float64(uv[:, 1]) * self.height).astype(int) + frame * self.rows
        return split(self.pixels[row, column])

    def by_id(self, count: int, frame: int) -> tuple[np.ndarray, np.ndarray]:
        """The same for samples 0 to count - 1."""
        sample = np.arange(count)
        row = 1 + sample // self.width + frame * self.rows
        return split(self.pixels[row, sample % self.width])


def split(texels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    words = np.ascontiguousarray(texels[:, 3]).view(np.uint32)
    normals = np.stack([words >> 16 & 255, words >> 8 & 255, words & 255], 1)
    return np.ascontiguousarray(texels[:, :3]), normals.astype(np.int64)


def as_bytes(normals: np.ndarray) -> np.ndarray:
    """float64 (n, 3) unit normals as the texture has them."""
    return np.floor((normals / 2 + 0.5) * 255).astype(np.int64)
