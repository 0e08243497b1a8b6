# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
r"""Clips as text: what `--clips`, `--fps` and `--step` take.

`--clips` is a source, alone or with a list of what to take from it, or ranges of frames:

    scene    actions    nla    markers
    actions:Walk,Run=Sprint@60@loop
    Idle=1:24@loop,Jump=30:41:0.5

`=` in a list gives the clip another name. `@` begins an option: `@loop`, `@once`, or frames per
second; directly after a source it holds for all of its clips (`nla@loop`). `scene:NAME` names the
scene's clip. Names that have one of `, = @` are quoted ("a,b") or have it escaped (a\,b).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from .clips import NOUNS, ClipSettings, Pick
from .errors import BakeError
from .frames import FrameRange

HIGHEST_FPS = 10_000
# Rates that are written with a dot, but mean so many thousand and one.
NTSC = (24, 30, 48, 60, 120, 240)
_SOURCE = re.compile(rf"\s*(scene|{'|'.join(NOUNS)})\s*((?:@[^@:,=]+)*)(?::(.*))?", re.DOTALL)
# What stands before one of the marks, or before the end.
_PIECE = re.compile(
    r"""\s*(?:"((?:[^"\\]|\\.)*)"\s*|'((?:[^'\\]|\\.)*)'\s*|((?!["'])(?:[^\\,=@]|\\.)*))([,=@]|\Z)""",
    re.DOTALL,
)


def exact_fps(value: str | float | Fraction) -> Fraction:
    """From `60`, `24000/1001` or `59.94`, which means 60000/1001. BakeError for anything else."""
    try:
        fps = Fraction(value)
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        raise BakeError(
            f"'{value}' is no number of frames per second; write one as 60, 59.94 or 24000/1001"
        ) from error
    for rate in NTSC:
        exact = Fraction(rate * 1000, 1001)
        if abs(fps - exact) < Fraction(5, 1000):
            return exact
    fps = fps.limit_denominator(10_000)
    if not 0 < fps <= HIGHEST_FPS:
        raise BakeError(
            f"{value} frames per second cannot be baked; choose above 0 and up to {HIGHEST_FPS:,}"
        )
    return fps


def exact_step(value: str | float | Fraction) -> Fraction:
    """Scene frames from one stored frame to the next. BakeError if it is no number above 0."""
    try:
        step = Fraction(value).limit_denominator(1_000_000)
    except (ValueError, OverflowError, ZeroDivisionError):
        step = Fraction(0)
    if step <= 0:
        raise BakeError(f"The step '{value}' is no number above 0; write one as 1, 2 or 0.5")
    return step


def parse_clips(
    text: str, fps: Fraction | None = None, step: Fraction | None = None
) -> ClipSettings:
    """`fps` and `step` are those of `--fps` and `--step`: for clips that do not say it."""
    source = _SOURCE.fullmatch(text)
    if source is None:
        return ClipSettings("ranges", tuple(_range(*each) for each in _items(text)), fps, step)
    kind, options, names = source[1], source[2].split("@")[1:], source[3]
    own_fps, loop = _options([option.strip() for option in options], text)
    if own_fps is not None:
        fps, step = own_fps, None
    picks = () if names is None else tuple(_pick(*each) for each in _items(names))
    return ClipSettings(kind, picks, fps, step, loop)


def _range(name: str, value: str | None, options: Sequence[str], source: str) -> Pick:
    if value is None:
        raise BakeError(
            f"'{source}' is no clip; write scene, {', '.join(NOUNS)}, or ranges as Walk=1:24"
        )
    fps, loop = _options(options, source)
    return Pick(name, frames=FrameRange.parse(value), fps=fps, loop=loop)


def _pick(name: str, value: str | None, options: Sequence[str], source: str) -> Pick:
    if value is not None and re.fullmatch(r"[-\d.]+(:[-\d.]+)+", value):
        raise BakeError(f"'{source}': such a clip has a range already; leave '={value}' out")
    fps, loop = _options(options, source)
    return Pick(name, rename=value, fps=fps, loop=loop)


def _options(options: Sequence[str], source: str) -> tuple[Fraction | None, bool | None]:
    rates = [option for option in options if option not in ("loop", "once")]
    loops = [option == "loop" for option in options if option in ("loop", "once")]
    if len(rates) > 1 or len(loops) > 1:
        raise BakeError(f"'{source}' has options that contradict each other; leave one out")
    return exact_fps(rates[0]) if rates else None, loops[0] if loops else None


def _items(text: str) -> Iterator[tuple[str, str | None, list[str], str]]:
    """(name, what is behind =, options behind @, its text) of each item of a list."""
    position = begin = 0
    mark, pieces = "", []
    while True:
        piece = _PIECE.match(text, position)
        if piece is None:
            raise BakeError(f"'{text[begin:]}' cannot be read; check its quotes and backslashes")
        pieces.append((mark, _plain(piece)))
        mark, position = piece[4], piece.end()
        if mark in ("=", "@"):
            continue
        yield _item(pieces, text[begin : position - len(mark)].strip())
        if not mark:
            return
        mark, pieces, begin = "", [], position


def _item(pieces: Sequence[tuple[str, str]], source: str) -> tuple[str, str | None, list[str], str]:
    if not re.fullmatch("=?@*", "".join(mark for mark, _ in pieces)):
        raise BakeError(f"'{source}' is no clip; write its name, =VALUE, then options as @loop")
    value = next((value for mark, value in pieces if mark == "="), None)
    return pieces[0][1], value, [value for mark, value in pieces if mark == "@"], source


def _plain(piece: re.Match[str]) -> str:
    """Without quotes and backslashes."""
    quoted = piece[1] if piece[1] is not None else piece[2]
    return re.sub(r"\\(.)", r"\1", piece[3].strip() if quoted is None else quoted, flags=re.DOTALL)
