# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ranges of frames, exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from .errors import BakeError

SMALLEST_STEP = 1e-6  # of frames; what times() can tell apart
MOST_FRAMES = 1_000_000  # of one bake; no texture holds as many


@dataclass(frozen=True)
class FrameRange:
    """Frames start, start + step, … up to and with end. Sub-frames and negative frames work."""

    start: float
    end: float
    step: float = 1.0

    def __post_init__(self) -> None:
        values = (self.start, self.end, self.step)
        if not all(math.isfinite(value) for value in values):
            raise BakeError(
                "The frame range must be finite numbers; write START:END or START:END:STEP"
            )
        if max(abs(self.start), abs(self.end)) > 1048574:
            raise BakeError("The frame range leaves Blender's own limit of 1,048,574 frames")
        if self.step <= 0:
            raise BakeError(f"The frame step is {self.step:g}; it must be above 0")
        if self.end < self.start:
            raise BakeError(
                f"The frame range is empty: its end {self.end:g} is before its start {self.start:g}"
            )
        if self.step < SMALLEST_STEP or (self.end - self.start) / self.step >= MOST_FRAMES:
            raise BakeError(
                f"The frame step {self.step:g} is too small; a range holds at most "
                f"{MOST_FRAMES:,} frames"
            )

    @classmethod
    def parse(cls, text: str) -> FrameRange:
        """From `START:END` or `START:END:STEP`."""
        fields = text.split(":")
        try:
            values = [float(field) for field in fields]
        except ValueError:
            values = []
        if len(values) not in (2, 3):
            raise BakeError(
                f"'{text}' is no frame range; write START:END or START:END:STEP, as 1:120"
            )
        return cls(*values)

    def times(self) -> list[Fraction]:
        """The frames, exactly: steps do not add up rounding errors."""
        start, end, step = (
            Fraction(value).limit_denominator(1_000_000)
            for value in (self.start, self.end, self.step)
        )
        return [start + k * step for k in range(math.floor((end - start) / step) + 1)]
