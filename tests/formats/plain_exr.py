# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenEXR in its plainest form: uncompressed scanlines of A, B, G, R, all FLOAT or all HALF."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

MAGIC = struct.pack("<2I", 20000630, 2)
# OpenEXR's numbers of its pixel types.
PIXEL_TYPES = {"float16": 1, "float32": 2}


def write_exr(path: Path, image: np.ndarray) -> None:
    """`image` (height, width, RGBA) float16 or float32, row 0 at the bottom."""
    height, width, _ = image.shape
    pixel = PIXEL_TYPES[image.dtype.name]
    names = b"".join(
        struct.pack("<2sI4xII", name, pixel, 1, 1) for name in (b"A", b"B", b"G", b"R")
    )
    window = struct.pack("<4i", 0, 0, width - 1, height - 1)
    attributes = [
        (b"channels", b"chlist", names + b"\0"),
        (b"compression", b"compression", b"\0"),
        (b"dataWindow", b"box2i", window),
        (b"displayWindow", b"box2i", window),
        (b"lineOrder", b"lineOrder", b"\0"),
        (b"pixelAspectRatio", b"float", struct.pack("<f", 1)),
        (b"screenWindowCenter", b"v2f", struct.pack("<2f", 0, 0)),
        (b"screenWindowWidth", b"float", struct.pack("<f", 1)),
    ]
    header = MAGIC + b"".join(
        name + b"\0" + kind + b"\0" + struct.pack("<I", len(value)) + value
        for name, kind, value in attributes
    )
    header += b"\0"
    line_bytes = 8 + image.dtype.itemsize * 4 * width
    lines = np.arange(height)
    offsets = len(header) + 8 * height + line_bytes * lines
    # (line, channel, column): A, B, G, R, the topmost row first
    planes = image[::-1, :, ::-1].transpose(0, 2, 1)
    planes = np.ascontiguousarray(planes, image.dtype.newbyteorder("<"))
    with path.open("wb") as file:
        file.write(header + offsets.astype("<u8").tobytes())
        for line, plane in enumerate(planes):
            file.write(struct.pack("<2i", line, plane.nbytes) + plane.tobytes())


def read_exr(path: Path) -> np.ndarray:
    """What write_exr() was given; also from other writers of the same form."""
    data = path.read_bytes()
    assert data[:8] == MAGIC
    attributes, place = {}, 8
    while data[place]:
        name, kind, _ = data[place:].split(b"\0", 2)
        place += len(name) + len(kind) + 2
        (size,) = struct.unpack_from("<I", data, place)
        attributes[name] = data[place + 4 : place + 4 + size]
        place += 4 + size
    place += 1
    assert attributes[b"compression"] == b"\0"
    assert attributes[b"dataWindow"] == attributes[b"displayWindow"]
    left, bottom, right, top = struct.unpack("<4i", attributes[b"dataWindow"])
    assert (left, bottom) == (0, 0)
    width, height = right + 1, top + 1
    channels = struct.unpack("<18s18s18s18sc", attributes[b"channels"])
    pixels = {channel[2:6] for channel in channels[:4]}
    assert [channel[:2] for channel in channels[:4]] == [b"A\0", b"B\0", b"G\0", b"R\0"]
    assert len(pixels) == 1
    (number,) = struct.unpack("<I", pixels.pop())
    (name,) = (name for name, known in PIXEL_TYPES.items() if known == number)
    dtype = np.dtype(name).newbyteorder("<")
    planes = np.empty((height, 4, width), name)
    for offset in struct.unpack_from(f"<{height}Q", data, place):
        line, size = struct.unpack_from("<2i", data, offset)
        assert size == dtype.itemsize * 4 * width
        planes[line] = np.frombuffer(data, dtype, 4 * width, offset + 8).reshape(4, width)
    return np.ascontiguousarray(planes.transpose(0, 2, 1)[::-1, :, ::-1])
