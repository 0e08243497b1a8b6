# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON beside the texture: what an importer needs to know, and nothing that changes between
two bakes of the same thing. docs/format.md lists its keys."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import truevat_native as native

from .mesh import Floats, PlaybackMesh
from .meshes import PlaybackObject
from .plan import Book, Plan
from .settings import BakeSettings

FORMAT = "truevat"
VERSION = 1
SUFFIX = ".truevat.json"


@dataclass(frozen=True)
class SceneClip:
    """What a clip was in the scene: its first and last frame there, and how far its end is from its
    beginning, in metres, if it loops."""

    start: Fraction
    end: Fraction
    seam_error: float | None = None


@dataclass(frozen=True)
class Facts:
    """What a bake has found out, and the settings do not say."""

    times: Sequence[Fraction]
    clips: Sequence[SceneClip]
    objects: Sequence[str]
    own_origins: Floats  # (objects, 3) where each object is at the first frame
    position_error: float
    mesh_hash: str | None
    meshes: Sequence[PlaybackObject]
    source: str
    blender: str


def describe(
    settings: BakeSettings, plan: Plan, index: int, facts: Facts, files: dict[str, Path]
) -> dict[str, Any]:
    """Of one of the plan's books. `files` are the written ones, by role."""
    book, profile = plan.books[index], settings.layout
    layout = book.layout
    says = profile.describe(settings, plan.pixel)
    times = facts.times[book.first : book.first + book.frames]
    before = sum(len(each.clips) for each in plan.books[:index])
    by_corner = not settings.by_triangle
    content = {
        "format": FORMAT,
        "version": VERSION,
        "profile": profile.name,
        "bake_id": plan.bake_id,
        "files": {
            role: {"name": path.name, "bytes": path.stat().st_size} for role, path in files.items()
        },
        "mesh_sha256": facts.mesh_hash,
        "texture": {
            "width": layout.width,
            "height": layout.height,
            "header_rows": layout.header_rows,
            "rows_per_frame": layout.rows_per_frame,
            "pixel": plan.pixel,
            "normal_row": layout.normal_row,
            "normal_rows_per_frame": layout.normal_rows_per_frame,
        },
        "position": says["position"] | {"error_m": facts.position_error},
        "normals": {"of": settings.normals_read} | says["normals"],
        "address": says["address"],
        "dedup": settings.dedup if by_corner else "none",
        "samples": plan.samples,
        "slots": plan.slots,
        "frames": {
            "stored": len(book.stored),
            "start": float(times[0]),
            "end": float(times[book.clips[0].frames - 1]),
            "step": float(times[1] - times[0]) if book.clips[0].frames > 1 else 1.0,
            "fps": _ratio(book.clips[0].fps),
        },
        "clips": [_clip(book, i, facts.clips[before + i]) for i in range(len(book.clips))],
        "constant_topology": plan.constant,
        "triangles": plan.triangles and plan.triangles[book.first : book.first + book.frames],
        "space": {
            "axes": profile.space,
            "unit": "metre",
            "origin": "object" if np.any(plan.origins) or by_corner else "world",
        },
        "bounds": _box(book.extent),
        "objects": [
            {"name": name, "origin": origin.tolist(), "bounds": _box(box)}
            for name, origin, box in zip(facts.objects, facts.own_origins, plan.bounds, strict=True)
        ],
        "meshes": [
            {
                "name": each.name,
                "origin": list(each.origin),
                "triangles": _triangles(each.mesh),
            }
            for each in facts.meshes
        ],
        # A file's name need not be UTF-8, as which JSON is stored.
        "source": facts.source.encode(errors="replace").decode(),
        "generator": {
            "name": "TrueVAT",
            "version": native.__version__,
            "blender": facts.blender,
        },
    }
    if plan.triangles is None:
        del content["triangles"]
    return content


def _clip(book: Book, index: int, scene: SceneClip) -> dict[str, Any]:
    clip = book.clips[index]
    described = {
        "name": clip.name,
        "first_frame": clip.first_frame,
        "frames": clip.frames,
        "fps": _ratio(clip.fps),
        "loop": clip.loop,
        "start": float(scene.start),
        "end": float(scene.end),
        "bounds": _box(book.clip_extents[index]),
    }
    if scene.seam_error is not None and math.isfinite(scene.seam_error):
        described["seam_error_m"] = scene.seam_error
    return described


def _triangles(mesh: PlaybackMesh) -> int:
    return len(mesh.corner_vert) - 2 * len(mesh.face_start) - mesh.widening


def _ratio(value: Fraction) -> dict[str, int]:
    return {"numerator": value.numerator, "denominator": value.denominator}


def _box(bounds: Floats) -> dict[str, list[float]] | None:
    """None for what never had a point, as a metaball that another one of its family shows."""
    if not np.isfinite(bounds).all():
        return None
    return {"min": bounds[0].tolist(), "max": bounds[1].tolist()}


def write(path: Path, sidecar: dict[str, Any]) -> None:
    """UTF-8; the same bytes for the same content. ValueError for a number that JSON lacks."""
    text = json.dumps(sidecar, indent=2, ensure_ascii=False, allow_nan=False)
    path.write_text(text + "\n", "utf-8", newline="\n")
