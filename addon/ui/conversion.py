# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From the scene's settings and the preferences to the settings that a bake takes."""

from __future__ import annotations

from pathlib import Path

import bpy

from ..core.engines import ENGINES
from ..core.errors import BakeError
from ..core.frames import FrameRange
from ..core.profiles import PROFILES
from ..core.settings import BakeSettings
from .preferences import machine


def bake_settings(context: bpy.types.Context, output: Path | None = None) -> BakeSettings:
    """The scene's settings as a bake takes them. `output` stands in for the scene's folder."""
    settings = context.scene.truevat
    if settings.source == "collection" and settings.collection is None:
        raise BakeError("Choose the collection to bake")
    memory, scratch = machine(context)
    layout = PROFILES[settings.profile]
    return BakeSettings(
        output=settings.output if output is None else output,
        collection=settings.collection.name if settings.source == "collection" else None,
        frames=(
            FrameRange(settings.frame_start, settings.frame_end, settings.frame_step)
            if settings.frames == "custom"
            else None
        ),
        profile=settings.profile,
        address=_if_known(settings.address, layout.addresses) or "uv",
        normals=_if_known(settings.normals, layout.normals),
        dedup=_if_known(settings.dedup, layout.dedups),
        pixel=_if_known(settings.pixel, layout.pixels) or "auto",
        tolerance=settings.tolerance,
        openvat_rounding=settings.openvat_rounding and layout.rounds,
        rows=_if_known(settings.rows, layout.rows),
        normal_texture=_if_known(settings.normal_texture, layout.normal_textures),
        join={"one": True, "each": False}.get(settings.join),
        engines=tuple(name for name in ENGINES if getattr(settings, f"engine_{name}")),
        max_size=int(settings.max_size),
        name=settings.file_name or None,
        mesh=settings.mesh,
        guard=settings.guard,
        bounds=settings.bounds,
        render_settings=settings.render_settings,
        memory=memory,
        scratch=scratch,
    )


def _if_known(value: str, choices: tuple[str, ...]) -> str | None:
    """The panel shows a choice only where the layout has it, and keeps it for the others."""
    return value if value in choices else None
