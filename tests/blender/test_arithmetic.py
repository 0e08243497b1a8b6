# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions have the very bits of Blender's own `matrix @ vector`."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import truevat_native as native
from mathutils import Euler, Matrix, Vector

SPECIAL = np.float32([0, -0.0, 1, -1, 1e-45, -1e-45, 1.1e-38, 1e-30, 0.1, 3e4, -7e18])


def random_matrix(rng, scale):
    turned = Matrix.LocRotScale(rng.normal(0, 9, 3), Euler(rng.normal(0, 3, 3)), scale)
    return turned if rng.random() < 0.5 else turned @ Matrix(rng.normal(0, 1, (4, 4)).tolist())


def affine(matrix):
    values = np.array(matrix, np.float32, order="C")
    values[3] = 0, 0, 0, 1
    return values


def assert_same_bits(points, values):
    world, bad = native.transform_points(points, values)
    matrix = Matrix(values.tolist())
    expected = np.float32([matrix @ Vector(point) for point in points.tolist()])
    finite = np.isfinite(expected).all(axis=1)
    assert bad == (len(points) if finite.all() else int(np.flatnonzero(~finite)[0]))
    np.testing.assert_array_equal(world[finite].view(np.uint32), expected[finite].view(np.uint32))
    return expected


KINDS = {
    "any": (1, 1, 1),
    "mirrored": (-1, 1, 1),
    "non-uniform": (0.001, 17, 3),
    "flat": (1, 1, 0),
    "a point": (0, 0, 0),
    "small": (1e-20, 1e-20, 1e-20),
    "huge": (1e20, 1e20, 1e20),
}


@pytest.mark.parametrize("kind", KINDS)
def test_transform_has_the_bits_of_mathutils(kind):
    rng = np.random.default_rng(len(kind))
    for size in (1e-3, 1, 1e4):
        values = affine(random_matrix(rng, Vector(KINDS[kind])))
        points = rng.normal(0, size, (3000, 3)).astype(np.float32)
        assert_same_bits(points, values)


def test_special_values_have_the_bits_of_mathutils():
    points = np.array(list(itertools.product(SPECIAL, repeat=3)), np.float32)
    rng = np.random.default_rng(4)
    for _ in range(12):
        values = np.eye(4, dtype=np.float32)
        values[:3] = rng.choice(SPECIAL, (3, 4))
        assert_same_bits(points, values)


def test_the_order_of_summation_matters_to_these_points():
    """Or the tests above would prove nothing: plain float32 and plain double both differ."""
    rng = np.random.default_rng(5)
    values = affine(random_matrix(rng, Vector((1, 2, 3))))
    points = rng.normal(0, 1, (3000, 3)).astype(np.float32)
    expected = assert_same_bits(points, values)
    single = points @ values[:3, :3].T + values[:3, 3]
    double = points.astype(np.float64) @ values[:3, :3].T.astype(np.float64) + values[:3, 3]
    for other in (single, double.astype(np.float32)):
        assert (other != expected).mean() > 0.05
