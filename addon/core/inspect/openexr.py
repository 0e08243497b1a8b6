# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The few rows of an OpenEXR file that say what it is. Nothing in the file is trusted."""

from __future__ import annotations

import os
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from ..errors import BakeError

MAGIC = b"\x76\x2f\x31\x01"
VERSION = 2
LONG_NAMES = 0x400  # of attributes and channels: the only flag that changes nothing here
OTHER_KINDS = {0x200: "tiled", 0x800: "deep", 0x1000: "in several parts"}

# By their numbers.
COMPRESSIONS = (
    *("none", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24", "B44", "B44A", "DWAA", "DWAB"),
    *("HTJ2K256", "HTJ2K32", "LJ2K", "ZSTD"),
)
LINES_IN_BLOCK = {"none": 1, "ZIPS": 1, "ZIP": 16}
DTYPES = (np.dtype("<u4"), np.dtype("<f2"), np.dtype("<f4"))

MOST_HEADER_BYTES = 1 << 20
MOST_CHANNELS = 16
LONGEST_SIDE = 1 << 16


@dataclass(frozen=True)
class OpenExr:
    """A file of scanlines. `channels` in the file's order; `table` is where block offsets begin."""

    path: Path
    width: int
    height: int
    channels: dict[str, np.dtype]
    compression: str
    table: int

    def row(self, row: int) -> dict[str, np.ndarray]:
        """(width,) of each channel; row 0 is the bottom one."""
        lines = LINES_IN_BLOCK[self.compression]
        y = self.height - 1 - row
        block, line = divmod(y, lines)
        first = block * lines
        line_bytes = self.width * sum(dtype.itemsize for dtype in self.channels.values())
        expected = line_bytes * min(lines, self.height - first)
        with _open(self.path) as file:
            end = os.fstat(file.fileno()).st_size
            (offset,) = struct.unpack("<Q", self._read(file, end, self.table + 8 * block, 8))
            said, size = struct.unpack("<2i", self._read(file, end, offset, 8))
            if said != first or not 0 <= size <= expected:
                raise self._damaged(f"the block of row {row} is not where it should be")
            data = self._read(file, end, offset + 8, size)
        if size < expected:
            data = self._unzip(data, expected)
        values = {}
        start = line * line_bytes
        for name, dtype in self.channels.items():
            values[name] = np.frombuffer(data, dtype, self.width, start)
            start += self.width * dtype.itemsize
        return values

    def _read(self, file: BinaryIO, end: int, place: int, size: int) -> bytes:
        if place + size > end:
            raise self._damaged("it is cut off")
        file.seek(place)
        return file.read(size)

    def _unzip(self, packed: bytes, size: int) -> bytes:
        """OpenEXR's ZIP: deflate, then differences, then even and odd bytes apart."""
        if self.compression == "none":
            raise self._damaged("a block is too short")
        try:
            unpacked = zlib.decompressobj().decompress(packed, size + 1)
        except zlib.error as error:
            raise self._damaged("a block cannot be unpacked") from error
        if len(unpacked) != size:
            raise self._damaged("a block has another size than its rows")
        steps = np.frombuffer(unpacked, np.uint8)
        flat = np.cumsum(steps, dtype=np.uint8)
        flat -= np.arange(size).astype(np.uint8) * np.uint8(128)
        whole = np.empty(size, np.uint8)
        middle = (size + 1) // 2
        whole[::2], whole[1::2] = flat[:middle], flat[middle:]
        return whole.tobytes()

    def _damaged(self, why: str) -> BakeError:
        return _damaged(self.path, why)


def open_exr(path: Path) -> OpenExr:
    with _open(path) as file:
        data = file.read(MOST_HEADER_BYTES)
    try:
        attributes, table = _attributes(path, data)
        channels = _channels(path, attributes["channels"])
        compression = attributes["compression"][0]
        window = struct.unpack("<4i", attributes["dataWindow"])
        whole = attributes["dataWindow"] == attributes["displayWindow"]
    except (struct.error, IndexError, ValueError, KeyError) as error:
        raise _damaged(path, "its header is cut off or incomplete") from error
    if window[:2] != (0, 0) or not whole:
        raise BakeError(f"'{path}' is cropped: save the whole picture, from 0, 0")
    width, height = window[2] + 1, window[3] + 1
    if not (1 <= width <= LONGEST_SIDE and 1 <= height <= LONGEST_SIDE):
        raise _damaged(path, f"it says that it has {width} x {height} texels")
    name = COMPRESSIONS[compression] if compression < len(COMPRESSIONS) else f"no. {compression}"
    if name not in LINES_IN_BLOCK:
        raise BakeError(
            f"'{path}' is compressed by {name}, which is not read here; "
            "save it uncompressed or with ZIP"
        )
    return OpenExr(path, width, height, channels, name, table)


def _attributes(path: Path, data: bytes) -> tuple[dict[str, bytes], int]:
    """({name: value}, where the header ends)."""
    magic, version = struct.unpack_from("<4sI", data)
    if magic != MAGIC:
        raise BakeError(f"'{path}' is no OpenEXR file")
    for flag, kind in OTHER_KINDS.items():
        if version & flag:
            raise BakeError(f"'{path}' is {kind}; save it as plain scanlines")
    if version & ~LONG_NAMES != VERSION:
        raise BakeError(f"'{path}' is of version {version & 0xFF} of OpenEXR; save it as version 2")
    attributes: dict[str, bytes] = {}
    place = 8
    while data[place]:
        end = data.index(0, place)
        name = data[place:end].decode("latin-1")
        place = data.index(0, end + 1) + 1  # behind the type
        (size,) = struct.unpack_from("<i", data, place)
        place += 4
        if not 0 <= size <= len(data) - place:
            raise ValueError(size)
        attributes[name] = data[place : place + size]
        place += size
    return attributes, place + 1


def _channels(path: Path, data: bytes) -> dict[str, np.dtype]:
    channels: dict[str, np.dtype] = {}
    place = 0
    while data[place]:
        end = data.index(0, place)
        kind, x_step, y_step = struct.unpack_from("<I4xii", data, end + 1)
        if (x_step, y_step) != (1, 1):
            raise BakeError(f"'{path}' has a channel of less than full size; save it as R, G, B, A")
        channels[data[place:end].decode("latin-1")] = DTYPES[kind]
        place = end + 17
        if len(channels) > MOST_CHANNELS:
            raise BakeError(f"'{path}' has more than {MOST_CHANNELS} channels; it is no VAT")
    if not channels:
        raise ValueError("no channels")
    return channels


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise BakeError(f"'{path}' cannot be read: {error.strerror or error}") from error


def _damaged(path: Path, why: str) -> BakeError:
    return BakeError(f"'{path}' is damaged: {why}; bake or copy it again")
