# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes that move from frame 1 to 5; each function returns the names of its sources."""

from __future__ import annotations

import scenes


def hard_edges() -> list[str]:
    scenes.moving(scenes.wave(scenes.cube()))
    return ["Cube"]


def two_objects() -> list[str]:
    scenes.moving(scenes.wave(scenes.grid()))
    scenes.moving(scenes.cube()).location.z += 3
    return ["Grid", "Cube"]


def mirrored() -> list[str]:
    scenes.moving(scenes.wave(scenes.ball())).scale = (-1, 1, 1)
    scenes.moving(scenes.cube()).scale = (1, 2, -0.5)
    return ["Ball", "Cube"]


def non_uniform_scale() -> list[str]:
    scenes.keyed(scenes.wave(scenes.ball()), "scale", (1, (0.1, 3, 1)), (5, (2, 0.3, 1)))
    scenes.moving(scenes.cube()).scale = (1, 2, 0.2)
    return ["Ball", "Cube"]


def rotated_parent() -> list[str]:
    parent = scenes.moving(scenes.link("Parent", None))
    parent.scale = (0.5, 2, 1)  # shears a child that is rotated itself
    scenes.moving(scenes.cube()).parent = parent
    return ["Cube"]


def large() -> list[str]:
    scenes.moving(scenes.wave(scenes.grid(cells=20, smooth=False)))
    return ["Grid"]


def more_and_more() -> list[str]:
    """Cubes, and mirrored ones, beside a ball that stays as it is."""
    for name, scale in (("Cube", (1, 1, 1)), ("Other", (1, -2, 1))):
        obj = scenes.moving(scenes.cube(name))
        obj.scale = scale
        scenes.keyed(obj.modifiers.new("Array", "ARRAY"), "count", (1, 1), (5, 4))
    scenes.moving(scenes.ball())
    return ["Ball", "Cube", "Other"]


def fewer_and_fewer() -> list[str]:
    obj = scenes.moving(scenes.wave(scenes.grid()))
    scenes.keyed(obj.modifiers.new("Array", "ARRAY"), "count", (1, 5), (5, 1))
    return ["Grid"]


def out_of_nothing() -> list[str]:
    """Without a single triangle in the first frame."""
    obj = scenes.moving(scenes.ball("Grow"))
    build = obj.modifiers.new("Build", "BUILD")
    build.frame_start, build.frame_duration = 1, 6
    return ["Grow"]


CONSTANT = [hard_edges, two_objects, mirrored, non_uniform_scale, rotated_parent]
CHANGING = [more_and_more, fewer_and_fewer, out_of_nothing]
