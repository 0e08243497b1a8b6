# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""PNG of 16 bits, which Blender writes and a reader of the tests' own reads."""

from __future__ import annotations

import bpy
import numpy as np
import OpenEXR
import pytest
from truevat.core.inspect.describe import describe

import scenes
import schema
from evaluated import bake_it, go_to
from openvat_reader import Bake, in_blender, read_png

FRAMES = range(1, 6)


@pytest.fixture
def names():
    """One object that moves along all axes."""
    obj = scenes.moving(scenes.wave(scenes.grid("Sheet", cells=9)))
    obj.rotation_euler = (0.3, 0.2, 0.1)
    return [obj.name]


def shown(name: str):
    """(frames, vertices, 3) in world space."""
    positions = []
    for time in FRAMES:
        go_to(time)
        obj = bpy.data.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get())
        positions.append([(obj.matrix_world @ vertex.co)[:] for vertex in obj.data.vertices])
    return np.array(positions)


@pytest.mark.parametrize("normals", ["packed", "separate", "none"])
@pytest.mark.parametrize("rows", ["single", "wrap"])
def test_codes_are_the_nearest(tmp_path, names, rows, normals):
    same = {"profile": "openvat", "rows": rows, "normal_texture": normals}
    before = {image.name for image in bpy.data.images}
    png = bake_it(tmp_path / "png", names, pixel="png16", **same)
    exact = bake_it(tmp_path / "exr", names, pixel="float", **same)
    assert {image.name for image in bpy.data.images} == before
    assert png.pixel == "unorm16"
    assert not [path for path in png.directory.iterdir() if path.suffix == ".exr"]
    for role in ("texture", "normals") if normals == "separate" else ("texture",):
        (channel,) = OpenEXR.File(str(exact.files[role])).channels().values()
        codes = channel.pixels.astype(np.float64) * 65535
        found = read_png(png.files[role])
        assert len(np.unique(found)) > 200
        assert abs(found - codes).max() <= 0.51  # a float32 times 65535
        np.testing.assert_array_equal(found[..., 3], codes[..., 3])


@pytest.mark.parametrize("rows", ["single", "wrap"])
def test_readers_find_what_blender_shows(tmp_path, names, rows):
    expected = shown(names[0])
    report = bake_it(tmp_path, names, pixel="png16", profile="openvat", rows=rows, mesh="glb")
    bake = Bake(tmp_path, names[0])
    low, high = (np.array(bake.remap["os-remap"][end]) for end in ("Min", "Max"))
    assert (high > low + 0.05).all()
    which = bake.vertices(expected.shape[1])
    rest = in_blender(bake.corners["POSITION"])
    for k in range(len(FRAMES)):
        moved = expected[k] - expected[0]
        error = abs(bake.offsets(k) - moved[which])
        assert (error <= (high - low) / (2 * 65535) * 1.02 + 1e-6).all()
    np.testing.assert_allclose(
        rest - rest[0], (expected[0] - expected[0][which[0]])[which], atol=1e-6
    )
    sidecar = schema.check(report.files["sidecar"])
    assert sidecar["texture"]["pixel"] == "unorm16"
    assert 0 < sidecar["position"]["error_m"] < 1e-5 * np.linalg.norm(high - low) + 1e-6


def test_info_knows_it(tmp_path, names):
    report = bake_it(tmp_path, names, pixel="png16", profile="openvat", mesh="glb")
    for role in ("texture", "remap_info", "sidecar"):
        facts = describe(report.files[role])
        assert facts["layout"] == "openvat" and facts["belong_together"]
    report.files["sidecar"].unlink()
    facts = describe(report.files["texture"])
    assert facts["layout"] == "openvat" and facts["texture"]["pixel"] == "unorm16"


def test_the_same_bake_gives_the_same_bytes(tmp_path, names):
    first, second = (
        bake_it(tmp_path / name, names, profile="openvat", pixel="png16").files["texture"]
        for name in ("first", "second")
    )
    assert first.read_bytes() == second.read_bytes()
