# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of the layouts that are not `truevat`, with nothing behind them but their form."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import numpy as np

from plain_exr import write_exr

GUARD = 0x40000000
PNG_MAGIC = b"\x89PNG\r\n\x1a\n"


def nekovat(path: Path, *, frames: int = 5, rows: int = 2, guard: bool = True) -> None:
    """16 texels wide, and as high as must be."""
    height = 1 << (frames * rows).bit_length()
    image = np.random.default_rng(2).uniform(-2, 2, (height, 16, 4)).astype(np.float32)
    image[0] = 0
    image[0, 0] = 0, 0, 0, 1
    image[0, 0, :1].view(np.uint32)[:] = rows << 16 | frames - 1
    packed = np.random.default_rng(3).integers(0, 1 << 24, (height - 1, 16), np.uint32)
    image[1:, :, 3] = (packed | (GUARD if guard else 0)).view(np.float32)
    write_exr(path, image)


def remapped(path: Path, width: int, height: int, pixel: str = "float16") -> None:
    """A texture that says nothing about itself."""
    values = np.random.default_rng(4).uniform(0, 1, (height, width, 4))
    write_exr(path, values.astype(pixel))


def png(path: Path, width: int, height: int, bits: int = 16) -> None:
    line = b"\0" + bytes(width * 4 * bits // 8)
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, bits, 6, 0, 0, 0)),
        (b"IDAT", zlib.compress(line * height)),
        (b"IEND", b""),
    ]
    path.write_bytes(
        PNG_MAGIC
        + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in chunks
        )
    )


def openvat_json(path: Path, frames: int, **animations: dict) -> None:
    content: dict = {
        "os-remap": {"Min": [-1, -2, 0], "Max": ["1.00000000", 2, 3], "Frames": frames}
    }
    if animations:
        content["animations"] = animations
    path.write_text(json.dumps(content))


def bounds_json(path: Path, **more: object) -> None:
    content = {
        "textures": {"position": "a_pos.exr", "normal": "a_nml.exr"},
        **{"vertex_count": 30, "frame_count": 12, "fps": 29.97},
        "bounding_box": {"min": [-1, 0, -1], "max": [1, 2, 1]},
    }
    path.write_text(json.dumps(content | more))


def fbx(path: Path, bake_id: str) -> None:
    """No mesh; a property as binary FBX files have it, each text with its length before it."""
    texts = (b"truevat_bake", b"KString", b"", b"U", bake_id.encode())
    packed = b"".join(b"S" + struct.pack("<I", len(text)) + text for text in texts)
    path.write_bytes(b"Kaydara FBX Binary  \0\x1a\0" + bytes(99) + packed + bytes(99))
