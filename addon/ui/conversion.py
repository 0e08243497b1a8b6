# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From the scene's settings and the preferences to the settings that a bake takes."""

from __future__ import annotations

from pathlib import Path

import bpy

from ..blender.sources import find_sources
from ..core.clip_text import exact_fps, exact_step
from ..core.clips import ClipSettings, Pick
from ..core.engines import ENGINES
from ..core.errors import BakeError
from ..core.frames import FrameRange
from ..core.profiles import PROFILES
from ..core.settings import BakeSettings
from .preferences import machine


def bake_settings(context: bpy.types.Context, output: Path | None = None) -> BakeSettings:
    """The scene's settings as a bake takes them. `output` stands in for the scene's folder."""
    settings = context.scene.truevat
    memory, scratch = machine(context)
    layout = PROFILES[settings.profile]
    return BakeSettings(
        output=settings.output if output is None else output,
        collection=_collection(settings),
        frames=_frames(settings),
        clips=_clips(settings),
        texture_per_clip=settings.texture_per_clip and settings.clips != "scene",
        profile=settings.profile,
        address=_if_shown(settings.address, layout.addresses) or "uv",
        normals=_if_shown(settings.normals, layout.normals),
        dedup=_if_shown(settings.dedup, layout.dedups),
        pixel=_if_shown(settings.pixel, layout.pixels) or "auto",
        tolerance=round(settings.tolerance, 6),  # a float32, which has no 0.1
        openvat_rounding=settings.openvat_rounding and layout.rounds,
        rows=_if_shown(settings.rows, layout.rows),
        normal_texture=(
            None
            if settings.normal_texture == "layout"
            else _if_shown(settings.normal_texture, layout.normal_textures)
        ),
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


def sources(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The objects that would be baked, whatever else is set."""
    collection = _collection(context.scene.truevat)
    return find_sources(context, BakeSettings(output=Path(), collection=collection))


def _collection(settings: bpy.types.PropertyGroup) -> str | None:
    if settings.source != "collection":
        return None
    if settings.collection is None:
        raise BakeError("Choose the collection to bake")
    return settings.collection.name


def _frames(settings: bpy.types.PropertyGroup) -> FrameRange | None:
    if settings.clips != "scene" or settings.frames != "custom":
        return None
    step = settings.frame_step if settings.sampling == "auto" else 1.0
    return FrameRange(settings.frame_start, settings.frame_end, step)


def _clips(settings: bpy.types.PropertyGroup) -> ClipSettings:
    kind = settings.clips
    fps = exact_fps(settings.fps) if settings.sampling == "fps" else None
    step = exact_step(settings.step) if settings.sampling == "step" else None
    if kind == "scene":
        named = (Pick(settings.clip_name),) if settings.clip_name else ()
        return ClipSettings(kind, named, fps, step, settings.clip_loop or None)
    rows = getattr(settings, kind).rows
    picks = tuple(_pick(kind, row) for row in rows if row.use)
    if kind == "ranges" and not rows:
        raise BakeError("Add a clip to the list (+), and set its range of frames")
    if rows and not picks:  # no picks at all would mean all clips
        raise BakeError("Tick the clips to bake")
    return ClipSettings(kind, picks, fps, step)


def _pick(kind: str, row: bpy.types.PropertyGroup) -> Pick:
    fps = exact_fps(row.fps) if row.use_fps else None
    if kind != "ranges":
        rename = row.name if row.name != row.source else None
        return Pick(row.source, rename, fps=fps, loop=row.loop)
    try:
        frames = FrameRange(row.start, row.end)
    except BakeError as error:
        raise BakeError(f"Clip '{row.name}': {error}") from error
    return Pick(row.name, frames=frames, fps=fps, loop=row.loop)


def _if_shown(value: str, choices: tuple[str, ...]) -> str | None:
    """The panel shows a choice only where the layout has one, and keeps it for the others. What it
    shows is meant: then a value that the layout does not have is an error."""
    return value if value in choices or len(choices) > 1 else None
