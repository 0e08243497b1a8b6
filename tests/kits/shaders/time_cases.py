# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clocks, frames, and fades."""

from __future__ import annotations

import numpy as np

from case import Case, columns

EPOCH = 64  # seconds
TEN_HOURS = 36000.0


def clocks() -> Case:
    seconds = np.concatenate([[0, 63.999996, 64, 1e6], np.linspace(0, 2 * TEN_HOURS, 2000)])
    seconds = seconds.astype(np.float32).astype(float)
    epochs = np.floor(seconds / EPOCH)
    return Case(
        "clocks",
        "clock",
        {"seconds": "float"},
        "vec2",
        columns(seconds=seconds),
        columns(result=np.stack([epochs, seconds - EPOCH * epochs], -1)),
    )


FRAME = {
    "clock": "vec2",
    "start": "vec2",
    "rate": "float",
    "phase": "float",
    "count": "int",
    "loops": "bool",
}


def frames(name: str, rates: np.ndarray, since: float, error: float) -> Case:
    """Clips that loop and that do not, started at any time, `since` seconds later, and around."""
    random = np.random.default_rng(6)
    rows = 2000
    start = random.uniform(0, TEN_HOURS, rows)
    now = start + since + np.linspace(-1, 300, rows)
    start, now = (np.stack([t // EPOCH, (t % EPOCH).astype(np.float32)], -1) for t in (start, now))
    count = random.integers(1, 400, rows)
    count[:20] = 1
    rate = random.choice(rates, rows).astype(np.float32)
    phase = (random.uniform(-1, 2, rows) * count).astype(np.float32)
    loops = np.arange(rows) % 2 == 0
    gone = (now - start) @ [EPOCH, 1]
    x = phase.astype(float) + rate.astype(float) * gone
    return Case(
        name,
        "frame",
        dict(FRAME),
        "float",
        columns(clock=now, start=start, rate=rate, phase=phase, count=count, loops=loops),
        columns(result=np.where(loops, x % count, np.clip(x, 0, count - 1))),
        errors={"result": error},
        period=np.where(loops, count, 0)[:, None],
    )


def steps() -> Case:
    """Ten hours on, sixty times a second and over the border of an epoch, at an awkward rate."""
    now = TEN_HOURS + 20 + np.arange(3000) / 60
    now = np.stack([now // EPOCH, (now % EPOCH).astype(np.float32)], -1)
    rows = len(now)
    rate = float(np.float32(29.97))
    return Case(
        "steps after ten hours",
        "frame",
        dict(FRAME),
        "float",
        columns(
            clock=now,
            start=np.tile([0.0, 1.5], (rows, 1)),
            rate=np.full(rows, rate),
            phase=np.zeros(rows),
            count=np.full(rows, 100),
            loops=np.full(rows, True),
        ),
        columns(result=(rate * ((now - [0, 1.5]) @ [EPOCH, 1])) % 100),
        errors={"result": 0.1},
        period=np.full((rows, 1), 100.0),
        jitter=5e-4,
    )


def spans() -> Case:
    random = np.random.default_rng(7)
    count = np.concatenate([[1, 1, 2, 2, 2, 5, 5], random.integers(1, 400, 1000)])
    x = np.concatenate([[0, 0, 0.5, 1, 1.5, 4, 4.75], random.uniform(0, 1, 1000) * count[7:]])
    loops = np.arange(len(count)) % 2 == 1
    x = np.where(loops, x, np.minimum(x, count - 1)).astype(np.float32).astype(float)
    x = np.where(x >= count, 0, x)
    a = np.floor(x).astype(int)
    b = np.where(loops, (a + 1) % count, np.minimum(a + 1, count - 1))
    return Case(
        "spans",
        "span",
        {"x": "float", "count": "int", "loops": "bool"},
        "float",
        columns(x=x, count=count, loops=loops),
        columns(result=x - a, a=a, b=b),
        outs=("a", "b"),
    )


def fades() -> Case:
    random = np.random.default_rng(8)
    rows = 1000
    start = random.uniform(0, TEN_HOURS, rows)
    now = start + random.uniform(-1, 3, rows)
    start, now = (np.stack([t // EPOCH, (t % EPOCH).astype(np.float32)], -1) for t in (start, now))
    seconds = random.uniform(0.05, 2, rows).astype(np.float32)
    seconds[:50] = 0
    gone = (now - start) @ [EPOCH, 1]
    weight = np.where(seconds > 0, np.clip(gone / np.maximum(seconds, 1e-9), 0, 1), 1)
    return Case(
        "fades",
        "fade",
        {"clock": "vec2", "start": "vec2", "seconds": "float"},
        "float",
        columns(clock=now, start=start, seconds=seconds),
        columns(result=weight),
        errors={"result": 2e-4},
    )
