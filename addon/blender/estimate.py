# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How large a bake will be, from what is evaluated at the current frame."""

from __future__ import annotations

from dataclasses import dataclass

import bpy

from ..core.errors import BakeError
from ..core.profiles import Need
from ..core.settings import BakeSettings
from .capture import opened
from .instances import instances, may_instance
from .sources import find_sources
from .timeline import frame_times


@dataclass(frozen=True)
class Estimate:
    """Texture size in pixels and 10^6 bytes. A bake that shares texels needs at most `slots`.

    `text` has all that in two lines.
    """

    width: int
    height: int
    slots: int
    megabytes: float
    text: str


def estimate(context: bpy.types.Context, settings: BakeSettings) -> Estimate:
    """Looks at the current frame only, which is exact unless the topology changes.

    Raises BakeError where there is nothing to bake, or no texture that is large enough.
    """
    frames = len(frame_times(context.scene, settings.frames))
    points, corners, faces = _count(context, find_sources(context, settings))
    by_triangle = settings.address == "vertex-id" or settings.layout.numbers_triangles
    if by_triangle:
        slots = 3 * (corners - 2 * faces)
    else:
        slots = points if settings.layout.numbers_points else corners
    if not slots:
        raise BakeError("What would be baked has no faces at this frame")
    shared = not by_triangle and settings.dedup != "none"
    try:
        pixel = settings.layout.pixel(settings)
        layout = settings.layout.layout(
            Need(slots, frames, 1, pixel, settings.max_size, settings.rows, settings.normal_texture)
        )
    except BakeError as error:
        # Only the bake finds out how many texels can be shared.
        raise BakeError(
            f"Unless texels can be shared: {error}" if shared else str(error)
        ) from error
    text = (
        f"{layout.width} × {layout.height} px, {layout.megabytes(pixel):,.1f} MB\n"
        f"{'up to ' if shared else ''}{slots:,} slots"
    )
    return Estimate(layout.width, layout.height, slots, layout.megabytes(pixel), text)


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
