# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sidecars of all four layouts, as docs/format.md describes them."""

from __future__ import annotations

import copy
import tempfile
from functools import cache
from pathlib import Path

import moving
from schema import check

# What the texture and the mesh are to each layout.
OTHERS = {
    "nekovat": {
        "files": {"texture": {"name": "a_pos.exr", "bytes": 1}},
        "mesh_sha256": None,
        "texture": {
            **{"width": 32, "height": 512, "header_rows": 1, "rows_per_frame": 10},
            "pixel": "float32",
        },
        "position": {"kind": "absolute", "error_m": 0},
        "normals": {"of": "corner", "encoding": "xyz8", "error_degrees": 0.8, "guard": True},
        "address": "uv",
    },
    "bounds": {
        "files": {
            "texture": {"name": "a_pos.exr", "bytes": 1},
            "normals": {"name": "a_nml.exr", "bytes": 1},
            "info": {"name": "a_info.json", "bytes": 1},
            "mesh": {"name": "a.fbx", "bytes": 1},
        },
        "texture": {
            **{"width": 291, "height": 37, "header_rows": 0, "rows_per_frame": 1},
            "pixel": "float16",
        },
        "position": {"kind": "remapped", "error_m": 0.001},
        "normals": {"of": "face", "encoding": "xyz", "error_degrees": 0.05},
        "address": "uv",
        "space": {"axes": "left-handed, Y up", "unit": "metre", "origin": "object"},
    },
    "openvat": {
        "files": {
            "texture": {"name": "a_vat.png", "bytes": 1},
            "mesh": {"name": "a.glb", "bytes": 1},
        },
        "texture": {
            **{"width": 291, "height": 74, "header_rows": 0, "rows_per_frame": 1},
            "pixel": "unorm16",
        },
        "position": {"kind": "remapped", "error_m": 0.0001},
        "normals": {"of": "vertex", "encoding": "none"},
        "address": "uv",
    },
}


@cache
def _written(pixel: str, soup: bool) -> dict:
    moved = moving.drop() if soup else moving.solid_parts()
    with tempfile.TemporaryDirectory() as folder:
        return check(moving.write(Path(folder), "a", moved, pixel, 61)["sidecar"])


def sidecar(profile: str = "truevat", pixel: str = "float32", *, soup: bool = False) -> dict:
    """One that the test may change."""
    made = copy.deepcopy(_written(pixel, soup))
    return made | {"profile": profile} | copy.deepcopy(OTHERS.get(profile, {}))
