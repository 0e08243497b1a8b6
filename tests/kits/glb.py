# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small reader of GLB files, from the glTF 2.0 specification: meshes that stand unrotated."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

TYPES = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
TRIANGLES = 4


@dataclass(frozen=True, eq=False)
class Vertices:
    """Of all triangles, three for each. `positions` (n, 3) are about the object's origin, Y up.
    `address` (n, 2) is TEXCOORD_1 as the file has it, v downwards."""

    positions: np.ndarray
    address: np.ndarray
    origin: np.ndarray


def read_glb(path: Path) -> dict[str, Vertices]:
    """The vertices of each node that has a mesh, by its name."""
    data = path.read_bytes()
    magic, version, length, json_size, json_kind = struct.unpack_from("<4sII I4s", data)
    assert (magic, version, length, json_kind) == (b"glTF", 2, len(data), b"JSON")
    content = json.loads(data[20 : 20 + json_size])
    binary = data[20 + json_size + 8 :]

    found = {}
    for node in content["nodes"]:
        assert not node.keys() & {"rotation", "scale", "matrix", "children"}
        parts = []
        for primitive in content["meshes"][node["mesh"]]["primitives"]:
            assert primitive.get("mode", TRIANGLES) == TRIANGLES
            indices = _read(content, binary, primitive["indices"])[:, 0]
            values = primitive["attributes"]
            parts.append(
                [_read(content, binary, values[k])[indices] for k in ("POSITION", "TEXCOORD_1")]
            )
        positions, address = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        origin = np.array(node.get("translation", (0, 0, 0)))
        found[node["name"]] = Vertices(positions, address, origin)
    return found


def _read(content: dict, binary: bytes, index: int) -> np.ndarray:
    accessor = content["accessors"][index]
    view = content["bufferViews"][accessor["bufferView"]]
    assert "byteStride" not in view and "sparse" not in accessor
    width, count = WIDTHS[accessor["type"]], accessor["count"]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    values = np.frombuffer(binary, TYPES[accessor["componentType"]], width * count, start)
    return values.reshape(count, width)
