# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON beside the texture, and the report of a bake."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
import truevat_native as native
from truevat.core import sidecar
from truevat.core.meshes import playback_objects
from truevat.core.profiles.base import ClipRows
from truevat.core.report import Report, peak_memory

from schema import faults
from synthetic import grid, make_baker, part, snapshot, translation


def described(
    tmp_path, *, groups=("A", "B"), frames=4, step=Fraction(1), source="scene.blend", **settings
):
    """A bake of one grid per group; the last group has none if its name is "empty"."""
    topology, points = grid(2, 1)
    shown = [name for name in groups if name != "empty"]
    snaps = [
        snapshot(topology, points, group, translation(10 * group, 0, 0))
        for group in range(len(shown))
    ]
    origins = np.float32([[10 * group, 0, 0] for group in range(len(groups))])
    times = [Fraction(1) + k * step for k in range(frames)]
    made = [[part(snap) for snap in snaps] for _ in times]
    clips = [ClipRows("Clip", 0, frames, Fraction(24) / step, False)]
    baker = make_baker(snaps, made, groups, origins, times, clips=clips, **settings)
    plan = baker.plan()
    suffix = ".truevat.exr" if baker.settings.profile == "truevat" else "_pos.exr"
    files = {"texture": tmp_path / f"a{suffix}", "mesh": tmp_path / "a.fbx"}
    if not shown:
        del files["mesh"]
    for path in files.values():
        path.write_bytes(b"12345")
    facts = sidecar.Facts(
        times=times,
        clips=[sidecar.SceneClip(times[0], times[-1])],
        objects=groups,
        own_origins=origins,
        position_error=baker.position_error,
        mesh_hash="ab" * 32 if shown else None,
        meshes=playback_objects(baker.settings, plan, snaps, "a", groups, for_file=True)
        if shown
        else [],
        source=source,
        blender="5.2.0",
    )
    said = sidecar.describe(baker.settings, plan, 0, facts, files)
    assert not faults(json.loads(json.dumps(said)))
    return plan, said


def test_it_says_all_that_an_importer_needs(tmp_path):
    plan, said = described(tmp_path)
    assert said == {
        "format": "truevat",
        "version": 1,
        "profile": "nekovat",
        "bake_id": plan.bake_id,
        "files": {
            "texture": {"name": "a_pos.exr", "bytes": 5},
            "mesh": {"name": "a.fbx", "bytes": 5},
        },
        "mesh_sha256": "ab" * 32,
        "texture": {
            "width": 16,
            "height": 8,
            "rows_per_frame": 1,
            "header_rows": 1,
            "pixel": "float32",
            "normal_row": 0,
            "normal_rows_per_frame": 0,
        },
        "position": {"kind": "absolute", "error_m": 0.0},
        "address": "uv",
        "normals": {"of": "corner", "encoding": "xyz8", "guard": True, "error_degrees": 0.8},
        "dedup": "trajectory",
        "samples": 16,
        "slots": 12,
        "frames": {
            "stored": 4,
            "start": 1.0,
            "end": 4.0,
            "step": 1.0,
            "fps": {"numerator": 24, "denominator": 1},
        },
        "clips": [
            {
                "name": "Clip",
                "first_frame": 0,
                "frames": 4,
                "fps": {"numerator": 24, "denominator": 1},
                "loop": False,
                "start": 1.0,
                "end": 4.0,
                "bounds": {"min": [0.0, 0.0, 0.0], "max": [2.0, 1.0, 0.0]},
            }
        ],
        "constant_topology": True,
        "space": {"axes": "right-handed, Z up", "unit": "metre", "origin": "object"},
        "bounds": {"min": [0.0, 0.0, 0.0], "max": [2.0, 1.0, 0.0]},
        "objects": [
            {
                "name": "A",
                "origin": [0.0, 0.0, 0.0],
                "bounds": {"min": [0.0, 0.0, 0.0], "max": [2.0, 1.0, 0.0]},
            },
            {
                "name": "B",
                "origin": [10.0, 0.0, 0.0],
                "bounds": {"min": [10.0, 0.0, 0.0], "max": [12.0, 1.0, 0.0]},
            },
        ],
        "meshes": [
            {"name": "A_VAT", "origin": [0.0, 0.0, 0.0], "triangles": 4},
            {"name": "B_VAT", "origin": [10.0, 0.0, 0.0], "triangles": 4},
        ],
        "source": "scene.blend",
        "generator": {"name": "TrueVAT", "version": native.__version__, "blender": "5.2.0"},
    }


def test_one_mesh_has_the_first_object_s_origin(tmp_path):
    _, said = described(tmp_path, profile="truevat", pixel="float")
    assert said["meshes"] == [{"name": "a_VAT", "origin": [0.0, 0.0, 0.0], "triangles": 8}]
    assert said["bounds"] == {"min": [0.0, 0.0, 0.0], "max": [12.0, 1.0, 0.0]}
    assert said["address"] == "slot"
    assert said["normals"] == {"of": "corner", "encoding": "oct24", "error_degrees": 0.06}


def test_vertex_id_is_in_world_space_and_shares_nothing(tmp_path):
    _, said = described(tmp_path, address="vertex-id")
    assert said["space"]["origin"] == "world"
    assert said["dedup"] == "none"
    assert said["slots"] == said["samples"] == 24


def test_it_says_which_normals_were_read(tmp_path):
    assert described(tmp_path, dedup="rest")[1]["normals"]["of"] == "vertex"
    assert described(tmp_path, normals="face")[1]["normals"]["of"] == "face"


def test_steps_are_in_the_rate_and_one_frame_is_stored_twice(tmp_path):
    _, said = described(tmp_path, step=Fraction(1, 2))
    assert said["frames"]["step"] == 0.5
    assert said["frames"]["fps"] == {"numerator": 48, "denominator": 1}
    _, said = described(tmp_path, frames=1)
    assert (said["frames"]["stored"], said["frames"]["step"]) == (2, 1.0)


def test_an_object_that_shows_nothing_has_no_bounds(tmp_path):
    """A metaball that the first one of its family shows."""
    _, said = described(tmp_path, groups=("A", "empty"))
    assert said["objects"][1]["bounds"] is None
    assert said["bounds"] == {"min": [0.0, 0.0, 0.0], "max": [2.0, 1.0, 0.0]}
    sidecar.write(tmp_path / "a.json", said)
    _, said = described(tmp_path, groups=("empty",), address="vertex-id")
    assert said["bounds"] is None


def test_two_writings_have_the_same_bytes(tmp_path):
    paths = [tmp_path / "1.json", tmp_path / "2.json"]
    for path in paths:
        sidecar.write(path, described(tmp_path, groups=("größe", "日本"))[1])
    assert paths[0].read_bytes() == paths[1].read_bytes()
    text = paths[0].read_text("utf-8")
    assert text.endswith("}\n") and "größe" in text
    assert json.loads(text) == described(tmp_path, groups=("größe", "日本"))[1]


def test_a_file_whose_name_is_not_utf8(tmp_path):
    source = b"gr\xf6\xdfe.blend".decode(errors="surrogateescape")
    _, said = described(tmp_path, source=source)
    sidecar.write(tmp_path / "a.json", said)
    assert json.loads((tmp_path / "a.json").read_text("utf-8"))["source"] == "gr??e.blend"


def test_what_json_cannot_say_is_refused(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        sidecar.write(tmp_path / "a.json", {"value": float("inf")})


def test_the_report_says_it_in_a_line_and_as_json(tmp_path):
    plan, _ = described(tmp_path)
    report = Report(
        directory=tmp_path,
        files={"texture": tmp_path / "a_pos.exr"},
        bake_id=plan.bake_id,
        objects=["A", "B"],
        layout=plan.layout,
        pixel=plan.pixel,
        frames=plan.frames,
        samples=plan.samples,
        slots=plan.slots,
        seconds={"evaluate": 1.25, "texture": 0.123456},
        peak_memory=peak_memory(),
        warnings=["w"],
    )
    assert report.summary == (
        "4 frames, 12 slots for 16 samples, 16 x 8 texels of float32, 0.0 MB, 1.4 s"
    )
    said = json.loads(json.dumps(report.to_json()))
    path = str(tmp_path / "a_pos.exr")
    assert said["files"] == {"texture": {"path": path, "bytes": 5}}
    assert said["texture"] == {
        "width": 16,
        "height": 8,
        "rows_per_frame": 1,
        "header_rows": 1,
        "normal_row": 0,
        "normal_rows_per_frame": 0,
        "by_block": False,
        "from_top": False,
        "pixel": "float32",
    }
    assert said["seconds"] == {"evaluate": 1.25, "texture": 0.1235}
    assert said["peak_memory_bytes"] > 10_000_000
    assert said["warnings"] == ["w"]
