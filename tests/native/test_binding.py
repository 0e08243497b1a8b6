# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The binding refuses what a kernel could not take, and says which argument it was."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import pytest
import truevat_native as native

EYE = np.eye(4, dtype=np.float32)
VECTORS = np.zeros((4, 3), np.float32)
INDICES = np.zeros(4, np.int32)
OTHER_TYPE = {"float32": np.float64, "int32": np.int64, "int64": np.int32}
OTHER_TYPE |= {"uint32": np.int32, "uint64": np.int64}


def misaligned(array):
    raw = np.zeros(array.nbytes + 1, np.uint8)
    return raw[1:].view(array.dtype).reshape(array.shape)


# What is wrong with an array, and the word that the message has besides the argument's name.
FAULTS = {
    "no array": (lambda array: array.tolist(), TypeError, "NumPy array"),
    "none": (lambda array: None, TypeError, "NumPy array"),
    "other type": (lambda a: a.astype(OTHER_TYPE[a.dtype.name]), TypeError, "dtype"),
    "byte order": (lambda a: a.astype(a.dtype.newbyteorder()), TypeError, "byte order"),
    "more dimensions": (lambda array: array[None], ValueError, "dimensions|shape"),
    "not contiguous": (lambda a: np.repeat(a, 2, axis=-1)[..., ::2], ValueError, "contiguous"),
    "misaligned": (misaligned, ValueError, "aligned"),
}


def finished_track() -> native.Track:
    track = native.Track(groups=1, memory=1 << 20)
    track.append([(0, VECTORS, VECTORS, native.POINT, EYE)], 0)
    track.finish()
    return track


def append(group=0, points=VECTORS, normals=VECTORS, domain=0, matrix=EYE, *samples, **named):
    part = group, points, normals, domain, matrix, *samples
    if named:
        samples = {"sample_point": INDICES, "sample_normal": INDICES} | named
        part += tuple(samples.values())
    native.Track(groups=1, memory=0).append([part], 0)


def keys(corner_vert=INDICES, corner_face=INDICES):
    finished_track().keys(0, corner_vert, corner_face)


WRITER = {
    "layout": (4, 2, 1),
    "frames": np.zeros(1, np.int32),
    "part_start": np.int64([0, 4]),
    "point": INDICES,
    "face": INDICES,
    "corner": INDICES,
    "origin": np.zeros((1, 3), np.float32),
}


def open_writer(path="/nonexistent/a.exr", **changed):
    native.TextureWriter(finished_track(), path, **(WRITER | changed))


def write_exr(rgba):
    native.write_exr("/nonexistent/a.exr", rgba)


RGBA = np.zeros((2, 5, 4), np.float32)
KEYS = np.zeros((4, 2), np.uint64)
WORDS = np.zeros(4, np.uint32)
# (function of the array, the argument's name, an array that is right)
ARGUMENTS: list[tuple[Callable, str, np.ndarray]] = [
    (lambda a: native.transform_points(a, EYE), "points", VECTORS),
    (lambda a: native.transform_points(VECTORS, a), "matrix", EYE),
    (lambda a: native.transform_normals(a, EYE), "normals", VECTORS),
    (lambda a: native.transform_normals(VECTORS, a), "matrix", EYE),
    (lambda a: native.pack_normals(a), "normals", VECTORS),
    (lambda a: native.hash_words(a, WORDS, 0), "sums", KEYS.copy()),
    (lambda a: native.hash_words(KEYS.copy(), a, 0), "words", WORDS),
    (lambda a: native.hash_words(KEYS.copy(), a, 0), "words", np.zeros((4, 3), np.uint32)),
    (lambda a: native.assign_slots(a), "keys", KEYS),
    (lambda a: native.layout_uv(a, (4, 4, 1)), "slots", INDICES),
    (write_exr, "rgba", RGBA),
    (lambda a: append(points=a), "points", VECTORS),
    (lambda a: append(normals=a), "normals", VECTORS),
    (lambda a: append(matrix=a), "matrix", EYE),
    (lambda a: append(sample_point=a), "sample_point", INDICES),
    (lambda a: append(sample_normal=a), "sample_normal", INDICES),
    (lambda a: keys(corner_vert=a), "corner_vert", INDICES),
    (lambda a: keys(corner_face=a), "corner_face", INDICES),
    *(
        (lambda a, name=name: open_writer(**{name: a}), name, WRITER[name])
        for name in ("frames", "part_start", "point", "face", "corner", "origin")
    ),
]


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(
    ("call", "name", "good"), ARGUMENTS, ids=[name for _, name, _ in ARGUMENTS]
)
def test_a_wrong_array_is_named(call, name, good, fault):
    spoil, kind, word = FAULTS[fault]
    if good.size == 1:
        good = np.repeat(good, 2)  # one element is always contiguous
    with pytest.raises(kind, match=word) as caught:
        call(spoil(good))
    assert str(caught.value).startswith(f"{name} ")


WRONG_SHAPES = [
    (lambda a: native.transform_points(a, EYE), "points", np.zeros((4, 4), np.float32)),
    (lambda a: native.transform_points(VECTORS, a), "matrix", np.eye(3, dtype=np.float32)),
    (lambda a: native.hash_words(KEYS.copy(), a, 0), "words", np.zeros(5, np.uint32)),
    (lambda a: native.hash_words(KEYS.copy(), a, 0), "words", np.zeros((4, 2), np.uint32)),
    (lambda a: native.assign_slots(a), "keys", np.zeros((4, 3), np.uint64)),
    (write_exr, "rgba", np.zeros((2, 5, 3), np.float32)),
    (lambda a: append(sample_normal=a), "sample_normal", np.zeros(5, np.int32)),
    (lambda a: keys(corner_face=a), "corner_face", np.zeros(5, np.int32)),
    (lambda a: open_writer(point=a), "point", np.zeros(5, np.int32)),
    (lambda a: open_writer(face=a), "face", np.zeros(3, np.int32)),
    (lambda a: open_writer(corner=a), "corner", np.zeros(3, np.int32)),
    (lambda a: open_writer(origin=a), "origin", np.zeros((2, 3), np.float32)),
    (lambda a: open_writer(part_start=a), "part_start", np.empty(0, np.int64)),
]


@pytest.mark.parametrize(("call", "name", "array"), WRONG_SHAPES)
def test_a_wrong_shape_is_named(call, name, array):
    with pytest.raises(ValueError, match=f"^{name} "):
        call(array)


def test_a_read_only_target_is_refused():
    sums = np.zeros((4, 2), np.uint64)
    sums.flags.writeable = False
    with pytest.raises(ValueError, match="sums is read-only"):
        native.hash_words(sums, WORDS, 1)
    assert not sums.any()


def test_read_only_sources_are_fine():
    points, matrix = VECTORS.copy(), EYE.copy()
    points.flags.writeable = matrix.flags.writeable = False
    native.transform_points(points, matrix)


@pytest.mark.parametrize("missing", WRITER)
def test_the_writer_names_what_is_missing(missing):
    given = {name: value for name, value in WRITER.items() if name != missing}
    with pytest.raises(TypeError, match=f"^{missing} must be given"):
        native.TextureWriter(finished_track(), "/nonexistent/a.exr", **given)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: native.Track(memory=0), ValueError, "groups and memory must be given"),
        (lambda: native.Track(groups=1), ValueError, "groups and memory must be given"),
        (lambda: native.Track(groups=-1, memory=0), ValueError, "not negative"),
        (lambda: native.Track(groups=1, memory=0, directory=3), TypeError, None),
        (lambda: native.TextureWriter(), TypeError, "track"),
        (lambda: native.TextureWriter(3, "a", **WRITER), TypeError, "track must be a Track"),
        (lambda: open_writer(path=3), TypeError, None),
        (lambda: open_writer(texel="pixels"), ValueError, "texel must be"),
        (lambda: open_writer(half=True), ValueError, "bits cannot be halves"),
        (
            lambda: open_writer(texel="mapped", mapping=np.float32([[0, 0, 1]] * 3)),
            ValueError,
            "axes",
        ),
        (lambda: open_writer(slots=3), ValueError, "outside"),
        (lambda: native.pack_normals(VECTORS, "oct"), ValueError, "normals must be"),
        (lambda: native.Track(groups=1, memory=0, normals="xyz"), ValueError, "normals must be"),
        (lambda: open_writer(threads=-1), ValueError, "threads must not be negative"),
        (lambda: open_writer(layout=[4, 2, 1]), TypeError, "layout must be"),
        (lambda: open_writer(layout=(4, 2)), TypeError, "layout must be"),
        (lambda: open_writer(layout=(0, 2, 1)), ValueError, "layout is out of range"),
        (lambda: open_writer(layout=(4, 2, 3)), ValueError, "layout is out of range"),
        (lambda: open_writer(layout=(2, 2, 1)), ValueError, "outside"),
        (lambda: open_writer(frames=np.int32([-1])), ValueError, "outside"),
        (lambda: open_writer(point=np.int32([0, 1, 2, 4])), ValueError, "outside"),
        (lambda: open_writer(part_start=np.int64([1, 4])), ValueError, "outside"),
        (lambda: open_writer(part_start=np.int64([0, -1])), ValueError, "outside"),
        (lambda: native.layout_uv(INDICES, (1, 1, 2)), ValueError, "layout is out of range"),
        (lambda: native.layout_power_of_two(1, 1, 3), ValueError, "max_size must be a power"),
        (lambda: native.layout_power_of_two(-1, 1, 4), ValueError, "counts not negative"),
        (lambda: native.write_exr("a.exr"), TypeError, "rgba"),
        (lambda: native.write_exr("a.exr", RGBA, compression="rle"), ValueError, "compression"),
        (lambda: native.write_exr("a.exr", RGBA, threads=-1), ValueError, "threads"),
        (lambda: native.transform_points(VECTORS), TypeError, "2"),
        (lambda: native.hash_words(KEYS.copy(), WORDS, 1.5), TypeError, None),
        (lambda: append(group=-1), ValueError, "group or domain"),
        (lambda: append(domain=3), ValueError, "group or domain"),
        (lambda: append(0, VECTORS, VECTORS, 0, EYE, INDICES), TypeError, "needs sample_normal"),
        (lambda: finished_track().keys(1, INDICES, INDICES), ValueError, "outside"),
        (lambda: finished_track().keys(-1, INDICES, INDICES), ValueError, "outside"),
        (lambda: finished_track().bounds(1), IndexError, "group is out of range"),
        (lambda: finished_track().bounds(-1), IndexError, "group is out of range"),
        (lambda: finished_track().frame(1), IndexError, "frame is out of range"),
        (lambda: native.Track(groups=1, memory=0).append([[]], 0), TypeError, "must be a tuple"),
        (lambda: native.Track(groups=1, memory=0).append(3, 0), TypeError, None),
    ],
)
def test_a_wrong_value_is_explained(call, error, words):
    with pytest.raises(error, match=words):
        call()


@pytest.mark.skipif(
    os.environ.get("TRUEVAT_SANITIZED") == "1",
    reason="AddressSanitizer ends the process there; tests/core has the same test for it",
)
def test_more_groups_than_memory_are_a_memory_error():
    for groups in (1 << 61, 1 << 59):  # the first one's size in bytes is a multiple of 2^64
        with pytest.raises(MemoryError):
            native.Track(groups=groups, memory=0)


def test_a_picture_of_nothing_is_refused(tmp_path):
    for shape in ((0, 5, 4), (5, 0, 4)):
        with pytest.raises(native.NativeError):
            native.write_exr(str(tmp_path / "a.exr"), np.zeros(shape, np.float32))
    assert not list(tmp_path.iterdir())


def test_the_module_says_what_it_is():
    assert (native.POINT, native.FACE, native.CORNER, native.IN_FLIGHT) == (0, 1, 2, 2)
    assert native.NORMAL_GUARD == 0x40000000
    assert native.__version__.count(".") == 2
