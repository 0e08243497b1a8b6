# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small writer of GLB files, from the glTF 2.0 specification: one unrotated mesh."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FLOAT, UINT = 5126, 5125
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963
KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3"}


@dataclass(frozen=True, eq=False)
class Part:
    """The triangles of one material. `attributes` are float32 (vertices, n), by glTF's names."""

    material: str
    color: tuple[float, float, float, float]
    attributes: dict[str, np.ndarray]
    indices: np.ndarray


def write_glb(
    path: Path, name: str, parts: list[Part], translation: np.ndarray, extras: dict
) -> None:
    """`translation` is of the node, and `extras` are its custom properties."""
    binary = bytearray()
    views: list[dict] = []
    accessors: list[dict] = []

    def add(values: np.ndarray, component: int, target: int) -> int:
        data = np.ascontiguousarray(values).tobytes()
        views.append(
            {"buffer": 0, "byteOffset": len(binary), "byteLength": len(data), "target": target}
        )
        binary.extend(data)
        accessor = {
            "bufferView": len(views) - 1,
            "componentType": component,
            "count": len(values),
            "type": KINDS[values.shape[1] if values.ndim == 2 else 1],
        }
        if target == ARRAY_BUFFER:
            accessor |= {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}
        accessors.append(accessor)
        return len(accessors) - 1

    primitives = [
        {
            "attributes": {
                key: add(np.float32(values), FLOAT, ARRAY_BUFFER)
                for key, values in part.attributes.items()
            },
            "indices": add(np.uint32(part.indices).reshape(-1), UINT, ELEMENT_ARRAY_BUFFER),
            "material": number,
        }
        for number, part in enumerate(parts)
    ]
    content = {
        "asset": {"version": "2.0", "generator": "TrueVAT reference writer"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [
            {"name": name, "mesh": 0, "translation": np.float64(translation).tolist()}
            | ({"extras": extras} if extras else {})
        ],
        "meshes": [{"name": name, "primitives": primitives}],
        "materials": [
            {
                "name": part.material,
                "pbrMetallicRoughness": {
                    "baseColorFactor": list(part.color),
                    "metallicFactor": 0.0,
                    "roughnessFactor": 0.6,
                },
            }
            for part in parts
        ],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(binary)}],
    }
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    with path.open("wb") as file:
        file.write(struct.pack("<4s2I", b"glTF", 2, 12 + 8 + len(text) + 8 + len(binary)))
        file.write(struct.pack("<I4s", len(text), b"JSON") + text)
        file.write(struct.pack("<I4s", len(binary), b"BIN\0") + binary)
