# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One function of a decoder, what it is given and what it must return."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, eq=False)
class Case:
    """One function over many rows.

    `parameters` by name, in order: GLSL types. A sampler2D is read from `texture`. `returns` is the
    result's GLSL type, and out parameters are ints, in `outs`. `inputs` and `expected` are arrays
    (rows, components); the result's name is `result`. `errors` are absolute, 0 where none is named;
    `degrees` for results that are unit vectors; `period` for results on a circle (0: none).
    `jitter` is how much the error may change from row to row.
    """

    name: str
    function: str
    parameters: Mapping[str, str]
    returns: str
    inputs: Mapping[str, np.ndarray]
    expected: Mapping[str, np.ndarray]
    outs: tuple[str, ...] = ()
    errors: Mapping[str, float] = field(default_factory=dict)
    degrees: float | None = None
    period: np.ndarray | None = None
    jitter: float | None = None
    texture: np.ndarray | None = None


def columns(**arrays) -> dict[str, np.ndarray]:
    """Each of them (rows, components), in a type that a vertex buffer has."""
    made = {}
    for name, values in arrays.items():
        values = np.asarray(values)
        if values.dtype == bool or values.dtype == np.int64:
            values = values.astype(np.int32)
        if values.dtype == np.float64:
            values = values.astype(np.float32)
        made[name] = values.reshape(len(values), -1)
    return made
