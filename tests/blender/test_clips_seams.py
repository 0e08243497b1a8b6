# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where loops close, and by how much they do not."""

from __future__ import annotations

import math
from pathlib import Path

import bpy
import pytest
from truevat.blender.seams import settle_steps
from truevat.core.clips import Clip

import scenes
from animations import clips_of, walker
from evaluated import settings


def settled(text: str, *sources: bpy.types.Object, unit_scale: float = 1.0, **options):
    """[(clip, error of its seam)]."""
    asked = settings(Path("unused"), [source.name for source in sources], None, **options)
    steps = settle_steps(
        bpy.context, clips_of(text, *sources), sources, asked, unit_scale=unit_scale
    )
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def swing(*keys: tuple[float, float]) -> bpy.types.Object:
    cube = scenes.cube()
    scenes.keyed(cube, "location", *keys, index=0)
    return cube


def frames(clip: Clip) -> tuple[float, float, float]:
    return clip.times[0], clip.times[-1], clip.end


def test_a_range_that_ends_with_its_first_pose():
    ((clip, error),) = settled("A=1:9@loop", swing((1, 0.0), (5, 2.0), (9, 0.0)))
    assert (*frames(clip), error) == (1, 8, 9, 0)


def test_a_range_that_ends_a_frame_before_it():
    ((clip, error),) = settled("A=1:8@loop", swing((1, 0.0), (5, 2.0), (9, 0.0)))
    assert (*frames(clip), error) == (1, 8, 9, 0)


def test_a_loop_that_does_not_close_says_by_how_much():
    cube = swing((1, 0.0), (9, 3.0), (20, 9.0))
    ((clip, error),) = settled("A=1:9@loop", cube)
    assert (*frames(clip), error) == (1, 8, 9, 3)
    ((_, error),) = settled("A=1:9@loop", cube, unit_scale=0.01)
    assert error == pytest.approx(0.03, rel=1e-6)


def test_clips_that_do_not_loop_have_no_seam():
    skin, _ = walker()
    (run, error), (walk, none) = settled("actions:Run@loop,Walk", skin)
    assert (run.loop, run.count, walk.loop, none) == (True, 6, False, None)
    assert error > 0.1


def test_a_topology_that_changes_has_no_seam():
    """The frame behind the range may show what could not be baked."""
    ball = scenes.ball()
    ball.modifiers.new("Build", "BUILD").frame_start = 0
    ((clip, error),) = settled("A=5:8@loop", ball)
    assert (*frames(clip), error) == (5, 7, 8, math.inf)
