# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that a bake depends on, checked when it is made.

The panel, the operator, the command line and Python callers all make the same `BakeSettings`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from .errors import BakeError
from .names import check_file_name
from .profiles import PROFILES
from .profiles.base import LARGEST_TEXTURE

ADDRESSES = ("uv", "vertex-id")
NORMALS = ("corner", "vertex", "face")
DEDUPS = ("trajectory", "rest", "none")
MESHES = ("fbx", "glb", "none")
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


@dataclass(frozen=True, kw_only=True)
class BakeSettings:
    """What to bake, how, and where to.

    `output` is a folder; text that begins with `//` is relative to the .blend, which a Path cannot
    say on Windows.
    `objects` are names; empty means those of `collection`, or else the selected ones. `frames`
    None means the scene's range. `memory` is in MiB. `scratch` is the folder of the temporary file
    that takes over when `memory` is used up; None means the system's. `threads` 0 means one for
    each processor.
    """

    output: Path | str
    objects: tuple[str, ...] = ()
    collection: str | None = None
    frames: FrameRange | None = None
    profile: str = "nekovat"
    address: str = "uv"
    normals: str = "corner"
    dedup: str = "trajectory"
    max_size: int = 4096
    name: str | None = None
    mesh: str = "fbx"
    guard: bool = True
    bounds: bool = True
    render_settings: bool = False
    memory: int = 1024
    scratch: Path | None = None
    threads: int = 0

    def __post_init__(self) -> None:
        if not str(self.output).strip():
            raise BakeError("Choose an output folder")
        for what in ("max_size", "memory", "threads"):
            if type(getattr(self, what)) is not int:
                raise BakeError(f"{what} is {getattr(self, what)!r}; it must be a whole number")
        _one_of("profile", self.profile, tuple(PROFILES))
        _one_of("address", self.address, ADDRESSES)
        _one_of("normals", self.normals, NORMALS)
        _one_of("dedup", self.dedup, DEDUPS)
        _one_of("mesh", self.mesh, MESHES)
        if self.objects and self.collection is not None:
            raise BakeError("Name objects or a collection, not both")
        if not 1 <= self.max_size <= LARGEST_TEXTURE or self.max_size & (self.max_size - 1):
            raise BakeError(
                f"The texture's largest side is {self.max_size}; it must be a power of two "
                f"from 1 to {LARGEST_TEXTURE}"
            )
        if self.memory < 1:
            raise BakeError(f"The memory budget is {self.memory} MiB; it must be at least 1")
        if self.threads < 0:
            raise BakeError(f"The number of threads is {self.threads}; it must not be negative")
        if self.name is not None:
            check_file_name(self.name)

    @property
    def normals_read(self) -> str:
        """The normals that are captured: the original's rule of rest positions has vertex ones."""
        by_rest = self.dedup == "rest" and self.address == "uv"
        return "vertex" if by_rest else self.normals

    @property
    def needs_triangles(self) -> bool:
        """Whether anything that is made of the first frame is triangulated."""
        return self.address == "vertex-id" or self.mesh != "none"


def _one_of(what: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise BakeError(f"The {what} '{value}' is unknown; choose one of {', '.join(choices)}")
