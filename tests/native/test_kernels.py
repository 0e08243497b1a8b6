# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each kernel against its NumPy twin, on inputs that hypothesis draws."""

from __future__ import annotations

import numpy as np
import pytest
import truevat_native as native
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import twins

LENGTHS = st.one_of(st.integers(0, 6), st.sampled_from([127, 128, 129, 131, 256, 300]))
BITS = st.integers(0, 2**32 - 1)
SPECIAL = [0.0, -0.0, 1e-45, -1e-38, 1e-20, 1.0, -1.0, 3e38, -3e38, np.inf, -np.inf, np.nan]
ORDINARY = st.floats(-1000, 1000, width=32)
ANY = st.one_of(ORDINARY, st.sampled_from([float(np.float32(value)) for value in SPECIAL]))


@st.composite
def vectors(draw, values=ANY):
    return draw(arrays(np.float32, (draw(LENGTHS), 3), elements=values))


@st.composite
def matrices(draw, values=ORDINARY):
    """Affine ones: any, diagonal (mirrored, non-uniform, zero) and singular."""
    matrix = np.eye(4, dtype=np.float32)
    matrix[:3] = draw(arrays(np.float32, (3, 4), elements=values))
    kind = draw(st.sampled_from(["any", "diagonal", "singular"]))
    if kind == "diagonal":
        matrix[:3, :3][~np.eye(3, dtype=bool)] = 0
    elif kind == "singular":
        matrix[2, :3] = matrix[1, :3]
    return matrix


def assert_same_bits(ours, twin):
    """NaNs are equal whatever their payload."""
    assert ours.dtype == twin.dtype and ours.shape == twin.shape
    different = (ours.view(np.uint32) != twin.view(np.uint32)) & ~(np.isnan(ours) & np.isnan(twin))
    assert not different.any(), (ours[different], twin[different])


@given(vectors(), matrices(ANY))
def test_transform_points_is_its_twin(points, matrix):
    world, bad = native.transform_points(points, matrix)
    expected, first_bad = twins.transform_points(points, matrix)
    assert_same_bits(world, expected)
    assert bad == first_bad


@given(vectors(), matrices(ANY))
def test_transform_normals_is_its_twin(normals, matrix):
    world, bad = native.transform_normals(normals, matrix)
    expected, expected_bad = twins.transform_normals(normals, matrix)
    assert_same_bits(world, expected)
    assert bad == expected_bad


@given(vectors(ORDINARY), matrices(st.floats(-4, 4, width=32)))
def test_normals_have_unit_length_and_stand_on_their_surface(normals, matrix):
    """Against float64, by what a normal is: at right angles to what lies in the surface."""
    inverse = np.linalg.pinv(matrix[:3, :3].astype(np.float64))
    if np.linalg.cond(matrix[:3, :3].astype(np.float64)) > 1e3:
        return
    world, bad = native.transform_normals(normals, matrix)
    np.testing.assert_allclose(np.linalg.norm(world, axis=1), 1, atol=1e-6)
    expected = normals.astype(np.float64) @ inverse
    length = np.linalg.norm(expected, axis=1)
    good = length > 0
    assert bad == (~good).sum()
    np.testing.assert_allclose(world[good], expected[good] / length[good, None], atol=1e-4)


@given(vectors(), st.sampled_from(twins.NORMAL_CODES))
@example(np.float32([[1.0000001, -1.0000001, 0.99999994]]), "xyz8-guarded")
def test_pack_normals_is_its_twin(normals, code):
    words = native.pack_normals(normals, code)
    np.testing.assert_array_equal(words, twins.pack_normals(normals, code))
    if code == "xyz8-guarded":
        exponents = words >> 23 & 0xFF
        assert ((exponents >= 1) & (exponents <= 254)).all()


AXES = np.float32([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])


def directions(count):
    vectors = np.random.default_rng(5).normal(0, 1, (count, 3))
    return (vectors / np.linalg.norm(vectors, axis=1)[:, None]).astype(np.float32)


def degrees_apart(a, b):
    a, b = a.astype(float), b.astype(float)
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), (a * b).sum(axis=1)))


@pytest.mark.parametrize(("code", "error"), [("oct24", 0.06), ("oct32", 0.0038)])
def test_octahedral_words_are_near_and_axes_exact(code, error):
    np.testing.assert_array_equal(
        native.unpack_normals(native.pack_normals(AXES, code), code), AXES
    )
    normals = directions(1_000_000)
    words = native.pack_normals(normals, code)
    back = native.unpack_normals(words, code)
    assert error / 2 < degrees_apart(normals, back).max() <= error
    bits = int(code[3:]) // 2
    assert degrees_apart(back, twins.unpack_octahedral(words, bits)).max() < 1e-4
    assert words.max() < 2 ** (2 * bits)


def test_bytes_are_unpacked_as_shaders_do():
    normals = directions(1000)
    for code in ("xyz8", "xyz8-guarded"):
        back = native.unpack_normals(native.pack_normals(normals, code), code)
        assert degrees_apart(normals, back).max() < 0.8


def test_every_half_comes_back():
    halves = np.arange(65536, dtype=np.uint16)
    finite = np.isfinite(halves.view(np.float16))
    values = native.from_half(halves[finite])
    np.testing.assert_array_equal(
        values.view(np.uint32), halves[finite].view(np.float16).astype(np.float32).view(np.uint32)
    )
    np.testing.assert_array_equal(native.to_half(values), halves[finite])


@given(arrays(np.uint32, st.integers(0, 300), elements=st.integers(0, 2**32 - 1)))
@example(np.float32([65504, 65519.99, 65520, 1e30, 2.0**-25, 2.0**-24 * 1.5, -0.0]).view(np.uint32))
def test_halves_are_rounded_to_nearest_ties_to_even(bits):
    values = bits.view(np.float32)
    values = values[np.isfinite(values)]
    with np.errstate(over="ignore"):
        expected = values.astype(np.float16)
    expected = np.clip(expected, np.float16(-65504), np.float16(65504))
    np.testing.assert_array_equal(native.to_half(values), expected.view(np.uint16))


def test_pack_normals_guards_unless_told():
    normals = np.float32([[0, 0, 1]])
    assert native.pack_normals(normals)[0] == native.NORMAL_GUARD | 0x7F7FFF
    assert native.pack_normals(normals, "xyz8")[0] == 0x7F7FFF


@given(st.data(), st.sampled_from([1, 3]), LENGTHS, st.integers(0, 2**64 - 1))
def test_hash_words_is_its_twin(data, width, count, key):
    shape = (count, 3) if width == 3 else count
    words = data.draw(arrays(np.uint32, shape, elements=BITS))
    sums = data.draw(arrays(np.uint64, (count, 2), elements=st.integers(0, 2**64 - 1)))
    expected = twins.hash_words(sums, words, key)
    native.hash_words(sums, words, key)
    np.testing.assert_array_equal(sums, expected)


def test_hash_of_a_million_items_has_no_collision():
    count = 1_000_000
    words = np.arange(count, dtype=np.uint32)
    sums = np.zeros((count, 2), np.uint64)
    native.hash_words(sums, words, 3)
    native.hash_words(sums, words[::-1].copy(), 4)
    for lane in range(2):
        assert len(np.unique(sums[:, lane])) == count


@given(st.data(), LENGTHS)
def test_assign_slots_is_its_twin(data, count):
    few = st.sampled_from([0, 1, 2, 2**63, 2**64 - 1])
    keys = data.draw(arrays(np.uint64, (count, 2), elements=few))
    slots, first = native.assign_slots(keys)
    expected_slots, expected_first = twins.assign_slots(keys)
    np.testing.assert_array_equal(slots, expected_slots)
    np.testing.assert_array_equal(first, expected_first)
    assert slots.dtype == first.dtype == np.int32


@given(st.integers(0, 5000), st.integers(1, 300), st.integers(0, 8).map(lambda bit: 1 << bit))
def test_layout_is_its_twin(samples, frames, max_size):
    expected = twins.layout_power_of_two(samples, frames, max_size)
    if expected is None:
        with pytest.raises(native.NativeError) as caught:
            native.layout_power_of_two(samples, frames, max_size)
        assert caught.value.code == "too_large"
    else:
        assert native.layout_power_of_two(samples, frames, max_size) == expected


@given(st.integers(1, 3000), st.integers(1, 40), st.sampled_from([64, 256, 4096]))
def test_layout_uv_is_its_twin_and_hits_its_texel(samples, frames, max_size):
    expected = twins.layout_power_of_two(samples, frames, max_size)
    if expected is None:
        return
    slots = np.arange(samples, dtype=np.int32)
    uv = native.layout_uv(slots, expected)
    np.testing.assert_array_equal(uv, twins.layout_uv(slots, expected))
    texel = np.floor(uv * np.float32(expected[:2])).astype(int)
    np.testing.assert_array_equal(texel[:, 0], slots % expected[0])
    np.testing.assert_array_equal(texel[:, 1], slots // expected[0] + 1)


def test_layout_uv_of_the_largest_texture_hits_every_texel():
    layout = 16384, 16384, 16383
    rng = np.random.default_rng(1)
    slots = rng.integers(0, 16384 * 16383, 100_000, np.int32)
    texel = np.floor(native.layout_uv(slots, layout).astype(np.float64) * 16384).astype(int)
    np.testing.assert_array_equal(texel[:, 0], slots % 16384)
    np.testing.assert_array_equal(texel[:, 1], slots // 16384 + 1)
