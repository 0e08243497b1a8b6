# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What kind of picture a file holds, whatever its name."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import BakeError
from . import openexr

PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
PNG_CHANNELS = {0: "Y", 2: "RGB", 3: "palette", 4: "YA", 6: "RGBA"}
PIXELS = {"<f4": "float32", "<f2": "float16", "<u4": "uint32"}


@dataclass(frozen=True)
class Picture:
    """`pixel` as in sidecars, or another type that no layout has. `exr` is None for a PNG."""

    path: Path
    bytes: int
    width: int
    height: int
    pixel: str
    channels: str
    compression: str
    exr: openexr.OpenExr | None

    def first_texels(self, count: int) -> np.ndarray | None:
        """(count, RGBA) from the bottom row on; None for a picture without those channels."""
        if not self.exr or self.channels != "RGBA" or count > self.width * self.height:
            return None
        rows = [self.exr.row(row) for row in range(-(-count // self.width))]
        texels = [np.stack([row[name] for name in "RGBA"], axis=1) for row in rows]
        return np.concatenate(texels)[:count]


def is_there(path: Path) -> bool:
    """Whether it is a file that can be read to its end; never raises."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no system takes
        return False


def read_picture(path: Path) -> Picture | None:
    """None for a file that is neither EXR nor PNG."""
    if not is_there(path):
        raise BakeError(f"There is no file '{path}'")
    try:
        with path.open("rb") as file:
            start = file.read(33)
        size = path.stat().st_size
    except OSError as error:
        raise BakeError(f"'{path}' cannot be read: {error.strerror or error}") from error
    if start.startswith(openexr.MAGIC):
        exr = openexr.open_exr(path)
        kinds = {PIXELS[dtype.str] for dtype in exr.channels.values()}
        pixel = kinds.pop() if len(kinds) == 1 else "mixed"
        names = "".join(sorted(exr.channels, key=_color_order)) if _plain(exr.channels) else ""
        channels = names or ", ".join(exr.channels)
        return Picture(path, size, exr.width, exr.height, pixel, channels, exr.compression, exr)
    if start.startswith(PNG_MAGIC):
        try:
            chunk, width, height, bits, color = struct.unpack_from(">4x4sIIBB", start, 8)
            channels = PNG_CHANNELS[color]
        except (struct.error, KeyError):
            chunk = b""
        if chunk != b"IHDR" or not (0 < width < 2**31 and 0 < height < 2**31):
            raise BakeError(f"'{path}' is damaged: it has no PNG header; bake or copy it again")
        return Picture(path, size, width, height, f"unorm{bits}", channels, "PNG", None)
    return None


def _plain(names: dict[str, np.dtype]) -> bool:
    return set(names) <= set("RGBA")


def _color_order(name: str) -> int:
    return "RGBA".index(name)
