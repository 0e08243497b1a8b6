# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenEXR files as others read them: Blender, and the OpenEXR library."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
import truevat_native as native

try:
    import OpenEXR
except ImportError:
    OpenEXR = None


def read_by_blender(path):
    image = bpy.data.images.load(str(path))
    try:
        image.colorspace_settings.name = "Non-Color"
        image.alpha_mode = "CHANNEL_PACKED"
        assert image.is_float and image.channels == 4
        width, height = image.size
        pixels = np.empty(width * height * 4, np.float32)
        image.pixels.foreach_get(pixels)
    finally:
        bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4)[::-1]


def read_by_openexr(path):
    with OpenEXR.File(str(path), separate_channels=True) as file:
        window = file.header()["dataWindow"]
        assert tuple(map(tuple, window)) == tuple(map(tuple, file.header()["displayWindow"]))
        channels = file.channels()
        assert set(channels) == set("ABGR")
        planes = [channels[name].pixels for name in "RGBA"]
    assert {plane.dtype for plane in planes} == {np.dtype(np.float32)}
    return np.stack(planes, axis=2)


READERS = {"blender": read_by_blender} | ({"openexr": read_by_openexr} if OpenEXR else {})
SIZES = [(1, 1), (1, 300), (300, 1), (7, 15), (16, 16), (5, 33), (4096, 17), (16384, 5)]
OPTIONS = [{"direct": True}, {"direct": False}, {"compression": "zip"}]


def picture(width, height):
    """Denormals, NaNs with payloads, infinities, -0.0 and ordinary bits."""
    rng = np.random.default_rng(width)
    bits = rng.integers(0, 2**32, (height, width, 4), np.uint32)
    special = [1, 0x80000000, 0x7FC01234, 0xFF812345, 0x7F800001, 0x00020005, 0x007FFFFF]
    special += [0x407F7FFF, 0xFF800000, 0x7F7FFFFF]
    spots = bits.reshape(-1)
    count = min(len(spots), len(special))
    spots[:count] = special[:count]
    spots[-count:] = special[-count:]
    return bits.view(np.float32)


def test_the_openexr_library_is_among_the_readers():
    if bpy.app.version < (4, 3):
        pytest.skip("the environment of Blender 4.2 has no OpenEXR: read by Blender alone there")
    assert "openexr" in READERS


@pytest.mark.parametrize("options", OPTIONS, ids=["direct", "tinyexr", "zip"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_every_bit_comes_back(tmp_path, read, size, options):
    rgba, path = picture(*size), tmp_path / "a.exr"
    native.write_exr(str(path), rgba, **options)
    pixels = np.ascontiguousarray(read(path))
    np.testing.assert_array_equal(pixels.view(np.uint32), rgba.view(np.uint32))


@pytest.mark.parametrize("memory", [0, 1 << 30], ids=["spilled", "in memory"])
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_texture_is_read_row_by_row(tmp_path, read, memory):
    rng = np.random.default_rng(3)
    points = rng.normal(0, 1, (3, 1000, 3)).astype(np.float32)
    normals = rng.normal(0, 1, (3, 1000, 3)).astype(np.float32)
    track = native.Track(groups=1, memory=memory)
    eye = np.eye(4, dtype=np.float32)
    for key in range(3):
        track.append([(0, points[key], normals[key], native.POINT, eye)], key)
    track.finish()
    layout = native.layout_power_of_two(1000, 3, 256)
    width, height, rows = layout
    index = np.arange(1000, dtype=np.int32)
    path = tmp_path / "a.exr"
    writer = native.TextureWriter(
        track,
        str(path),
        layout=layout,
        frames=np.arange(3, dtype=np.int32),
        part_start=np.int64([0, 1000]),
        point=index,
        face=index,
        corner=index,
        origin=np.zeros((1, 3), np.float32),
    )
    bits = np.uint32(rows << 16 | 2).view(np.float32)
    header = np.array([[bits, 0, 0, 1]], np.float32)
    writer.set_header(header)
    while writer.write(5):
        pass
    assert writer.close() == path.stat().st_size

    pixels = np.ascontiguousarray(read(path)[::-1])
    assert pixels.shape == (height, width, 4)
    assert pixels[0, 0, 0].view(np.uint32) == rows << 16 | 2
    for key in range(3):
        texels = pixels[1 + key * rows : 1 + (key + 1) * rows].reshape(-1, 4)
        np.testing.assert_array_equal(texels[:1000, :3], track.frame(key)[0])
        np.testing.assert_array_equal(texels[:1000, 3].view(np.uint32), track.frame(key)[1])
        assert not texels[1000:].any()
