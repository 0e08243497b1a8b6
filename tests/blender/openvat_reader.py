# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads an OpenVAT bake, whoever wrote it, as OpenVAT's shaders do, without any product code."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import numpy as np
import OpenEXR

COMPONENTS = {5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class Bake:
    """Positions, normals and UV maps of `corners` are those of all triangles' corners, in their
    order, by glTF's names. Pictures begin with the topmost row."""

    def __init__(self, folder: Path, name: str) -> None:
        self.remap = json.loads((folder / f"{name}-remap_info.json").read_text("utf-8"))
        self.picture = read_picture(folder, f"{name}_vat")
        self.separate = read_picture(folder, f"{name}_vnrm")
        self.corners = read_corners(folder / f"{name}.glb")

    def look_up(self, picture, frame: int, down: float = 0.0):
        """(corners, RGB): TEXCOORD_1, as many texels further down as frames are past."""
        height, width, _ = picture.shape
        u, v = self.corners["TEXCOORD_1"].T.astype(np.float64)
        column, row = u * width, (v + frame / height + down) * height
        for place in (column, row):
            assert abs(place % 1 - 0.5).max() < 1e-3, "the middle of a texel"
        return picture[row.astype(int), column.astype(int), :3].astype(np.float64)

    def vertices(self, count: int):
        """Which of the mesh's vertices each corner is: they are counted from the last one."""
        height, width, _ = self.picture.shape
        u, v = self.corners["TEXCOORD_1"].T.astype(np.float64)
        block = np.floor(v * height).astype(int) // self.remap["os-remap"]["Frames"]
        return count - 1 - (np.floor(u * width).astype(int) + block * width)

    def offsets(self, frame: int):
        low, high = (np.float64(np.float32(self.remap["os-remap"][e])) for e in ("Min", "Max"))
        return low + (high - low) * self.look_up(self.picture, frame)

    def normals(self, frame: int):
        if self.separate is not None:
            return self.look_up(self.separate, frame) * 2 - 1
        return self.look_up(self.picture, frame, 0.5) * 2 - 1


def read_corners(path: Path) -> dict[str, np.ndarray]:
    """Of the only mesh of a GLB file."""
    data = path.read_bytes()
    size = int.from_bytes(data[12:16], "little")
    content, binary = json.loads(data[20 : 20 + size]), data[28 + size :]

    def read(index: int) -> np.ndarray:
        accessor = content["accessors"][index]
        view = content["bufferViews"][accessor["bufferView"]]
        width, count = WIDTHS[accessor["type"]], accessor["count"]
        dtype = COMPONENTS[accessor["componentType"]]
        values = np.frombuffer(binary, dtype, width * count, view["byteOffset"])
        return values.reshape(count, width)

    (mesh,) = content["meshes"]
    (primitive,) = mesh["primitives"]
    indices = read(primitive["indices"])[:, 0]
    return {name: read(index)[indices] for name, index in primitive["attributes"].items()}


def read_picture(folder: Path, name: str):
    """(height, width, RGB or RGBA), the topmost row first; None if there is none."""
    exr, png = (folder / f"{name}{kind}" for kind in (".exr", ".png"))
    if exr.exists():
        (channel,) = OpenEXR.File(str(exr)).channels().values()
        return channel.pixels
    return read_png(png) / 65535 if png.exists() else None


def read_png(path: Path):
    """(height, width, RGBA) codes of 16 bits, by the PNG specification alone."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = [], 8
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + size]
        assert zlib.crc32(kind + body) == int.from_bytes(data[at + 8 + size :][:4], "big")
        chunks.append((kind, body))
        at += size + 12
    assert {kind for kind, _ in chunks} == {b"IHDR", b"IDAT", b"IEND"}, "nothing about colours"
    width, height, *form = struct.unpack(">IIBBBBB", chunks[0][1])
    assert form == [16, 6, 0, 0, 0], "16 bits, RGBA, not interlaced"
    lines = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    lines = np.frombuffer(lines, np.uint8).reshape(height, 1 + 8 * width)
    above, rows = [0] * (8 * width), []
    for line in lines.tolist():
        above = unfiltered(line[0], line[1:], above)
        rows.append(above)
    return np.array(rows, np.uint8).view(">u2").reshape(height, width, 4).astype(int)


def unfiltered(kind: int, line: list[int], above: list[int]) -> list[int]:
    for i in range(len(line)):
        a, b, c = (line[i - 8], above[i], above[i - 8]) if i >= 8 else (0, above[i], 0)
        guess = a + b - c
        nearest = min((abs(guess - a), 0, a), (abs(guess - b), 1, b), (abs(guess - c), 2, c))[2]
        line[i] = (line[i] + (0, a, b, (a + b) // 2, nearest)[kind]) % 256
    return line


def in_blender(vectors):
    """Vectors of glTF."""
    return vectors[..., [0, 2, 1]] * np.float32([1, -1, 1])


def degrees_between(a, b):
    a, b = np.float64(a), np.float64(b)
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(axis=-1)))
