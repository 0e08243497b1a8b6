# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which clips a bake has, and which frames each of them stores. Knows no Blender."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

from .errors import BakeError
from .frames import MOST_FRAMES, FrameRange

NOUNS = {"actions": "action", "nla": "NLA strip", "markers": "marker"}
KINDS = ("scene", *NOUNS, "ranges")
# Of a step: what 32-bit times lose, and nobody sees.
TOLERANCE = Fraction(1, 10_000)
# A range ends before its first pose comes again if that lowers the seam's error to this part.
CLEARLY_CLOSER = 0.25


@dataclass(frozen=True)
class Pick:
    """One clip that is asked for: an action, strip or marker by its name, which the clip takes over
    unless it is renamed; or a range of frames, with the clip's name. None leaves a choice to what
    holds for all clips, or to the source."""

    name: str
    rename: str | None = None
    frames: FrameRange | None = None
    fps: Fraction | None = None
    loop: bool | None = None

    @property
    def clip_name(self) -> str:
        return self.name if self.rename is None else self.rename


@dataclass(frozen=True)
class ClipSettings:
    """Where clips come from, and what holds for all of them. No picks means all that are found."""

    kind: str = "scene"
    picks: tuple[Pick, ...] = ()
    fps: Fraction | None = None
    step: Fraction | None = None
    loop: bool | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise BakeError(f"Clips from '{self.kind}'? Choose one of {', '.join(KINDS)}")
        if self.fps is not None and self.step is not None:
            raise BakeError("Frames per second and a step both say how densely to bake; give one")
        if self.kind == "ranges" and not self.picks:
            raise BakeError("Name at least one clip and its range, as Walk=1:24")
        if self.kind == "scene" and len(self.picks) > 1:
            raise BakeError("The scene's range is one clip; name several as Walk=1:24,Run=30:50")
        for pick in self.picks:
            _check_name(pick.clip_name)
            if (pick.frames is not None) != (self.kind == "ranges"):
                raise BakeError(
                    f"The clip '{pick.clip_name}' needs a range of frames, as Walk=1:24"
                    if pick.frames is None
                    else f"The clip '{pick.clip_name}' has a range of frames; {self.kind} have "
                    "ranges of their own"
                )
            if pick.fps is not None and pick.frames is not None and pick.frames.step != 1:
                raise BakeError(
                    f"The clip '{pick.clip_name}' has a step and frames per second; give one"
                )
        _check_unique([pick.clip_name for pick in self.picks])

    def check_frames(self, frames: FrameRange | None) -> None:
        """BakeError if a bake's own range of frames contradicts what its clips are."""
        if frames is None:
            return
        if self.kind != "scene":
            raise BakeError(
                f"A frame range is for the scene's clip only; clips from {self.kind} have their own"
            )
        if frames.step != 1 and (self.fps, self.step) != (None, None):
            raise BakeError("The frame range has a step; leave it, or the other step or fps, out")


@dataclass(frozen=True)
class Span:
    """What a scene offers as a clip. `open_end`: whether a loop's last frame repeats its first, or
    is the one before, is not known. `step` is its own."""

    name: str
    start: Fraction
    end: Fraction
    loop: bool = False
    open_end: bool = True
    step: Fraction | None = None


@dataclass(frozen=True)
class Clip:
    """`times` are the scene's frames that are stored, exactly.

    A loop's `end` is where its first pose comes again, and is not stored: evaluated once, it gives
    the seam's error. Its frames divide its length evenly, so that it lasts as long as the original,
    be it that `step` is not quite the one that was asked for. A clip that does not loop ends at
    `end`.
    """

    name: str
    start: Fraction
    end: Fraction
    loop: bool
    count: int
    step: Fraction
    asked_step: Fraction
    scene_fps: Fraction
    open_end: bool

    @property
    def fps(self) -> Fraction:
        """Stored frames per second, of whole numbers that a header's words can hold."""
        fps = max(self.scene_fps / self.step, Fraction(1, 100_000))
        return fps.limit_denominator(max(min(100_000, 0xFFFFFFFF // math.ceil(fps)), 1))

    @cached_property
    def times(self) -> list[Fraction]:
        return [min(self.start + k * self.step, self.end) for k in range(self.count)]

    @property
    def probes(self) -> list[Fraction]:
        """For a loop, the frames whose distance from its first settled() takes."""
        if not self.loop:
            return []
        return [self.end, self.end + 1] if self.open_end else [self.end]

    def settled(self, errors: Sequence[float]) -> tuple[Clip, float]:
        """(the loop that closes best, its seam's error), from the errors at its probes.

        People make ranges that end with the first pose, and ranges that end one frame before it."""
        if len(errors) == 2 and errors[1] < CLEARLY_CLOSER * errors[0]:
            end = self.end + 1
            return replace(self, end=end, open_end=False, **self._divided(end)), errors[1]
        return replace(self, open_end=False), errors[0]

    def _divided(self, end: Fraction) -> dict[str, int | Fraction]:
        count, step = _divide(end - self.start, self.asked_step)
        return {"count": count, "step": step}

    @property
    def warning(self) -> str | None:
        if self.step == self.asked_step:
            return None
        asked = float(self.scene_fps / self.asked_step)
        return (
            f"The loop '{self.name}' was baked at {float(self.fps):.6g} frames per second instead "
            f"of {asked:.6g}, so that {self.count} frames fill its {float(self.end - self.start):g}"
        )


AnySpan = TypeVar("AnySpan", bound=Span)


def choose(
    settings: ClipSettings, spans: Sequence[AnySpan], scene_fps: Fraction
) -> list[tuple[Clip, AnySpan]]:
    """The clips that the settings ask for, of the spans that their source has, in that order."""
    chosen = list(_chosen(settings, spans))
    made = [_clip(settings, pick, span, scene_fps) for pick, span in chosen]
    _check_unique([clip.name for clip in made])
    total = sum(clip.count for clip in made)
    if total > MOST_FRAMES:
        raise BakeError(
            f"The clips have {total:,} frames together; a bake holds at most {MOST_FRAMES:,}"
        )
    return list(zip(made, (span for _, span in chosen), strict=True))


def range_spans(settings: ClipSettings) -> list[Span]:
    """Of clips that are ranges of frames."""
    return [frame_span(pick.name, pick.frames) for pick in settings.picks if pick.frames]


def frame_span(name: str, frames: FrameRange) -> Span:
    start, end, step = (
        Fraction(value).limit_denominator(1_000_000)
        for value in (frames.start, frames.end, frames.step)
    )
    return Span(name, start, end, step=None if step == 1 else step)


# -------------------------------------------------------------------------------------------------


def _chosen(settings: ClipSettings, spans: Sequence[AnySpan]) -> Iterator[tuple[Pick, AnySpan]]:
    if settings.kind in ("scene", "ranges") and settings.picks:
        yield from zip(settings.picks, spans, strict=True)
        return
    for pick in settings.picks:
        noun = NOUNS[settings.kind]
        found = [span for span in spans if span.name == pick.name]
        if not found:
            names = ", ".join(sorted({f"'{span.name}'" for span in spans})) or "none"
            raise BakeError(f"There is no {noun} '{pick.name}' to bake; there are: {names}")
        if len(found) > 1:
            raise BakeError(f"Several clips would be made of the {noun} '{pick.name}'; rename one")
        yield pick, found[0]
    if not settings.picks:
        yield from ((Pick(span.name), span) for span in spans)


def _clip(settings: ClipSettings, pick: Pick, span: Span, scene_fps: Fraction) -> Clip:
    name = pick.clip_name
    _check_name(name)
    if span.end < span.start:
        raise BakeError(
            f"The clip '{name}' is empty: its end {float(span.end):g} is before its start "
            f"{float(span.start):g}"
        )
    fps = pick.fps
    if fps is None and span.step is None:
        fps = settings.fps
    resampled = fps is not None
    step = scene_fps / fps if resampled else span.step or settings.step or Fraction(1)
    length = span.end - span.start
    if length / step >= MOST_FRAMES:
        raise BakeError(
            f"The clip '{name}' would have {math.floor(length / step) + 1:,} frames; a bake holds "
            f"at most {MOST_FRAMES:,}"
        )
    loop = next(each for each in (pick.loop, settings.loop, span.loop) if each is not None)
    end, used = span.end, step
    if loop:
        if length == 0:
            raise BakeError(f"The clip '{name}' has one frame only, so that it cannot loop")
        count, used = _divide(length, step)
    else:
        steps = math.floor(length / step + TOLERANCE)
        # Resampled frames seldom meet the end, which must be held all the same.
        count = steps + 1 + (resampled and length - steps * step > TOLERANCE * step)
        end = min(end, span.start + (count - 1) * step)
    return Clip(name, span.start, end, loop, count, used, step, scene_fps, span.open_end)


def _divide(length: Fraction, step: Fraction) -> tuple[int, Fraction]:
    """(how many, how long each) equal steps, near to `step`, make a length."""
    count = max(round(length / step), 1)
    even = length / count
    return count, step if abs(even - step) * count <= TOLERANCE * step else even


def _check_name(name: str) -> None:
    if not name.strip():
        raise BakeError("A clip has no name; give it one")
    if any(ord(c) < 32 or 0xD800 <= ord(c) < 0xE000 for c in name):
        raise BakeError(f"The clip's name {name!r} has characters that cannot be stored; rename it")


def _check_unique(names: Sequence[str]) -> None:
    name, count = Counter(names).most_common(1)[0] if names else ("", 0)
    if count > 1:
        raise BakeError(f"{count} clips are called '{name}'; rename all but one")
