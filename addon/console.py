# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command says and hears: standard output, progress, signals."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .core.report import Progress

# Seconds between two updates of the bar, and between two lines in a log.
BAR_INTERVAL = 0.1
LINE_INTERVAL = 2.0
BAR_WIDTH = 24


def own_standard_output() -> TextIO:
    """Standard output for us alone: whatever Blender and its exporters print goes to stderr.

    It stays so until the process ends, for Blender says something then, too.
    """
    sys.stdout.flush()
    saved = os.dup(1)
    os.dup2(2, 1)
    # A path need not be UTF-8; as \\udcXX it can be read in JSON, too.
    return os.fdopen(saved, "w", encoding="utf-8", errors="backslashreplace")


class ProgressPrinter:
    """A bar on a terminal; plain lines elsewhere, few enough for a log."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._bar = stream.isatty()
        self._stage = ""
        self._next = 0.0
        self._drawn = 0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if progress.stage == self._stage and now < self._next:
            return
        self._stage = progress.stage
        self._next = now + (BAR_INTERVAL if self._bar else LINE_INTERVAL)
        line = self._line(progress)
        if self._bar:
            self._stream.write("\r" + line.ljust(self._drawn))
            self._drawn = len(line)
        else:
            self._stream.write(f"truevat: {line}\n")
        self._stream.flush()

    def _line(self, progress: Progress) -> str:
        line = f"{progress.fraction:4.0%}  {progress.text}"
        if not self._bar:
            return line
        filled = round(progress.fraction * BAR_WIDTH)
        return f"[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {line}"

    def close(self) -> None:
        """Leaves the terminal's line to what comes next."""
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()
            self._drawn = 0


@contextmanager
def stop_signals() -> Iterator[Callable[[], bool]]:
    """Makes SIGINT and SIGTERM a question that the bake asks between its steps.

    Blender as a module would raise KeyboardInterrupt anywhere, Blender itself would just end.
    """
    received: list[int] = []

    def receive(number: int, _frame: object) -> None:
        received.append(number)

    before = {number: signal.signal(number, receive) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(received)
    finally:
        for number, handler in before.items():
            # None: not set by Python, which cannot put it back.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
