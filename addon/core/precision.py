# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What half floats would lose, measured before anything is written."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
import truevat_native as native

from .mesh import Floats
from .plan import union

MEASURED_FRAMES = 16  # between two chances to cancel


def measure_offsets(
    track: native.Track, origins: Floats, first: int, last: int
) -> Generator[None, None, tuple[float, Floats]]:
    """See native.Track.offsets(); yields in between."""
    errors, boxes = [], []
    for start in range(first, last, MEASURED_FRAMES):
        error, box = track.offsets(origins, start, min(start + MEASURED_FRAMES, last))
        errors.append(error)
        boxes.append(box)
        yield
    return max(errors), union(np.stack(boxes), 0)


def rest_rounding(boxes: Floats) -> float:
    """What an engine may lose of a rest position in these boxes, in metres: a step of float32."""
    finite = np.abs(boxes[np.isfinite(boxes)])
    return float(np.spacing(np.float32(finite.max(initial=0.0))))


def verdict(error: float, tolerance: float) -> tuple[bool, str]:
    """(whether half floats will do, why), from metres and millimetres."""
    lost = 1000 * error
    if lost > tolerance:
        return False, (
            f"half floats would move a point by {lost:.2g} mm, more than the {tolerance:g} mm "
            "allowed"
        )
    return (
        True,
        f"half floats move no point by more than {lost:.2g} mm, of {tolerance:g} mm allowed",
    )
