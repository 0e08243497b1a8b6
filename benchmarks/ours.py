# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bake that is measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from truevat.blender.bake import bake
from truevat.core.frames import FrameRange
from truevat.core.settings import BakeSettings


def run(
    source: bpy.types.Object,
    frames: int,
    folder: Path,
    max_size: int,
    *,
    dedup: str = "trajectory",
    memory: int = 1024,
    profile: str = "nekovat",
    pixel: str = "auto",
) -> dict[str, Any]:
    """Bakes frames 1 to `frames` of one object, without a mesh file; returns the report."""
    settings = BakeSettings(
        output=folder,
        objects=(source.name,),
        frames=FrameRange(1, frames),
        dedup=dedup,
        max_size=max_size,
        mesh="none",
        memory=memory,
        profile=profile,
        pixel=pixel,
        engines=(),
    )
    return bake(bpy.context, settings).to_json()


def texture(folder: Path) -> Path:
    (path,) = folder.glob("*.exr")
    return path
