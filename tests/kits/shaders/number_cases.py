# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Words, addresses and reads."""

from __future__ import annotations

import numpy as np

from case import Case, columns


def digits_of(words: np.ndarray) -> np.ndarray:
    words = np.asarray(words, np.uint64)
    return np.stack([words >> 10 * k & 1023 for k in range(4)], -1).astype(np.float32)


def some_words() -> np.ndarray:
    random = np.random.default_rng(1)
    edges = [0, 1, 1023, 1024, 2**20 - 1, 2**20, 2**30 - 1, 2**30, 2**32 - 1, 0x54415654]
    return np.concatenate([edges, random.integers(0, 2**32, 1000)]).astype(np.uint32)


def words() -> Case:
    values = some_words()
    inputs = columns(digits=digits_of(values))
    expected = columns(result=values)
    return Case("words", "word", {"digits": "vec4"}, "uint", inputs, expected)


def floats() -> Case:
    random = np.random.default_rng(2)
    values = random.normal(size=1000) * 10.0 ** random.integers(-30, 30, 1000)
    values = np.concatenate([[0, 1, -1, 2.0**-126, 3.4028234e38], values]).astype(np.float32)
    inputs = columns(digits=digits_of(values.view(np.uint32)))
    expected = columns(result=values)
    return Case("floats", "float", {"digits": "vec4"}, "float", inputs, expected)


def slots() -> Case:
    """The two forms of v, as floats, halves and 16-bit normalised values of a compressed mesh."""
    slot = np.concatenate([np.arange(4100), [2**20 - 1, 2**20, 2**21 - 1]])
    address = np.stack([slot % 1024, slot // 1024], -1).astype(np.float64)
    turned = np.stack([address[:, 0], 1 - address[:, 1]], -1)
    span = address.max(axis=0)
    normalised = np.round(address / span * 65535) / 65535 * span
    noticed = slot // 1024 > 1  # a negative v, without being told
    forms = [
        (address, slot, False),
        (address.astype(np.float16), slot, False),
        (normalised, slot, False),
        (turned, slot, True),
        (turned.astype(np.float16), slot, True),
        (turned[noticed], slot[noticed], False),
    ]
    return Case(
        "slots",
        "slot",
        {"address": "vec2", "flipped": "bool"},
        "int",
        columns(
            address=np.concatenate([np.asarray(a, np.float64) for a, _, _ in forms]),
            flipped=np.concatenate([np.full(len(s), flag) for _, s, flag in forms]),
        ),
        columns(result=np.concatenate([s for _, s, _ in forms])),
    )


def texels() -> Case:
    """Rows of FLOAT, of both blocks of HALF, and of the header, in textures of any width."""
    random = np.random.default_rng(3)
    width = np.concatenate([[1, 2, 37, 4096, 16384], random.integers(1, 16385, 500)])
    count = len(width)
    slot = random.integers(0, 2_000_000, count)
    frame = random.integers(0, 500, count)
    first_row = random.integers(0, 8192, count)
    rows = random.integers(1, 40, count)
    column, row = slot % width, first_row + frame * rows + slot // width
    return Case(
        "texels",
        "texel",
        dict.fromkeys(("slot", "frame", "width", "first_row", "rows"), "int"),
        "ivec2",
        columns(slot=slot, frame=frame, width=width, first_row=first_row, rows=rows),
        columns(result=np.stack([column, row], -1)),
    )


def reads() -> Case:
    """Header words, which go on in the next row of a narrow texture."""
    values = some_words()[:740]
    texture = digits_of(values).reshape(20, 37, 4).astype(np.float16)
    return Case(
        "reads",
        "read",
        {"vat": "sampler2D", "word": "int", "width": "int"},
        "uint",
        columns(word=np.arange(740), width=np.full(740, 37)),
        columns(result=values),
        texture=texture,
    )
