# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/format.md, "Words" and "Normals": how a texel holds an integer, a float or a direction."""

from __future__ import annotations

import numpy as np

DIGITS = 1024 ** np.arange(4, dtype=np.uint64)


def digits(words: np.ndarray) -> np.ndarray:
    """(n,) unsigned integers of 32 bits to (n, RGBA)."""
    return np.uint64(words)[:, None] // DIGITS % np.uint64(1024)


def words(texels: np.ndarray) -> np.ndarray:
    """(n, RGBA) to (n,) integers. No texel of a header may hold anything else."""
    exact = np.float64(texels)
    whole = np.uint64(exact)
    assert (whole == exact).all() and (whole < (1024, 1024, 1024, 4)).all()
    return (whole * DIGITS).sum(axis=1)


def float_words(values: np.ndarray) -> np.ndarray:
    """The bits of floats as float32, of which no denormal, infinity or NaN is stored."""
    values = np.float32(values)
    assert np.isfinite(values).all()
    normal = np.where(np.abs(values) < np.finfo(np.float32).tiny, np.float32(0), values)
    return normal.view(np.uint32)


def word_floats(words: np.ndarray) -> np.ndarray:
    return np.uint32(words).view(np.float32)


def encode_normals(normals: np.ndarray) -> np.ndarray:
    """Unit vectors (..., 3) to octahedral codes (..., 2), integers from 0 to 4094."""
    normals = np.float64(normals)
    normals = normals / np.abs(normals).sum(axis=-1, keepdims=True)
    x, y, z = np.moveaxis(normals, -1, 0)
    below = z < 0
    folded_x = np.where(below, (1 - np.abs(y)) * _sign(x), x)
    folded_y = np.where(below, (1 - np.abs(x)) * _sign(y), y)
    return np.int64(np.rint(np.stack([folded_x, folded_y], axis=-1) * 2047)) + 2047


def half_codes(values: np.ndarray) -> np.ndarray:
    """The codes of octahedral values that were stored as binary16."""
    return np.int64(np.rint(np.float32(values) * np.float32(2047))) + 2047


def decode_codes(codes: np.ndarray) -> np.ndarray:
    """Octahedral codes (..., 2) to unit vectors (..., 3)."""
    return decode_pairs((np.float64(codes) - 2047) / 2047)


def decode_pairs(pairs: np.ndarray) -> np.ndarray:
    """Octahedral values (..., 2) from -1 to 1 to unit vectors (..., 3)."""
    x, y = np.moveaxis(np.float64(pairs), -1, 0)
    z = 1 - np.abs(x) - np.abs(y)
    t = np.maximum(-z, 0)
    vector = np.stack([x - t * _sign(x), y - t * _sign(y), z], axis=-1)
    return vector / np.linalg.norm(vector, axis=-1, keepdims=True)


def _sign(values: np.ndarray) -> np.ndarray:
    return np.where(values < 0, -1.0, 1.0)
