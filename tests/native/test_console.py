# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command prints while it bakes."""

from __future__ import annotations

import io
import signal

import pytest
from truevat import console
from truevat.core.report import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, to be set by a test."""
    now = [100.0]
    monkeypatch.setattr(console.time, "monotonic", lambda: now[0])
    return now


def evaluated(frame: int) -> Progress:
    return Progress("evaluate", frame, 100, f"Frame {frame}", frame / 100)


def test_a_log_gets_few_lines(clock: list[float]) -> None:
    stream = io.StringIO()
    progress = console.ProgressPrinter(stream)
    for frame in range(1, 101):
        progress(evaluated(frame))
        clock[0] += console.LINE_INTERVAL / 32  # exact, so that no rounding adds up
    progress(Progress("texture", 0, 4, "Writing a.exr", 1.0))
    progress.close()
    assert stream.getvalue().splitlines() == [
        "truevat:   1%  Frame 1",
        "truevat:  33%  Frame 33",
        "truevat:  65%  Frame 65",
        "truevat:  97%  Frame 97",
        "truevat: 100%  Writing a.exr",
    ]


def test_a_terminal_gets_a_bar(clock: list[float]) -> None:
    stream = Terminal()
    progress = console.ProgressPrinter(stream)
    progress(evaluated(100))
    clock[0] += console.BAR_INTERVAL
    progress(evaluated(50))
    progress(evaluated(51))
    progress.close()
    first, second, blank, rest = stream.getvalue().split("\r")[1:]
    assert first == "[########################] 100%  Frame 100"
    assert second == "[############............]  50%  Frame 50 "
    assert blank.isspace() and rest == ""


def test_signals_become_a_question() -> None:
    before = signal.getsignal(signal.SIGINT)
    with console.stop_signals() as should_stop:
        assert not should_stop()
        signal.raise_signal(signal.SIGTERM)
        assert should_stop()
    assert signal.getsignal(signal.SIGINT) is before
