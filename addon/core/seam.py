# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a loop's end is from its beginning."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import truevat_native as native

from .mesh import Floats


def world_points(parts: Sequence[native.Part]) -> list[tuple[int, Floats]]:
    """(group, points in the world) of each part of a frame, in memory of their own."""
    found = []
    for group, points, _, _, matrix, *_ in parts:
        matrix = matrix.astype(np.float64)
        found.append((group, points.astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]))
    return found


def seam_error(first: Sequence[tuple[int, Floats]], last: Sequence[tuple[int, Floats]]) -> float:
    """The largest distance of a point from itself, in metres; infinite if it has no counterpart."""
    if [(group, len(points)) for group, points in first] != [
        (group, len(points)) for group, points in last
    ]:
        return math.inf
    distances = (
        np.linalg.norm(b - a, axis=1).max(initial=0.0)
        for (_, a), (_, b) in zip(first, last, strict=True)
    )
    return float(max(distances, default=0.0))
