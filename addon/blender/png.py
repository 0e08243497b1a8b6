# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Textures as PNG of 16 bits a channel, by Blender's own writer."""

from __future__ import annotations

import struct
from pathlib import Path

import bpy

from ..core.errors import BakeError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
KEPT = (b"IHDR", b"IDAT", b"IEND")


def png_of(exr: Path, png: Path) -> None:
    """Writes what the EXR has, 0..1 as codes 0..65535; alpha must be 0 or 1 there, since Blender
    divides by it."""
    image = None
    try:
        image = bpy.data.images.load(str(exr))
        image.colorspace_settings.is_data = True
        # Asking for its size reads it; before, it would keep its own file format.
        if not all(image.size):
            raise BakeError(f"Blender cannot read '{exr}'; look at its disk, and bake again")
        image.file_format = "PNG"
        image.save(filepath=str(png))
        png.write_bytes(_only_pixels(png.read_bytes()))
    except (RuntimeError, OSError) as error:
        raise BakeError(f"Blender cannot write '{png}': {error}") from error
    finally:
        if image is not None:
            bpy.data.images.remove(image)


def _only_pixels(data: bytes) -> bytes:
    """Without what Blender adds: who made it, and that its colours are sRGB, which data are not."""
    if not data.startswith(SIGNATURE):
        raise RuntimeError("it wrote another format")
    kept, at = [SIGNATURE], len(SIGNATURE)
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        chunk = data[at : at + size + 12]
        if chunk[4:8] in KEPT:
            kept.append(chunk)
        at += len(chunk)
    return b"".join(kept)
