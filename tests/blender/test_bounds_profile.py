# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes baked as `bounds`, decoded from what its JSON file says, against what Blender shows."""

from __future__ import annotations

import json

import bpy
import numpy as np
import pytest
from truevat.core.inspect.describe import describe

import schema
from evaluated import bake_it, read_frames
from glb import read_glb
from moving_scenes import CHANGING, CONSTANT, large, two_objects
from plain_exr import read_exr

TIMES = range(1, 6)


def unity(vectors):
    """Vectors of Blender, as its FBX exporter's settings have them arrive in Unity."""
    return np.asarray(vectors)[..., [0, 2, 1]]


class Bake:
    """`positions` and `normals` are (frames, vertices, 3), `normals` None where there are none."""

    def __init__(self, report) -> None:
        self.info = json.loads(report.files["info"].read_text("utf-8"))
        textures = self.info["textures"]
        frames, count = self.info["frame_count"], self.info["vertex_count"]

        def read(role: str):
            texels = read_exr(report.directory / textures[role])
            self.size = texels.shape[1::-1]
            assert texels.shape[0] == frames * self.info.get("rows_per_frame", 1)
            return texels.reshape(frames, -1, 4)[:, :count, :3].astype(np.float64)

        self.low, self.high = (np.array(self.info["bounding_box"][end]) for end in ("min", "max"))
        self.positions = self.low + (self.high - self.low) * read("position")
        self.normals = read("normal") * 2 - 1 if "normal" in textures else None


def compare(bake: Bake, frames, origin, allowed: float, degrees: float) -> None:
    for k, frame in enumerate(frames):
        corners = frame.triangles
        expected = unity(np.reshape([c.position for c in corners], (-1, 3))) - unity(origin)
        found = bake.positions[k]
        assert len(found) >= len(expected)
        error = np.linalg.norm(found[: len(expected)] - expected, axis=1)
        assert error.max(initial=0) <= allowed
        for vertex in found[len(expected) :]:  # a triangle that this frame lacks
            np.testing.assert_array_equal(vertex, found[0] if corners else found[-1])
        directed = [i for i, corner in enumerate(corners) if corner.normal is not None]
        if directed:
            wanted = unity([corners[i].normal for i in directed])
            cross = np.linalg.norm(np.cross(bake.normals[k][directed], wanted), axis=1)
            angle = np.arctan2(cross, (bake.normals[k][directed] * wanted).sum(axis=1))
            assert np.degrees(angle).max() <= degrees


@pytest.mark.parametrize("pixel", ["float", "half"])
@pytest.mark.parametrize("scene", [*CONSTANT, *CHANGING])
def test_every_vertex_is_where_blender_shows_it(tmp_path, scene, pixel):
    names = scene()
    frames = read_frames(names, TIMES)
    address = "vertex-id" if scene in CHANGING else "uv"
    report = bake_it(tmp_path, names, profile="bounds", pixel=pixel, address=address, mesh="glb")
    sidecar = schema.check(report.files["sidecar"])
    bake = Bake(report)
    reach = np.linalg.norm(bake.high - bake.low)
    error = sidecar["position"]["error_m"]
    assert error <= reach * (2.0**-12 if pixel == "half" else 2.0**-24)
    rounding = float(np.spacing(np.float32(abs(np.stack([bake.low, bake.high])).max())))
    degrees = sidecar["normals"]["error_degrees"]
    compare(bake, frames, frames[0].origins[names[0]], error + rounding, degrees)
    shown = [len(frame.triangles) for frame in frames]
    assert bake.info["vertex_count"] == max(shown) == report.slots
    assert bake.size == (max(shown), len(TIMES))
    assert sidecar["constant_topology"] == (scene not in CHANGING)
    assert sidecar["bounds"] == bake.info["bounding_box"]
    assert sidecar["space"]["axes"] == "left-handed, Y up"


@pytest.mark.parametrize("max_size", [4096, 256], ids=["one row", "wrapped"])
def test_the_mesh_file_is_the_first_frame_and_knows_its_texels(tmp_path, max_size):
    names = large() + two_objects()[1:]
    report = bake_it(tmp_path, names, profile="bounds", max_size=max_size, mesh="glb")
    bake = Bake(report)
    ((_, vertices),) = read_glb(report.files["mesh"]).items()
    count = bake.info["vertex_count"]
    assert len(vertices.positions) == count + 6
    width, height = bake.size
    rows = bake.info.get("rows_per_frame", 1)
    assert (rows > 1) == (max_size == 256)
    column = np.floor(vertices.address[:, 0] * np.float32(width)).astype(int)
    row = np.floor((1 - vertices.address[:, 1]) * np.float32(height)).astype(int)
    index = row * width + column
    np.testing.assert_array_equal(np.sort(index[:count]), np.arange(count))
    assert not index[count:].any(), "what widens the bounds becomes a point"
    gltf = bake.positions[0] * np.array([1, 1, -1])  # of Unity's left hand
    np.testing.assert_allclose(vertices.positions[:count], gltf[index[:count]], atol=2e-6)
    layer = bpy.data.objects[f"{names[0]}_VAT"].data.uv_layers[1]
    assert layer.name == "VertexUV" and len(layer.uv) == count


def test_one_playback_mesh_and_info_about_it(tmp_path):
    report = bake_it(tmp_path, two_objects(), profile="bounds", mesh="glb")
    assert [obj.name for obj in bpy.data.objects if obj.name.endswith("_VAT")] == ["Grid_VAT"]
    for role in ("texture", "normals", "info", "sidecar"):
        facts = describe(report.files[role])
        assert facts["layout"] == "bounds" and facts["belong_together"]
    report.files["sidecar"].unlink()
    facts = describe(report.files["normals"])
    assert facts["layout"] == "bounds" and facts["slots"] == report.slots
    assert all(check["ok"] for check in facts["checks"])


def test_without_normals_there_is_one_texture(tmp_path):
    report = bake_it(tmp_path, two_objects(), profile="bounds", normal_texture="none")
    assert not list(tmp_path.glob("*_nml*")) and "normals" not in report.files
    bake = Bake(report)
    assert bake.normals is None and list(bake.info["textures"]) == ["position"]
    assert schema.check(report.files["sidecar"])["normals"]["encoding"] == "none"
