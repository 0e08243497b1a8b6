# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`truevat info` on the layouts that are not `truevat`, by us and by others."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import OpenEXR
import pytest
from truevat.core.inspect.describe import describe

import pictures
from plain_glb import write_glb
from sidecars import sidecar
from telling import failed, told

GOLDENS = Path(__file__).resolve().parents[3] / "shared" / "goldens" / "openvat"


@pytest.mark.parametrize("guard", [True, False])
def test_nekovat_alone(tmp_path, guard):
    pictures.nekovat(tmp_path / "a_pos.exr", frames=130, rows=3, guard=guard)
    facts, text = told(tmp_path / "a_pos.exr")
    assert (facts["layout"], facts["frames"]["stored"]) == ("nekovat", 130)
    assert facts["texture"]["rows_per_frame"] == 3
    assert ("guarded" if guard else "bare bits") in text and "exact" in text


@pytest.mark.parametrize(("frames", "right"), [(5, True), (6, False)])
def test_nekovat_with_its_sidecar(tmp_path, frames, right):
    path = tmp_path / "a_pos.exr"
    pictures.nekovat(path, frames=frames, rows=2)
    made = sidecar("nekovat") | {"slots": 30}
    made["files"]["texture"]["bytes"] = path.stat().st_size
    made["texture"] |= {"width": 16, "height": 16, "rows_per_frame": 2}
    made["frames"]["stored"] = 5
    (tmp_path / "a.truevat.json").write_text(json.dumps(made))
    facts, _ = told(path)
    assert facts["layout"] == "nekovat"
    assert failed(facts) == ([] if right else ["stored frames in the texture, and in the sidecar"])
    assert facts["belong_together"] is (None if right else False)


@pytest.mark.parametrize("height", [19, 20])
def test_what_only_looks_like_nekovat(tmp_path, height):
    """No row of zeros at the bottom, and more frames than rows."""
    pictures.remapped(tmp_path / "a_pos.exr", 8, height, "float32")
    facts, text = told(tmp_path / "a_pos.exr")
    assert facts["layout"] is None and facts["may_be"] == ["bounds", "openvat"]
    assert "may be bounds or openvat" in text


def test_textures_that_say_nothing(tmp_path):
    pictures.png(tmp_path / "a.png", 40, 30)
    facts, text = told(tmp_path / "a.png")
    assert facts["may_be"] == ["openvat"]
    assert "40 x 30 texels, unorm16 RGBA, PNG" in text
    depth = np.zeros((4, 4), np.float32)
    OpenEXR.File({}, {"Z": depth}).write(str(tmp_path / "z.exr"))
    facts, text = told(tmp_path / "z.exr")
    assert facts["may_be"] == [] and "none of TrueVAT's" in text


def test_openvat(tmp_path):
    pictures.openvat_json(
        tmp_path / "Flag-remap_info.json",
        20,
        Walk={"startFrame": -5, "endFrame": "4", "framerate": "30.0", "looping": True},
    )
    pictures.png(tmp_path / "Flag_vat.png", 100, 40)
    for name in ("Flag_vat.png", "Flag-remap_info.json"):
        facts, text = told(tmp_path / name)
        assert facts["layout"] == "openvat" and facts["frames"]["stored"] == 20
        assert facts["bounds"] == {"min": [-1, -2, 0], "max": [1, 2, 3]}
        assert "in the lower half of the texture" in text
        assert "Walk: 10 frames, -5 to 4 of the scene, 30 fps, 0.333 s, loops" in text
        assert facts["belong_together"] is None
    pictures.png(tmp_path / "Flag_vat.png", 100, 19)
    assert describe(tmp_path / "Flag_vat.png")["belong_together"] is False
    (tmp_path / "Flag_vat.png").unlink()
    assert "there is none beside this file" in told(tmp_path / "Flag-remap_info.json")[1]


@pytest.mark.parametrize(
    ("name", "pixel", "size", "normals"),
    [
        ("packed_single_row_exr32", "float32", (100, 20), {"encoding": "xyz"}),
        ("packed_wrapped_exr16", "float16", (64, 64), {}),
        ("separate_single_row_exr32", "float32", (100, 10), {"in": "Flag_vnrm.exr"}),
    ],
)
def test_openvats_own_files(name, pixel, size, normals):
    if not GOLDENS.is_dir():
        pytest.skip(f"OPENVAT'S OWN FILES NOT TESTED: they are not at {GOLDENS}")
    for file in ("Flag_vat.exr", "Flag-remap_info.json"):
        facts = describe(GOLDENS / name / file)
        assert facts["layout"] == "openvat" and facts["frames"]["stored"] == 10
        texture = facts["texture"]
        assert (texture["width"], texture["height"]) == size and texture["pixel"] == pixel
        assert normals.items() <= facts.get("normals", {}).items()
        assert not failed(facts)


@pytest.mark.parametrize(
    "clips",
    [
        [{"name": "run", "start_frame": 2, "frame_count": 9, "fps": 24, "duration": 0.4}],
        {"run": {"start_frame": 2, "frame_count": 9, "fps": 24, "duration": 0.4}},
    ],
)
def test_bounds(tmp_path, clips):
    pictures.bounds_json(tmp_path / "a_info.json", clips=clips)
    pictures.remapped(tmp_path / "a_pos.exr", 30, 12)
    for name in ("a_info.json", "a_pos.exr"):
        facts, text = told(tmp_path / name)
        assert facts["layout"] == "bounds" and facts["slots"] == 30
        assert "run: 9 frames from 2, 24 fps, 0.333 s" in text
        assert not failed(facts)
    pictures.remapped(tmp_path / "a_pos.exr", 30, 11)
    assert failed(describe(tmp_path / "a_info.json")) == ["frames in the texture"]


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("profile", ["bounds", "openvat"])
def test_our_own_files_of_others_layouts(tmp_path, profile, right):
    """The sidecar and the mesh say more than the layout can."""
    made = sidecar(profile)
    files = {role: tmp_path / file["name"] for role, file in made["files"].items()}
    size = made["texture"]["width"], made["texture"]["height"]
    bake_id = made["bake_id"] if right else "f" * 32
    if profile == "openvat":
        pictures.png(files["texture"], *size)
        write_glb(files["mesh"], "a", [], np.zeros(3), {"truevat_bake": bake_id})
    else:
        pictures.remapped(files["texture"], *size)
        pictures.remapped(files["normals"], *size)
        pictures.bounds_json(files["info"])
        pictures.fbx(files["mesh"], bake_id)
    for role, path in files.items():
        made["files"][role]["bytes"] = path.stat().st_size
    (tmp_path / "a.truevat.json").write_text(json.dumps(made))
    for path in files.values():
        facts = describe(path)
        assert facts["layout"] == profile and facts["belong_together"] is right
        assert failed(facts) == ([] if right else ["bake id in the mesh, and in the rest"])
