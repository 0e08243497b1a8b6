# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How large a bake will be, from what is evaluated at the current frame."""

from __future__ import annotations

from dataclasses import dataclass

import bpy

from ..core.errors import BakeError
from ..core.profiles import PROFILES
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
    corners, faces = _count_corners_and_faces(context, find_sources(context, settings))
    slots = 3 * (corners - 2 * faces) if settings.address == "vertex-id" else corners
    if not slots:
        raise BakeError("What would be baked has no faces at this frame")
    shared = settings.address == "uv" and settings.dedup != "none"
    try:
        layout = PROFILES[settings.profile].layout(slots, frames, settings.max_size)
    except BakeError as error:
        # Only the bake finds out how many texels can be shared.
        raise BakeError(
            f"Unless texels can be shared: {error}" if shared else str(error)
        ) from error
    text = (
        f"{layout.width} × {layout.height} px, {layout.megabytes():,.1f} MB\n"
        f"{'up to ' if shared else ''}{slots:,} slots"
    )
    return Estimate(layout.width, layout.height, slots, layout.megabytes(), text)


def _count_corners_and_faces(
    context: bpy.types.Context, sources: list[bpy.types.Object]
) -> tuple[int, int]:
    counts: dict[int, tuple[int, int]] = {}
    corners = faces = 0
    depsgraph = context.evaluated_depsgraph_get()
    instancing = {group for group, obj in enumerate(sources) if may_instance(obj)}
    for _, obj, _ in instances(depsgraph, sources, instancing):
        mesh = obj.data.as_pointer()
        if mesh not in counts:
            counts[mesh] = _count_one(obj)
        corners += counts[mesh][0]
        faces += counts[mesh][1]
    return corners, faces


def _count_one(evaluated: bpy.types.Object) -> tuple[int, int]:
    # Not `data`: where the graphics card subdivides, only to_mesh() has all corners.
    with opened(evaluated) as mesh:
        return (0, 0) if mesh is None else (len(mesh.loops), len(mesh.polygons))
