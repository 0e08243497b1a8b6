# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the first texels of a texture say when nothing else is there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ..errors import BakeError
from .picture import Picture

TRUEVAT_MAGIC = 0x54415654
VERSION = 1
HEADER_WORDS = 32
LEAST_CLIP_WORDS = 5
MOST_WORDS = 1 << 20
POSITIONS = ("absolute", "offset")
NORMALS = ("none", "oct24", "oct16f")
LOOPS = 1

GUARD = 0x40000000


class ClipEntry(NamedTuple):
    first_frame: int
    frames: int
    fps: Fraction
    loop: bool


@dataclass(frozen=True)
class TrueVatHeader:
    """docs/format.md, "Words"."""

    width: int
    height: int
    header_rows: int
    rows_per_frame: int
    slots: int
    stored: int
    fps: Fraction
    position: str
    normals: str
    normal_row: int
    normal_rows_per_frame: int
    clips: tuple[ClipEntry, ...]
    bounds: dict[str, list[float]]
    bake_id: str
    constant_topology: bool


@dataclass(frozen=True)
class NekovatHeader:
    """`guard`: whether normals have the bit that keeps them from being denormal."""

    rows_per_frame: int
    stored: int
    guard: bool


def truevat_header(picture: Picture) -> TrueVatHeader | None:
    """None for a texture of another layout; BakeError for a broken or a later one."""
    first = picture.first_texels(1) if picture.pixel in ("float32", "float16") else None
    if first is None or _words(first) != [TRUEVAT_MAGIC]:
        return None
    words = _all_words(picture, HEADER_WORDS)
    if words[1] > VERSION or words[2]:
        raise BakeError(
            f"'{picture.path}' is of a later format (version {words[1]}, feature flags "
            f"{words[2]:#x}); get a later TrueVAT"
        )
    clips, step, start = words[15:18]
    end = start + clips * step
    plausible = words[1] == VERSION and clips and start >= HEADER_WORDS and step >= LEAST_CLIP_WORDS
    if not plausible or end > min(MOST_WORDS, words[5] * picture.width):
        raise _damaged(picture)
    entries = np.array(_all_words(picture, end)[start:]).reshape(clips, step)
    box = np.array(words[18:24], np.uint32).view(np.float32).reshape(2, 3)
    try:
        return TrueVatHeader(
            *words[3:9],
            fps=_rate(*words[9:11]),
            position=POSITIONS[words[11]],
            normals=NORMALS[words[12]],
            normal_row=words[13],
            normal_rows_per_frame=words[14],
            clips=tuple(
                ClipEntry(entry[0], entry[1], _rate(entry[2], entry[3]), bool(entry[4] & LOOPS))
                for entry in entries.tolist()
            ),
            bounds={"min": _finite(box[0]), "max": _finite(box[1])},
            bake_id="".join(f"{word:08x}" for word in words[24:28]),
            constant_topology=(True, False)[words[28]],
        )
    except (IndexError, ZeroDivisionError, ValueError) as error:
        raise _damaged(picture) from error


def nekovat_header(picture: Picture) -> NekovatHeader | None:
    """None for what cannot be a nekoVAT texture."""
    if picture.pixel != "float32":
        return None
    # Row 0 is the header, row 1 begins with the first sample.
    texels = picture.first_texels(picture.width + 1)
    if texels is None:
        return None
    bits = int(texels[0, 0].view(np.uint32))
    rows, last = bits >> 16, bits & 0xFFFF
    fits = 1 + rows * (last + 1) <= picture.height
    if not (rows and last and fits) or texels[0, 1:].tolist() != [0, 0, 1]:
        return None
    if texels[1 : picture.width].any():
        return None
    return NekovatHeader(rows, last + 1, bool(int(texels[-1, 3].view(np.uint32)) & GUARD))


def _all_words(picture: Picture, count: int) -> list[int]:
    texels = picture.first_texels(count)
    words = None if texels is None else _words(texels)
    if words is None:
        raise _damaged(picture)
    return words


def _words(texels: np.ndarray) -> list[int] | None:
    """Digits of base 1024 to integers of 32 bits; None for what is no such digit."""
    values = np.float64(texels)
    if not ((values >= 0) & (values < (1024, 1024, 1024, 4)) & (values == np.floor(values))).all():
        return None
    return (values @ (1, 1024, 1024**2, 1024**3)).astype(np.int64).tolist()


def _rate(numerator: int, denominator: int) -> Fraction:
    if not numerator:
        raise ValueError("no rate")
    return Fraction(numerator, denominator)


def _finite(values: np.ndarray) -> list[float]:
    numbers = values.tolist()
    if not all(map(math.isfinite, numbers)):
        raise ValueError("bounds")
    return numbers


def _damaged(picture: Picture) -> BakeError:
    return BakeError(
        f"'{picture.path}' begins like a TrueVAT texture, but its header is damaged: it may have "
        "been resized, compressed or converted; bake it again"
    )
