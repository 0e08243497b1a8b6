# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""TrueVAT's own layout, version 1. docs/format.md defines it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import BakeError
from ..mesh import Floats, Ints
from .base import LARGEST_TEXTURE, Contents, Layout, Need, Profile, Texture, too_large

if TYPE_CHECKING:
    from ..settings import BakeSettings

MAGIC = 0x54415654
VERSION = 1
WORDS, CLIP_WORDS = 32, 8
LOOPS = 1  # a flag of a clip
ABSOLUTE, OFFSET = 0, 1
OCT_WORD, OCT_PAIRS = 1, 2
SLOT_COLUMNS = 1024
MOST_SLOTS = 2048 * SLOT_COLUMNS  # beyond, an address is not exact in a half


def ceil_divide(value: int, by: int) -> int:
    return -(-value // by)


class Truevat(Profile):
    name = "truevat"
    label = "TrueVAT"
    description = (
        "Any size, clips, exact positions; played by the kits for Unity, Godot and three.js"
    )
    address_map = "VertexSlot"
    pixels = ("float", "half")
    rows = ("wrap", "single")
    normal_textures = ("packed", "none")
    streams = True
    measures = True

    def normal_code(self, settings: BakeSettings) -> str:
        return "oct24"

    def layout(self, need: Need) -> Layout:
        layout = _layout(need, need.max_size)
        if layout is None or need.slots > MOST_SLOTS:
            raise _too_large(need)
        return layout

    def textures(self, settings: BakeSettings, pixel: str) -> tuple[Texture, ...]:
        half = pixel == "float16"
        texel = "offsets" if half or settings.normal_texture == "none" else "values"
        return (Texture("texture", ".truevat.exr", texel, half=half, pad=True, offsets=half),)

    def address(self, slots: Ints, layout: Layout, frames: int) -> Floats:
        return np.stack([slots % SLOT_COLUMNS, slots // SLOT_COLUMNS], axis=1).astype(np.float32)

    def header(self, contents: Contents) -> Floats:
        layout = contents.layout
        words = np.zeros(WORDS + CLIP_WORDS * len(contents.clips), np.uint32)
        fps = contents.clips[0].fps
        half = contents.pixel == "float16"
        words[:18] = (
            MAGIC,
            VERSION,
            0,
            layout.width,
            layout.height,
            layout.header_rows,
            layout.rows_per_frame,
            contents.slots,
            contents.frames,
            fps.numerator,
            fps.denominator,
            OFFSET if half else ABSOLUTE,
            (OCT_PAIRS if half else OCT_WORD) if contents.normals else 0,
            layout.normal_row,
            layout.normal_rows_per_frame,
            len(contents.clips),
            CLIP_WORDS,
            WORDS,
        )
        words[18:24] = _plain(contents.bounds).view(np.uint32)
        words[24:28] = [int(contents.bake_id[8 * i : 8 * i + 8], 16) for i in range(4)]
        words[28] = not contents.constant
        for i, clip in enumerate(contents.clips):
            words[WORDS + CLIP_WORDS * i :][:5] = (
                clip.first_frame,
                clip.frames,
                clip.fps.numerator,
                clip.fps.denominator,
                LOOPS if clip.loop else 0,
            )
        return np.stack([words >> 10 * digit & 1023 for digit in range(4)], axis=1).astype(
            np.float32
        )

    def describe(self, settings: BakeSettings, pixel: str) -> dict[str, Any]:
        half = pixel == "float16"
        normals = {
            "encoding": "oct16f" if half else "oct24",
            "error_degrees": 0.06,
        }
        return {
            "position": {"kind": "offset" if half else "absolute"},
            "normals": {"encoding": "none"} if settings.normal_texture == "none" else normals,
            "address": "slot",
        }


def _plain(bounds: Floats) -> Floats:
    """Six floats that no reader flushes: no denormal, and 0 where there was never a point."""
    values = np.array(bounds, np.float32).reshape(6)
    values[~np.isfinite(values) | (np.abs(values) < np.finfo(np.float32).tiny)] = 0
    return values


def _rows(need: Need, width: int) -> tuple[int, int]:
    """(of positions, of normals that have rows of their own) per frame."""
    slots = max(need.slots, 1)
    pairs = need.pixel == "float16" and need.normals != "none"
    return ceil_divide(slots, width), ceil_divide(ceil_divide(slots, 2), width) if pairs else 0


def _layout(need: Need, size: int) -> Layout | None:
    """The widest rows, so that the least is lost at their ends; None if they do not fit."""
    rows, _ = _rows(need, size)
    if need.rows == "single" and rows > 1:
        return None
    width = ceil_divide(max(need.slots, 1), rows)
    rows, normal_rows = _rows(need, width)
    header = ceil_divide(WORDS + CLIP_WORDS * need.clips, width)
    normal_row = header + need.frames * rows
    height = normal_row + need.frames * normal_rows
    if height > size:
        return None
    return Layout(width, height, rows, header, normal_row if normal_rows else 0, normal_rows)


def _too_large(need: Need) -> BakeError:
    size, words = need.max_size, WORDS + CLIP_WORDS * need.clips
    width = ceil_divide(max(need.slots, 1), _rows(need, size)[0])
    most_frames = (size - ceil_divide(words, width)) // sum(_rows(need, width))
    if need.slots > (size if need.rows == "single" else MOST_SLOTS):
        most_frames = 0
    most_rows = max(size - ceil_divide(words, size), 0) // need.frames
    if need.pixel == "float16" and need.normals != "none":
        most_rows = most_rows * 2 // 3
    most_slots = size * min(most_rows, 1 if need.rows == "single" else most_rows)
    larger = [8192, LARGEST_TEXTURE] if need.slots <= MOST_SLOTS else []
    return too_large(
        need,
        most_frames,
        min(most_slots, MOST_SLOTS),
        next((n for n in larger if n > size and _layout(need, n) is not None), None),
    )


TRUEVAT = Truevat()
