# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A reader of the `truevat` format, made from docs/format.md alone: none of TrueVAT's own code."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from pathlib import Path

import numpy as np

from numbers_in_texels import decode_codes, half_codes, word_floats, words
from plain_exr import read_exr


@dataclass(frozen=True)
class StoredClip:
    first_frame: int
    frames: int
    fps: Fraction
    loop: bool

    @property
    def seconds(self) -> Fraction:
        return (self.frames if self.loop else self.frames - 1) / self.fps

    def frames_at(self, time: Fraction | float) -> tuple[int, int, float]:
        """Stored frames a and b, and how far between them the clip is after `time` seconds."""
        x = time * self.fps
        if self.loop:
            a = floor(x) % self.frames
            b = (a + 1) % self.frames
        else:
            x = min(max(x, 0), self.frames - 1)
            a = floor(x)
            b = min(a + 1, self.frames - 1)
        return self.first_frame + a, self.first_frame + b, float(x - floor(x))


class Texture:
    """What a player knows that has the texture alone, and of HALF also the vertices of the mesh.

    `rest` (slots, 3) are the playback mesh's vertices, turned back into Blender's axes.
    """

    def __init__(self, path: Path, rest: np.ndarray | None = None) -> None:
        self.pixels = pixels = read_exr(path)
        texels = pixels.reshape(-1, 4)
        self.words = head = [int(word) for word in words(texels[:32])]
        assert head[:3] == [0x54415654, 1, 0]
        self.width, self.height, self.header_rows, self.rows_per_frame = head[3:7]
        assert pixels.shape == (self.height, self.width, 4)
        self.slots, self.stored = head[7:9]
        self.fps = Fraction(head[9], head[10])
        self.is_offset = head[11] == 1
        self.normal_kind, self.normal_row, self.normal_rows_per_frame = head[12:15]
        self.bounds = word_floats(head[18:24]).reshape(2, 3)
        self.bake_id = "".join(f"{word:08x}" for word in head[24:28])
        self.constant_topology = head[28] == 0
        clips, step, first = head[15:18]
        entries = words(texels[first : first + clips * step]).reshape(clips, step)
        self.clips = [
            StoredClip(int(e[0]), int(e[1]), Fraction(int(e[2]), int(e[3])), bool(int(e[4]) & 1))
            for e in entries
        ]
        self.rest = rest
        self.address = np.arange(self.slots)

    def positions(self, frame: int) -> np.ndarray:
        """(slots, 3) of a stored frame: float32, or with HALF rest + offset in float64."""
        row, column = np.divmod(self.address, self.width)
        stored = self.pixels[self.header_rows + frame * self.rows_per_frame + row, column, :3]
        return np.float64(self.rest) + stored if self.is_offset else stored

    def normals(self, frame: int) -> np.ndarray:
        """(slots, 3) float64 unit vectors of a stored frame."""
        if self.normal_kind == 1:
            row, column = np.divmod(self.address, self.width)
            row += self.header_rows + frame * self.rows_per_frame
            codes = np.int64(self.pixels[row, column, 3])
            return decode_codes(np.stack([codes % 4096, codes // 4096], axis=-1))
        assert self.normal_kind == 2
        row, column = np.divmod(self.address // 2, self.width)
        row += self.normal_row + frame * self.normal_rows_per_frame
        both = self.pixels[row, column].reshape(-1, 2, 2)  # slot, even or odd, x or y
        return decode_codes(half_codes(both[self.address, self.address % 2]))

    def play(self, clip: int, time: Fraction | float) -> tuple[np.ndarray, np.ndarray]:
        """(slots, 3) positions and normals of a clip after `time` seconds."""
        a, b, mix = self.clips[clip].frames_at(time)
        if not self.constant_topology:
            b = a
        positions, normals = (
            np.float64(values(a)) * (1 - mix) + np.float64(values(b)) * mix
            for values in (self.positions, self.normals)
        )
        return positions, normals / np.linalg.norm(normals, axis=-1, keepdims=True)
