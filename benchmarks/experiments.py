# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured, and what it must reach."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Comparison:
    """Our time over that of something else, alternated in one process.

    `against`: `floor`, `peer` (a sample per corner), `shared` (the peer with a sample per vertex),
    `none` (ourselves without de-duplication) or `nekovat` (ourselves, in that layout). `side` is
    what we do: `nekovat`, or `float` and `half` in the truevat layout. Without a limit it is for
    information.
    """

    scene: str
    against: str
    limit: float | None
    side: str = "nekovat"


@dataclass(frozen=True)
class Peak:
    """Peak memory over Blender's own, for one or more lengths, in processes of their own."""

    scene: str
    frames: tuple[int, ...]
    budget: int  # MiB


OVER_BUDGET = 128  # MiB
SPREAD = 0.05  # between the lengths of one Peak

EXPERIMENTS: dict[str, Comparison | Peak] = {
    "smooth": Comparison("smooth", "floor", 1.10),
    "flat": Comparison("flat", "floor", 1.20),
    "triangulated": Comparison("triangulated", "floor", 1.06),
    "skinned": Comparison("skinned", "floor", 1.15),
    "peer-smooth": Comparison("smooth", "peer", 0.40),
    "peer-flat": Comparison("flat", "peer", 0.40),
    "shared-smooth": Comparison("smooth", "shared", None),
    "dedup-smooth": Comparison("smooth", "none", 1.15),
    "dedup-flat": Comparison("flat", "none", None),
    **{
        f"{side}-{scene}": Comparison(scene, "nekovat", 1.05, side)
        for scene in ("smooth", "flat", "triangulated", "skinned")
        for side in ("float", "half")
    },
    "memory-triangulated": Peak("triangulated", (120,), 1024),
    "memory-long": Peak("long", (600,), 1024),
    "memory-64": Peak("long", (60, 600), 64),
    "big": Peak("big", (100,), 1024),
}
