# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON beside the texture: what an importer needs to know, and nothing that changes between
two bakes of the same thing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import truevat_native as native

from .baker import Plan
from .mesh import Floats
from .settings import BakeSettings

FORMAT = "truevat"
VERSION = 1
SUFFIX = ".truevat.json"


def describe(
    settings: BakeSettings,
    plan: Plan,
    *,
    times: Sequence[Fraction],
    fps: Fraction,
    objects: Sequence[str],
    origins: Floats,
    files: dict[str, Path],
    mesh_hash: str | None,
    source: str,
    blender: str,
) -> dict[str, Any]:
    """`files` are the written ones, by role; `fps` is of the stored frames, steps counted in."""
    by_uv = settings.address == "uv"
    return {
        "format": FORMAT,
        "version": VERSION,
        "profile": settings.profile,
        "bake_id": plan.bake_id,
        "files": {
            role: {"name": path.name, "bytes": path.stat().st_size} for role, path in files.items()
        },
        "mesh_sha256": mesh_hash,
        "texture": {
            "width": plan.layout.width,
            "height": plan.layout.height,
            "rows_per_frame": plan.layout.rows_per_frame,
            "header_rows": 1,
            "pixel": "float32",
        },
        "address": settings.address,
        "normals": {"of": settings.normals_read, "encoding": "xyz8", "guard": settings.guard},
        "dedup": settings.dedup if by_uv else "none",
        "samples": plan.samples,
        "slots": plan.slots,
        "frames": {
            "stored": plan.stored,
            "start": float(times[0]),
            "end": float(times[-1]),
            "step": float(times[1] - times[0]) if len(times) > 1 else 1.0,
            "fps": {"numerator": fps.numerator, "denominator": fps.denominator},
        },
        "constant_topology": plan.constant,
        "space": {
            "axes": "right-handed, Z up",
            "unit": "metre",
            "origin": "object" if by_uv else "world",
        },
        "bounds": _box(np.stack([plan.bounds[:, 0].min(axis=0), plan.bounds[:, 1].max(axis=0)])),
        "objects": [
            {
                "name": name,
                "origin": origin.tolist() if by_uv else [0.0, 0.0, 0.0],
                "bounds": _box(box),
            }
            for name, origin, box in zip(objects, origins, plan.bounds, strict=True)
        ],
        # A file's name need not be UTF-8, as which JSON is stored.
        "source": source.encode(errors="replace").decode(),
        "generator": {"name": "TrueVAT", "version": native.__version__, "blender": blender},
    }


def _box(bounds: Floats) -> dict[str, list[float]] | None:
    """None for what never had a point, as a metaball that another one of its family shows."""
    if not np.isfinite(bounds).all():
        return None
    return {"min": bounds[0].tolist(), "max": bounds[1].tolist()}


def write(path: Path, sidecar: dict[str, Any]) -> None:
    """UTF-8; the same bytes for the same content. ValueError for a number that JSON lacks."""
    path.write_text(
        json.dumps(sidecar, indent=2, ensure_ascii=False, allow_nan=False) + "\n", "utf-8"
    )
