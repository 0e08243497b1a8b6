# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Octahedral normals, and tangents that follow them."""

from __future__ import annotations

import numpy as np

from case import Case, columns


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def decode_oct(p: np.ndarray) -> np.ndarray:
    p = np.asarray(p, np.float64)
    z = 1 - np.abs(p).sum(axis=-1)
    t = np.maximum(-z, 0)[..., None]
    return unit(np.concatenate([p - np.where(p >= 0, t, -t), z[..., None]], -1))


def some_codes() -> np.ndarray:
    """int (rows, 2), 0..4094: the six axes, edges of the folding, and others."""
    axes = [[4094, 2047], [0, 2047], [2047, 4094], [2047, 0], [2047, 2047], [0, 0], [4094, 0]]
    edges = [[4094, 4094], [0, 4094], [1023, 3070], [4093, 2048]]
    random = np.random.default_rng(4).integers(0, 4095, (2000, 2))
    return np.concatenate([axes, edges, random])


def octs() -> Case:
    p = np.concatenate([(some_codes() - 2047) / 2047]).astype(np.float32)
    expected = columns(result=decode_oct(p))
    return Case("octs", "oct", {"p": "vec2"}, "vec3", columns(p=p), expected, degrees=1e-4)


def oct_words() -> Case:
    codes = some_codes()
    alpha = (codes[:, 0] + 4096 * codes[:, 1]).astype(np.float32)
    expected = columns(result=decode_oct((codes - 2047) / 2047))
    return Case(
        "words of normals", "oct24", {"alpha": "float"}, "vec3", columns(alpha=alpha), expected,
        degrees=1e-4,
    )  # fmt: skip


def oct_pairs() -> Case:
    """Codes come back from binary16 as they were."""
    pairs = np.stack([some_codes(), some_codes()[::-1]], axis=1)
    pairs = np.concatenate([pairs, pairs])
    texel = ((pairs - 2047) / 2047).reshape(-1, 4).astype(np.float16).astype(np.float32)
    slot = np.repeat([6, 7], len(pairs) // 2)
    codes = pairs[np.arange(len(pairs)), slot % 2]
    return Case(
        "pairs of normals",
        "oct16",
        {"texel": "vec4", "slot": "int"},
        "vec3",
        columns(texel=texel, slot=slot),
        columns(result=decode_oct((codes - 2047) / 2047)),
        degrees=1e-4,
    )


def turn(v: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Rodrigues' formula."""
    axis = np.cross(start, end)
    sine = np.linalg.norm(axis, axis=-1, keepdims=True)
    cosine = (start * end).sum(axis=-1, keepdims=True)
    k = axis / np.maximum(sine, 1e-300)
    along = k * (k * v).sum(axis=-1, keepdims=True)
    return v * cosine + np.cross(k, v) * sine + along * (1 - cosine)


def opposite_turns() -> Case:
    """No arc is shortest: about the cross product with X, or with Y where X is too near."""
    start = np.concatenate([np.eye(3), -np.eye(3)])
    tangent = np.roll(start, 1, axis=1)
    near_x = np.abs(start[:, :1]) >= 0.7
    axis = np.cross(start, np.where(near_x, [[0, 1, 0]], [[1, 0, 0]]))
    expected = tangent - 2 * axis * (axis * tangent).sum(axis=1, keepdims=True)
    return Case(
        "tangents between opposite normals",
        "turn",
        dict(TURN),
        "vec3",
        columns(v=tangent, **{"from": start}, to=-start),
        columns(result=expected),
        degrees=1e-4,
    )


TURN = {"v": "vec3", "from": "vec3", "to": "vec3"}


def turns(degrees_apart: tuple[float, float], error: float) -> Case:
    random = np.random.default_rng(5)
    count = 1000
    start = unit(random.normal(size=(count, 3)))
    tangent = unit(np.cross(start, random.normal(size=(count, 3))))
    side = unit(np.cross(start, random.normal(size=(count, 3))))
    angle = np.radians(random.uniform(*degrees_apart, count))[:, None]
    end = start * np.cos(angle) + side * np.sin(angle)
    start, end, tangent = (a.astype(np.float32).astype(float) for a in (start, end, tangent))
    return Case(
        f"tangents turned by {degrees_apart[0]:g} to {degrees_apart[1]:g} degrees",
        "turn",
        dict(TURN),
        "vec3",
        columns(v=tangent, **{"from": start}, to=end),
        columns(result=turn(tangent, unit(start), unit(end))),
        degrees=error,
    )
