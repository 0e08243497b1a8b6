# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenEXR files, read back by a plain reader. tests/blender/test_exr.py asks other programs."""

from __future__ import annotations

import numpy as np
import pytest
import truevat_native as native
from hypothesis import given
from hypothesis import strategies as st

from exr_reader import read_exr, read_header

SIZES = [(1, 1), (1, 300), (300, 1), (16, 16), (17, 15), (5, 33), (4096, 17), (16384, 5)]
OPTIONS = [
    {"compression": "none", "direct": True},
    {"compression": "none", "direct": False},
    {"compression": "zip"},
]
IDS = ["direct", "tinyexr", "zip"]


def picture(width, height, seed=0):
    """Any bits: denormals, infinities and NaNs of every payload."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2**32, (height, width, 4), np.uint32)
    bits.flat[:4] = [1, 0x80000000, 0x7FC01234, 0xFF812345][: bits.size]
    if width > 8:
        bits[:, width // 2 :] = 0x3F800000  # what compresses
    return bits.view(np.float32)


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_bit_comes_back(tmp_path, size, options):
    rgba, path = picture(*size), tmp_path / "a.exr"
    native.write_exr(str(path), rgba, **options)
    np.testing.assert_array_equal(read_exr(path).view(np.uint32), rgba.view(np.uint32))


@given(st.integers(1, 70), st.integers(1, 70), st.sampled_from(OPTIONS), st.integers(0, 3))
def test_any_size_comes_back(tmp_path_factory, width, height, options, threads):
    rgba, path = picture(width, height, seed=width), tmp_path_factory.mktemp("exr") / "a.exr"
    native.write_exr(str(path), rgba, threads=threads, **options)
    np.testing.assert_array_equal(read_exr(path).view(np.uint32), rgba.view(np.uint32))


def test_header_is_what_the_layout_says(tmp_path):
    for compression, number in (("none", 0), ("zip", 3)):
        path = tmp_path / "a.exr"
        native.write_exr(str(path), picture(7, 9), compression=compression)
        attributes, _ = read_header(path.read_bytes())
        window = np.int32([0, 0, 6, 8]).tobytes()
        assert attributes["dataWindow"] == attributes["displayWindow"] == ("box2i", window)
        assert attributes["compression"] == ("compression", bytes([number]))
        assert attributes["pixelAspectRatio"] == ("float", np.float32(1).tobytes())
        assert {"screenWindowCenter", "screenWindowWidth"} <= attributes.keys()


def test_zip_makes_a_plain_picture_smaller(tmp_path):
    path = tmp_path / "a.exr"
    native.write_exr(str(path), np.ones((64, 64, 4), np.float32), compression="zip")
    assert path.stat().st_size < 64 * 64 * 16 / 20


@pytest.mark.parametrize("compression", ["none", "zip"])
def test_files_do_not_depend_on_threads(tmp_path, compression):
    rgba = picture(2048, 300)
    files = []
    for threads in (1, 2, 5):
        path = tmp_path / f"{threads}.exr"
        native.write_exr(str(path), rgba, compression=compression, threads=threads)
        files.append(path.read_bytes())
    assert files[0] == files[1] == files[2]


def test_direct_lines_are_what_tinyexr_makes(tmp_path):
    for index, size in enumerate(SIZES):
        files = []
        for direct in (True, False):
            path = tmp_path / f"{index}.exr"
            native.write_exr(str(path), picture(*size), direct=direct)
            files.append(path.read_bytes())
        assert files[0] == files[1], size


def test_a_path_may_have_any_letters(tmp_path):
    path = tmp_path / "größe 日本.exr"
    native.write_exr(str(path), picture(3, 3))
    native.write_exr(path, picture(3, 3))
    assert read_exr(path).shape == (3, 3, 4)
