# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How large a bake will be, from what is evaluated at the current frame."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import bpy
import numpy as np

from ..core.errors import BakeError
from ..core.plan import bind
from ..core.profiles.base import ClipRows
from ..core.settings import BakeSettings
from .capture import opened
from .clips import SceneClips
from .instances import instances, may_instance
from .sources import find_sources

PIXEL_NAMES = {"float32": "Float", "float16": "Half", "unorm16": "PNG"}


@dataclass(frozen=True)
class Estimate:
    """The largest texture's size in pixels, and 10^6 bytes of all textures. A bake that shares
    texels needs at most `slots`. Where the bake chooses the pixel type, the size is that of floats.

    `text` has all that in lines for people.
    """

    width: int
    height: int
    slots: int
    frames: int
    megabytes: float
    text: str


def estimate(context: bpy.types.Context, settings: BakeSettings) -> Estimate:
    """Looks at the current frame only, which is exact unless the topology changes, but for a frame
    that a loop may have more.

    Raises BakeError where there is nothing to bake, or no texture that is large enough.
    """
    sources = find_sources(context, settings)
    clips = _clips(context, settings, sources)
    frames = sum(clip.frames for clip in clips)
    points, corners, faces = _count(context, sources)
    by_triangle = settings.by_triangle
    if by_triangle:
        slots = 3 * (corners - 2 * faces)
    else:
        slots = points if settings.layout.numbers_points else corners
    if not slots:
        raise BakeError("What would be baked has no faces at this frame")
    shared = not by_triangle and settings.dedup != "none"
    try:
        exact = _size(settings, settings.layout.pixel(settings), slots, clips)
    except BakeError as error:
        # Only the bake finds out how many texels can be shared.
        raise BakeError(
            f"Unless texels can be shared: {error}" if shared else str(error)
        ) from error
    lines = [exact.text]
    if settings.pixel == "auto" and settings.layout.measures:
        # Only the bake finds out what half floats lose.
        with suppress(BakeError):
            lines.append(f"or {_size(settings, 'float16', slots, clips).text}")
    several = f"{len(clips)} clips, " if len(clips) > 1 else ""
    lines += [f"{several}{frames:,} frames", f"{'up to ' if shared else ''}{slots:,} slots"]
    return Estimate(exact.width, exact.height, slots, frames, exact.megabytes, "\n".join(lines))


def _clips(
    context: bpy.types.Context, settings: BakeSettings, sources: list[bpy.types.Object]
) -> list[ClipRows]:
    clips = SceneClips(context.scene, sources, settings.clips, settings.frames).clips
    settings.layout.check_clips(settings, len(clips))
    rows, first = [], 0
    for clip in clips:
        rows.append(ClipRows(clip.name, first, clip.count, clip.fps, clip.loop))
        first += clip.count
    return rows


class _Size(NamedTuple):
    width: int
    height: int
    megabytes: float
    text: str


def _size(settings: BakeSettings, pixel: str, slots: int, clips: list[ClipRows]) -> _Size:
    """Of all textures, with those of the largest one. BakeError if they do not fit."""
    nowhere = np.zeros((len(clips), 2, 3), np.float32)
    layouts = [book.layout for book in bind(settings, pixel, slots, clips, nowhere)]
    each = len(settings.layout.textures(settings, pixel))
    count, megabytes = each * len(layouts), each * sum(one.megabytes(pixel) for one in layouts)
    largest = max(layouts, key=lambda one: one.width * one.height)
    name = f" {PIXEL_NAMES[pixel]}" if len(settings.layout.pixels) > 1 else ""
    text = f"{largest.width} × {largest.height} px{name}, {megabytes:,.1f} MB"
    if count > 1:
        text = f"{count} textures up to {text}"
    return _Size(largest.width, largest.height, megabytes, text)


def _count(context: bpy.types.Context, sources: list[bpy.types.Object]) -> tuple[int, int, int]:
    """Points, corners and faces."""
    counts: dict[int, tuple[int, int, int]] = {}
    total = (0, 0, 0)
    depsgraph = context.evaluated_depsgraph_get()
    instancing = {group for group, obj in enumerate(sources) if may_instance(obj)}
    for _, obj, _ in instances(depsgraph, sources, instancing):
        mesh = obj.data.as_pointer()
        if mesh not in counts:
            counts[mesh] = _count_one(obj)
        total = tuple(map(sum, zip(total, counts[mesh], strict=True)))
    return total


def _count_one(evaluated: bpy.types.Object) -> tuple[int, int, int]:
    # Not `data`: where the graphics card subdivides, only to_mesh() has all corners.
    with opened(evaluated) as mesh:
        if mesh is None:
            return 0, 0, 0
        return len(mesh.vertices), len(mesh.loops), len(mesh.polygons)
