# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenVAT's own outputs, from the scenes that they are from."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

import schema
from evaluated import bake_it, go_to
from openvat_reader import Bake, degrees_between, in_blender

GOLDENS = Path(__file__).resolve().parents[3] / "shared" / "goldens" / "openvat"
CASES = {
    "packed_single_row_exr32": {"rows": "single", "pixel": "float", "normal_texture": "packed"},
    "packed_wrapped_exr16": {"rows": "wrap", "pixel": "half", "normal_texture": "packed"},
    "separate_single_row_exr32": {"rows": "single", "pixel": "float", "normal_texture": "separate"},
}
NAME, FRAMES = "Flag", range(1, 11)


@cache
def goldens() -> Path:
    if not GOLDENS.is_dir():
        pytest.skip(f"OPENVAT'S GOLDENS ARE NOT COMPARED: they are not at {GOLDENS}")
    return GOLDENS


def test_every_golden_is_compared():
    assert sorted(path.name for path in goldens().iterdir()) == sorted(CASES)


@pytest.fixture(scope="module", params=CASES)
def golden(request, tmp_path_factory):
    """One case: their files, ours of the same choices, and what Blender shows."""
    folder, choices = goldens() / request.param, CASES[request.param]
    bpy.ops.wm.open_mainfile(filepath=str(folder / "source.blend"))
    ours = bake(tmp_path_factory.mktemp("ours"), **choices)
    rounded = bake(tmp_path_factory.mktemp("rounded"), openvat_rounding=True, **choices)
    positions, normals = evaluated(NAME, FRAMES)
    return SimpleNamespace(
        name=request.param,
        ours=Bake(ours.directory, NAME),
        rounded=Bake(rounded.directory, NAME),
        theirs=Bake(folder, NAME),
        report=ours,
        positions=positions,
        normals=normals,
    )


def bake(folder: Path, **choices):
    return bake_it(folder, [NAME], (1, 10), profile="openvat", mesh="glb", **choices)


def evaluated(name: str, times):
    """(frames, vertices, 3) positions and normals of the mesh that Blender shows."""
    positions, normals = [], []
    for time in times:
        go_to(time)
        obj = bpy.data.objects[name]
        mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        positions.append([vertex.co[:] for vertex in mesh.vertices])
        normals.append([normal.vector[:] for normal in mesh.vertex_normals])
    return np.array(positions, np.float32), np.array(normals, np.float32)


# -------------------------------------------------------------------------------------------------


def test_the_textures_are_alike(golden):
    for ours, theirs in zip(
        (golden.ours.picture, golden.ours.separate),
        (golden.theirs.picture, golden.theirs.separate),
        strict=True,
    ):
        assert (ours is None) == (theirs is None)
        if ours is not None:
            assert (ours.shape[:2], ours.dtype) == (theirs.shape[:2], theirs.dtype)


def test_the_json_has_the_same_keys(golden):
    def kinds(tree):
        if isinstance(tree, dict):
            return [(key, kinds(value)) for key, value in tree.items()]
        return [kinds(value) for value in tree] if isinstance(tree, list) else type(tree)

    assert kinds(golden.ours.remap) == kinds(golden.theirs.remap)
    assert golden.rounded.remap == golden.theirs.remap


def test_the_mesh_has_the_same_order_and_uvs(golden):
    """Triangle by triangle, corner by corner, bit by bit."""
    ours, theirs = golden.ours.corners, golden.theirs.corners
    for uv in ("TEXCOORD_0", "TEXCOORD_1"):
        np.testing.assert_array_equal(ours[uv], theirs[uv])
    # Theirs stands in another frame than the one that offsets are from: heights differ.
    np.testing.assert_array_equal(ours["POSITION"][:, [0, 2]], theirs["POSITION"][:, [0, 2]])
    which = golden.ours.vertices(golden.positions.shape[1])
    np.testing.assert_array_equal(in_blender(ours["POSITION"]), golden.positions[0][which])


def test_every_vertex_is_where_blender_shows_it(golden):
    """Within half a code of the stored type; and closer than in OpenVAT's file."""
    which = golden.ours.vertices(golden.positions.shape[1])
    errors = {"ours": [], "rounded": [], "theirs": []}
    for k in range(len(FRAMES)):
        exact = golden.positions[k].astype(np.float64) - golden.positions[0]
        for name, found in errors.items():
            found.append(abs(getattr(golden, name).offsets(k) - exact[which]))
        for name in ("ours", "rounded"):
            bake = getattr(golden, name)
            low, high = (np.float64(bake.remap["os-remap"][end]) for end in ("Min", "Max"))
            codes = bake.look_up(bake.picture, k).astype(bake.picture.dtype)
            # Offsets are float32, and what is nearly half way between two halves may round up.
            allowed = np.float64(np.spacing(codes)) / 2 * (high - low) * 1.001
            allowed += np.spacing(abs(exact[which]).astype(np.float32))
            assert (errors[name][k] <= allowed).all()
    ours, rounded, theirs = (1000 * np.max(errors[n]) for n in ("ours", "rounded", "theirs"))
    print(
        f"\n{golden.name}: at most {ours:.3g} mm off ({rounded:.3g} mm with OpenVAT's rounding); "
        f"OpenVAT's own file {theirs:.3g} mm"
    )
    assert ours < theirs and rounded < theirs
    error = 1000 * schema.check(golden.report.files["sidecar"])["position"]["error_m"]
    assert ours <= error < ours + 1e-3


def test_every_normal_is_what_blender_shows(golden):
    which = golden.ours.vertices(golden.positions.shape[1])
    worst = {}
    for name in ("ours", "theirs"):
        bake = getattr(golden, name)
        worst[name] = max(
            degrees_between(bake.normals(k), golden.normals[k][which]).max()
            for k in range(len(FRAMES))
        )
    print(f"\n{golden.name}: {worst['ours']:.3g} degrees off; OpenVAT {worst['theirs']:.3g}")
    assert worst["ours"] < worst["theirs"] or golden.ours.picture.dtype == np.float16
    assert worst["ours"] <= schema.check(golden.report.files["sidecar"])["normals"]["error_degrees"]
