# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""FBX files as Unity imports them, by a reader that is neither Blender's nor ours."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True, eq=False)
class Imported:
    """One object: three vertices for each triangle, in Unity's axes, in metres.

    `uvs` are all its maps, `materials` the file's, `tangents` some unit vectors along the surface,
    `place` its position.
    """

    name: str
    positions: np.ndarray
    normals: np.ndarray
    uvs: list[np.ndarray]
    materials: list[str]
    colors: int
    bake_id: str
    place: np.ndarray

    @property
    def tangents(self) -> np.ndarray:
        side = np.cross(self.normals, [0.31, 0.5, 0.81])
        return np.float32(side / np.linalg.norm(side, axis=1, keepdims=True))


def read_fbx(path: Path) -> list[Imported]:
    """In a process of its own: ufbx for Python may crash when its objects are freed."""
    command = [sys.executable, __file__, str(path)]
    parts = pickle.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return [Imported(**part) for part in parts]


def shuffled(count: int) -> np.ndarray:
    """Vertices in an order of an importer's own."""
    return np.random.default_rng(13).permutation(count)


def rounded(address: np.ndarray, form: str) -> np.ndarray:
    if form == "half":
        return address.astype(np.float16).astype(np.float32)
    if form == "unorm16":
        low, high = address.min(axis=0), address.max(axis=0)
        span = np.where(high > low, high - low, 1)
        return np.float32(np.round((address - low) / span * 65535) / 65535 * span + low)
    return address


# -------------------------------------------------------------------------------------------------
# In that process


def as_unity_does(path: str) -> list[dict]:
    """X is negated and winding reversed; file units become metres."""
    import ufbx

    scene = ufbx.load_file(path)
    unit = np.float32(scene.settings.unit_meters)
    # Not those of each mesh: where meshes share one, ufbx for Python crashes.
    materials = [material.name for material in scene.materials]
    return [_read(node, unit) | {"materials": materials} for node in scene.nodes if node.mesh]


def _read(node, unit: np.float32) -> dict:
    mesh, transform = node.mesh, node.local_transform
    assert tuple(transform.scale) == (1, 1, 1) and tuple(transform.rotation) == (0, 0, 0, 1)
    assert mesh.num_indices == 3 * mesh.num_faces
    order = np.arange(mesh.num_indices).reshape(-1, 3)[:, [0, 2, 1]].reshape(-1)
    mirror = np.float32([-1, 1, 1])
    ids = [p.value_str for p in node.props.props if p.name == "truevat_bake"]
    return {
        "name": node.name,
        "positions": _corners(mesh.vertex_position)[order] * mirror * unit,
        "normals": _corners(mesh.vertex_normal)[order] * mirror,
        "uvs": [_corners(uv_set.vertex_uv)[order] for uv_set in mesh.uv_sets],
        "colors": len(mesh.color_sets),
        "bake_id": ids[0] if ids else "",
        "place": np.float32(tuple(transform.translation)) * mirror * unit,
    }


def _corners(attribute) -> np.ndarray:
    values = np.array([tuple(value) for value in attribute.values], np.float32)
    return values[np.array(list(attribute.indices))]


if __name__ == "__main__":
    sys.stdout.buffer.write(pickle.dumps(as_unity_does(sys.argv[1])))
    sys.stdout.flush()
    os._exit(0)
