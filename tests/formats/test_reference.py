# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The format as docs/format.md defines it gives back what went into it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import OpenEXR
import pytest

import make
import moving
import reference
from numbers_in_texels import (
    decode_codes,
    decode_pairs,
    digits,
    encode_normals,
    float_words,
    half_codes,
    word_floats,
    words,
)
from plain_exr import read_exr
from reference_reader import StoredClip, Texture

AXES = np.concatenate([np.eye(3), -np.eye(3)])
# Half of the smallest step of binary16, relative to the value.
HALF_ROUNDING = 2.0**-11


@pytest.fixture(scope="module", params=make.VARIANTS)
def variant(request, tmp_path_factory):
    """(what moves, the pixel type, its texture)"""
    what, pixel, width = make.VARIANTS[request.param]
    moved = what()
    files = moving.write(tmp_path_factory.mktemp(request.param), "a", moved, pixel, width)
    return moved, pixel, Texture(files["texture"], moved.motion.rest), files


def degrees_between(a, b):
    return np.degrees(2 * np.arcsin(np.linalg.norm(np.float64(a) - b, axis=-1) / 2))


def directions(count):
    vectors = np.random.default_rng(7).normal(size=(count, 3))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def half_values(codes):
    return np.float16((codes - 2047) / 2047)


def test_a_million_directions():
    true = directions(1_000_000)
    codes = encode_normals(true)
    assert codes.min() >= 0 and codes.max() <= 4094
    assert (half_codes(half_values(codes)) == codes).all()
    assert 0.055 < degrees_between(decode_codes(codes), true).max() < reference.NORMAL_ERROR_DEGREES
    # Of a reader that does not take halves back to their codes.
    assert 0.09 < degrees_between(decode_pairs(half_values(codes)), true).max() < 0.11


# Between codes about the middle of a face of the octahedron, where they lie farthest apart; and
# where rounding to binary16 adds the most.
@pytest.mark.parametrize(("middle", "least_as_it_is"), [((1365, 1365), 0.07), ((3345, 749), 0.1)])
def test_the_directions_that_are_farthest_from_a_code(middle, least_as_it_is):
    x, y = np.meshgrid(np.arange(-40, 41), np.arange(-40, 41))
    codes = np.stack([x, y], axis=-1).reshape(-1, 2) + middle
    worst = worst_as_it_is = 0.0
    for corner in ((-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)):
        true = decode_pairs((codes + corner - 2047) / 2047)
        halves = half_values(codes)
        worst = max(worst, degrees_between(decode_codes(half_codes(halves)), true).max())
        worst_as_it_is = max(worst_as_it_is, degrees_between(decode_pairs(halves), true).max())
    assert 0.059 < worst < reference.NORMAL_ERROR_DEGREES
    assert least_as_it_is < worst_as_it_is < 0.11


def test_axes_are_exact():
    codes = encode_normals(AXES)
    assert (decode_codes(codes) == AXES).all()
    assert (decode_pairs(half_values(codes)) == AXES).all()


def test_a_half_tells_its_code():
    codes = np.arange(4095)
    assert (half_codes(half_values(codes)) == codes).all()


def test_words_are_exact_in_halves():
    edges = [0, 1, 1023, 1024, 0x54415654, 2**30 - 1, 2**30, 2**31, 2**32 - 1]
    whole = np.append(np.random.default_rng(1).integers(0, 2**32, 10_000), edges)
    assert (words(np.float16(digits(whole))) == whole).all()
    assert digits(np.array([0x54415654]))[0].tolist() == [596, 85, 324, 1]


def test_floats_as_words_keep_their_bits_and_have_no_denormals():
    values = np.float32([0, -1e9, 1.5, -3.4e38, 1.2e-38, 1e-45, -1e-39])
    back = word_floats(float_words(values))
    assert back[:5].tobytes() == values[:5].tobytes()
    assert (back[5:] == 0).all()


def test_positions(variant):
    moved, pixel, texture, _ = variant
    motion = moved.motion
    for frame, true in enumerate(motion.positions):
        decoded = texture.positions(frame)
        if pixel == "float32":
            assert decoded.dtype == np.float32 and decoded.tobytes() == true.tobytes()
        else:
            moves = np.abs(true - motion.rest)
            # What is nearest to 0 has steps of 2^-24; the offset itself is rounded to float32.
            allowed = moves * HALF_ROUNDING + 2.0**-25 + np.spacing(moves)
            assert (np.abs(decoded - true) <= allowed).all()
    assert (texture.positions(0) == motion.positions[0]).all()


def test_halves_err_by_what_the_sidecar_says(variant):
    moved, pixel, texture, _ = variant
    decoded = [texture.positions(frame) for frame in range(texture.stored)]
    wrong = np.linalg.norm(np.float64(decoded) - moved.motion.positions, axis=-1).max()
    assert wrong == reference.position_error(moved.motion, pixel)
    assert (wrong == 0) == (pixel == "float32")


def test_what_does_not_move_is_exact_in_halves():
    moved = moving.solid_parts()
    still = (moved.motion.positions[:24] == moved.motion.rest).all(axis=(0, 2))
    assert 20 < still.sum() < len(still)
    layout = reference.lay_out(moved.motion, 61, "float16")
    image = reference.texture(moved.motion, layout, "float16")
    rows = image[layout.header_rows : layout.header_rows + 24 * layout.rows_per_frame]
    texels = rows.reshape(24, -1, 4)[:, : len(still)]
    assert (texels[:, still] == (0, 0, 0, 1)).all()


def test_normals(variant):
    moved, pixel, texture, _ = variant
    for frame, true in enumerate(moved.motion.normals):
        wrong = degrees_between(texture.normals(frame), true).max()
        assert wrong < reference.NORMAL_ERROR_DEGREES


def test_header(variant):
    moved, pixel, texture, files = variant
    motion = moved.motion
    frames, slots, _ = motion.positions.shape
    height, width, _ = texture.pixels.shape
    said = texture.words
    assert said[0].to_bytes(4, "little") == b"TVAT"
    assert said[3:5] == [width, height]
    assert said[7:11] == [slots, frames, 24, 1]
    assert said[11:13] == ([0, 1] if pixel == "float32" else [1, 2])
    assert said[15:18] == [2, 8, 32]
    assert (texture.bounds == motion.bounds).all()
    assert texture.constant_topology == (motion.triangles is None)
    assert said[29:] == [0, 0, 0]
    unused = texture.pixels[: texture.header_rows].reshape(-1, 4)[32 + 2 * 8 :]
    assert (unused == 0).all()
    assert f'"bake_id": "{texture.bake_id}"' in files["sidecar"].read_text()


def test_blocks_of_rows_follow_one_another(variant):
    moved, pixel, texture, _ = variant
    rows = texture.header_rows + texture.stored * texture.rows_per_frame
    if pixel == "float16":
        assert texture.normal_row == rows
        rows += texture.stored * texture.normal_rows_per_frame
    else:
        assert texture.normal_row == texture.normal_rows_per_frame == 0
    assert rows == texture.height
    assert (texture.rows_per_frame - 1) * texture.width < texture.slots
    assert texture.slots <= texture.rows_per_frame * texture.width


def test_clips(variant):
    moved, _, texture, _ = variant
    assert [(c.first_frame, c.frames, c.fps, c.loop) for c in texture.clips] == [
        (c.first_frame, c.frames, c.fps, c.loop) for c in moved.motion.clips
    ]


LOOP = StoredClip(5, 4, Fraction(2), True)
SHOT = StoredClip(9, 4, Fraction(30000, 1001), False)


@pytest.mark.parametrize(
    ("frame", "a", "b", "mix"),
    [
        *((0, 5, 6, 0), (0.25, 5, 6, 0.25), (3, 8, 5, 0), (3.75, 8, 5, 0.75)),
        *((4, 5, 6, 0), (403, 8, 5, 0), (-1, 8, 5, 0), (-0.25, 8, 5, 0.75)),
    ],
)
def test_a_loop_wraps(frame, a, b, mix):
    assert LOOP.seconds == 2
    assert LOOP.frames_at(Fraction(frame) / LOOP.fps) == (a, b, mix)


@pytest.mark.parametrize(
    ("frame", "a", "b", "mix"),
    [
        *((0, 9, 10, 0), (2.5, 11, 12, 0.5), (3, 12, 12, 0), (3.5, 12, 12, 0)),
        *((1e9, 12, 12, 0), (-0.5, 9, 10, 0)),
    ],
)
def test_what_does_not_loop_holds(frame, a, b, mix):
    assert SHOT.seconds == Fraction(3 * 1001, 30000)
    assert SHOT.frames_at(Fraction(frame) / SHOT.fps) == (a, b, mix)


def test_one_frame_is_shown_for_ever():
    for clip in (StoredClip(3, 1, Fraction(24), True), StoredClip(3, 1, Fraction(24), False)):
        assert clip.frames_at(17.3)[:2] == (3, 3)


def test_between_frames(variant):
    moved, pixel, texture, _ = variant
    motion = moved.motion
    stored, unit = np.float64(motion.positions), np.float64(motion.normals)
    for number, clip in enumerate(motion.clips):
        first, last = clip.first_frame, clip.first_frame + clip.frames - 1
        # In the middle of the clip, and across its end.
        ends = (last, first) if clip.loop else (last, last)
        for frame, (a, b) in ((1.75, (first + 1, first + 2)), (clip.frames - 0.25, ends)):
            positions, normals = texture.play(number, Fraction(frame) / clip.fps)
            mix = 0.75 if motion.triangles is None else 0
            true = stored[a] * (1 - mix) + stored[b] * mix
            error = reference.position_error(motion, pixel)
            assert np.abs(positions - true).max() <= error + 1e-12
            assert np.abs(np.linalg.norm(normals, axis=1) - 1).max() < 1e-12
            mixed = unit[a] * (1 - mix) + unit[b] * mix
            mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
            # A mix of two normals that are far apart is short, and its error larger.
            shortest = np.linalg.norm(unit[a] + unit[b], axis=1).min() / 2
            allowed = reference.NORMAL_ERROR_DEGREES / shortest
            assert degrees_between(normals, mixed).max() < allowed


def test_others_read_the_same_pixels(variant):
    _, pixel, texture, files = variant
    with OpenEXR.File(str(files["texture"])) as file:
        theirs = file.channels()["RGBA"].pixels
    assert theirs.dtype == pixel
    assert theirs[::-1].tobytes() == texture.pixels.tobytes()
    assert read_exr(files["texture"]).dtype == pixel


def test_unused_triangles_lie_at_a_vertex_of_their_frame():
    moved = moving.drop()
    motion = moved.motion
    assert len(set(motion.triangles)) > 8
    assert 3 * max(motion.triangles) == motion.positions.shape[1]
    for count, positions in zip(motion.triangles, motion.positions, strict=True):
        used, unused = positions[: 3 * count], positions[3 * count :]
        assert (unused == used[-1]).all()
