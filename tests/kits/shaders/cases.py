# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What every kit's decoding functions must return, by NumPy in double precision.

kits/unity/Shaders/TrueVAT.hlsl and its GLSL twins have these functions, with the prefix `truevat_`.
"""

from __future__ import annotations

import numpy as np

from case import Case
from normal_cases import oct_pairs, oct_words, octs, opposite_turns, turns
from number_cases import floats, reads, slots, texels, words
from time_cases import TEN_HOURS, clocks, fades, frames, spans, steps

__all__ = ["CASES", "Case"]

CASES = (
    words(),
    floats(),
    slots(),
    texels(),
    octs(),
    oct_words(),
    oct_pairs(),
    turns((0, 90), 1e-3),
    turns((90, 179), 1e-2),
    turns((179, 179.9), 0.1),
    opposite_turns(),
    clocks(),
    frames("frames in the first minutes", np.array([24, 30, -30, 12.5, 59.94, 0]), 0, 5e-4),
    frames("frames after ten hours, whole rates", np.array([24, 30, -60, 12.5]), TEN_HOURS, 5e-4),
    frames("frames after ten hours, other rates", np.array([29.97, -47.3]), TEN_HOURS, 0.15),
    steps(),
    spans(),
    fades(),
    reads(),
)
