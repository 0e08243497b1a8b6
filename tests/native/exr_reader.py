# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plain reader of what TrueVAT writes: scanlines of A, B, G, R floats, not compressed or ZIP."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

BLOCK_ROWS = {0: 1, 3: 16}


def read_header(data: bytes) -> tuple[dict[str, tuple[str, bytes]], int]:
    """({name: (type, value)}, where the offset table begins)."""
    magic, version = struct.unpack_from("<2I", data)
    assert (magic, version) == (20000630, 2)
    attributes, place = {}, 8
    while data[place]:
        name, kind, _ = data[place:].split(b"\0", 2)
        place += len(name) + len(kind) + 2
        (size,) = struct.unpack_from("<I", data, place)
        attributes[name.decode()] = kind.decode(), data[place + 4 : place + 4 + size]
        place += 4 + size
    return attributes, place + 1


def unzip(packed: bytes, size: int) -> bytes:
    """OpenEXR's ZIP: deflate, then differences, then the two halves interleaved."""
    if len(packed) == size:
        return packed  # stored as it is where that is no larger
    steps = np.frombuffer(zlib.decompress(packed), np.uint8).astype(np.int64)
    steps[1:] -= 128
    flat = np.cumsum(steps).astype(np.uint8)
    whole = np.empty(size, np.uint8)
    whole[::2], whole[1::2] = flat[: (size + 1) // 2], flat[(size + 1) // 2 :]
    return whole.tobytes()


def read_exr(path: Path) -> np.ndarray:
    """(height, width, RGBA) float32, the first scanline of the file first."""
    data = path.read_bytes()
    attributes, place = read_header(data)
    window = struct.unpack("<4i", attributes["dataWindow"][1])
    assert window[:2] == (0, 0) and attributes["displayWindow"][1] == attributes["dataWindow"][1]
    names = [struct.pack("<2sIIII", name, 2, 0, 1, 1) for name in (b"A", b"B", b"G", b"R")]
    assert attributes["channels"] == ("chlist", b"".join(names) + b"\0")
    assert attributes["lineOrder"] == ("lineOrder", b"\0")
    width, height = window[2] + 1, window[3] + 1
    compression = attributes["compression"][1][0]
    rows = BLOCK_ROWS[compression]
    blocks = -(-height // rows)
    offsets = struct.unpack_from(f"<{blocks}Q", data, place)
    assert min(offsets) == place + 8 * blocks, "the data follow the table"
    image = np.empty((height, 4, width), np.float32)
    ends = []
    for block, offset in enumerate(offsets):
        y, size = struct.unpack_from("<2i", data, offset)
        lines = min(rows, height - y)
        assert y == block * rows
        raw = data[offset + 8 : offset + 8 + size]
        if compression:
            raw = unzip(raw, lines * width * 16)
        image[y : y + lines] = np.frombuffer(raw, "<f4").reshape(lines, 4, width)
        ends.append(offset + 8 + size)
    assert ends[-1] == len(data) and ends[:-1] == list(offsets[1:]), "no gap, nothing behind"
    return np.ascontiguousarray(image.transpose(0, 2, 1)[:, :, ::-1])
