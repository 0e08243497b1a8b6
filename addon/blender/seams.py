# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where loops close, found before anything is stored."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from fractions import Fraction

import bpy

from ..core.clips import Clip
from ..core.errors import BakeError
from ..core.seam import seam_error, world_points
from ..core.settings import BakeSettings
from . import timeline
from .capture import Capture
from .clips import SceneClips


def settle_steps(
    context: bpy.types.Context,
    scene_clips: SceneClips,
    sources: Sequence[bpy.types.Object],
    settings: BakeSettings,
    unit_scale: float,
) -> Generator[str, None, list[tuple[Clip, float | None]]]:
    """Yields what it does after each frame; returns the clips with their seams' errors in metres,
    None for a clip that does not loop. The scene's frame is the caller's to restore."""
    settled: list[tuple[Clip, float | None]] = []
    for clip in scene_clips.clips:
        if not clip.loop:
            settled.append((clip, None))
            continue
        with scene_clips.alone(clip):
            capture = Capture(context, sources, settings, unit_scale)
            simulated = timeline.simulation_start(context.scene, context.evaluated_depsgraph_get())
            first, errors = None, []
            for time, wanted in timeline.schedule([clip.start, *clip.probes], simulated):
                timeline.set_frame(context.scene, time)
                if wanted and first is None:
                    first = world_points(capture.first(time)[2])
                elif wanted:
                    errors.append(_error(capture, first, time))
                yield f"Looking where '{clip.name}' comes round, frame {float(time):g}"
        settled.append(clip.settled(errors))
    return settled


def _error(capture: Capture, first: list, time: Fraction) -> float:
    try:
        parts = capture.frame(time)
    except BakeError:  # of another topology than the first; the frame need not be stored
        return math.inf
    return seam_error(first, world_points(parts))
