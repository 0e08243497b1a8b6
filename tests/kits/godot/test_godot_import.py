# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the editor makes of a bake's folder."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from truevat.core.engines.godot import MESH, TEXTURE

import moving
from godot_engine import KIT
from godot_subjects import SUBJECTS
from plain_exr import read_exr
from reference_reader import Texture

FORMAT_RGBAF, FORMAT_RGBAH = 11, 15


@pytest.fixture(scope="module")
def found(engine, project, subjects):
    (project / "bakes.json").write_text(json.dumps(list(subjects)), "utf-8")
    engine.godot(project, "-s", "dump.gd")
    return json.loads((project / "dump" / "found.json").read_text("utf-8"))


def raw(project, file, kind, columns):
    return np.fromfile(project / "dump" / file, kind).reshape(-1, columns)


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_texture_is_what_the_file_has(project, found, name):
    bake, subject = found[name], SUBJECTS[name]
    kind, number = ("f2", FORMAT_RGBAH) if subject.pixel == "float16" else ("f4", FORMAT_RGBAF)
    pixels = read_exr(project / "bakes" / name / f"{name}.truevat.exr")
    assert bake["format"] == number and not bake["mipmaps"]
    assert bake["size"] == [pixels.shape[1], pixels.shape[0]]
    image = raw(project, f"{name}.texture", kind, 4).reshape(pixels.shape)
    # Godot's importer makes 0 of halves below the smallest normal one: up to 0.06 mm of an offset.
    smallest = np.finfo(pixels.dtype).tiny if kind == "f2" else 0
    assert (image[::-1] == np.where(np.abs(pixels) < smallest, 0, pixels)).all()


def test_the_editor_keeps_the_settings(project, subjects):
    literal = {True: "true", False: "false"}
    for name in subjects:
        folder = project / "bakes" / name
        for file, settings in ((f"{name}.truevat.exr", TEXTURE), (f"{name}.glb", MESH)):
            lines = (folder / f"{file}.import").read_text("utf-8").splitlines()
            assert any(line.startswith("path=") for line in lines), "it was not imported"
            for key, value in settings.items():
                shown = literal[value] if isinstance(value, bool) else str(value)
                assert f"{key}={shown}" in lines, file


@pytest.mark.parametrize("where", ["glb", "scene"])
@pytest.mark.parametrize("name", SUBJECTS)
def test_the_first_frame_is_the_mesh(project, found, name, where):
    """Vertex by vertex, by the slots that the imported mesh still has."""
    subject = SUBJECTS[name]
    motion = subject.moving.motion
    texture = Texture(project / "bakes" / name / f"{name}.truevat.exr", motion.rest)
    positions = moving.gltf_axes(texture.positions(0))
    normals = moving.gltf_axes(texture.normals(0))
    (mesh,) = found[name][where]
    assert np.allclose(mesh["origin"], moving.gltf_axes(moving.ORIGIN))
    widening = 0
    seen = set()
    for surface in mesh["surfaces"]:
        assert not surface["compressed"]
        points = raw(project, surface["file"] + ".points", "f4", 3)
        uv = raw(project, surface["file"] + ".uv2", "f4", 2)
        assert (uv == np.rint(uv)).all()
        slots = np.int64(uv[:, 0] + 1024 * (1 - uv[:, 1]))
        away = np.abs(points - positions[slots]).max(axis=1)
        # The triangles that widen the bounds say slot 0, and are elsewhere.
        own = (away == 0) | (slots != 0)
        assert away[own].max() == 0
        widening += (~own).sum()
        seen |= set(slots)
        shading = raw(project, surface["file"] + ".normals", "f4", 3)
        cosine = np.einsum("ij,ij->i", shading[own], normals[slots[own]])
        assert np.degrees(np.arccos(np.clip(cosine, -1, 1))).max() < 0.15
    assert widening == 6
    assert seen == set(range(motion.positions.shape[1]))


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_scene(found, name):
    motion = SUBJECTS[name].moving.motion
    bake = found[name]
    assert bake["clips"] == [clip.name for clip in motion.clips]
    (mesh,) = bake["scene"]
    assert not mesh["shadow_mesh"]
    assert all(surface["moves"] for surface in mesh["surfaces"])
    assert {surface["material"] for surface in mesh["surfaces"]} <= set(moving.MATERIALS)
    corners = moving.gltf_axes(np.float64(motion.bounds))
    assert np.allclose(mesh["bounds"], [corners.min(axis=0), corners.max(axis=0)], atol=1e-6)


@pytest.mark.parametrize("name, settings", [("TEXTURE", TEXTURE), ("MESH", MESH)])
def test_the_add_on_has_the_settings_that_the_bake_writes(name, settings):
    text = (KIT / "addons/truevat/editor/importer.gd").read_text("utf-8")
    block = re.search(rf"const {name}_SETTINGS := {{(.*?)}}", text, re.S)[1]
    assert json.loads("{" + block.strip().rstrip(",") + "}") == settings


# -------------------------------------------------------------------------------------------------
# Without the add-on, without .import files, and with files that do not fit


def test_without_the_add_on(engine):
    """The .import files alone make texture and mesh right."""
    folder = engine.make_project("without_add_on", plugin=False)
    SUBJECTS["float_wrapped"].write(folder / "bake")
    log = engine.import_all(folder)
    assert not engine.complaints(log), log
    for file in ("float_wrapped.truevat.exr", "float_wrapped.glb"):
        text = (folder / "bake" / f"{file}.import").read_text("utf-8")
        assert re.search(r'^path="res://', text, re.M)
    text = (folder / "bake" / "float_wrapped.truevat.exr.import").read_text("utf-8")
    assert '"vram_texture": false' in text and "detect_3d/compress_to=0" in text


def test_without_import_files(engine):
    """The add-on corrects what the editor would choose."""
    folder = engine.make_project("without_import_files")
    SUBJECTS["float_wrapped"].write(folder / "bake")
    for file in (folder / "bake").glob("*.import"):
        file.unlink()
    log = engine.import_all(folder)
    assert not engine.complaints(log), log
    texture = (folder / "bake" / "float_wrapped.truevat.exr.import").read_text("utf-8")
    mesh = (folder / "bake" / "float_wrapped.glb.import").read_text("utf-8")
    assert "detect_3d/compress_to=0" in texture and "compress/mode=3" in texture
    assert "meshes/generate_lods=false" in mesh
    assert "meshes/force_disable_compression=true" in mesh


def replaced(kind):
    def change(files, folder):
        other = SUBJECTS["half_wrapped"].write(folder.parent / "other")
        (folder.parent / "other" / ".gdignore").touch()
        files[kind].write_bytes(other[kind].read_bytes())

    return change


def removed(files, folder):
    files["texture"].unlink()


def edited(key, value):
    def change(files, folder):
        content = json.loads(files["sidecar"].read_text("utf-8"))
        content[key] = value
        files["sidecar"].write_text(json.dumps(content), "utf-8")

    return change


def cut(files, folder):
    files["sidecar"].write_text(files["sidecar"].read_text("utf-8")[:200], "utf-8")


BAD = {
    "other_texture": (replaced("texture"), "was imported with other settings"),
    "other_mesh": (replaced("mesh"), "belongs to another bake"),
    "other_id": (edited("bake_id", "0" * 32), "belongs to another bake"),
    "no_texture": (removed, "is missing: copy the bake's whole folder"),
    "newer": (edited("version", 2), "update it"),
    "other_profile": (edited("profile", "openvat"), "--profile truevat"),
    "other_folder": (edited("files", {"texture": {"name": "../x.exr"}}), "in the same folder"),
    "no_clips": (edited("clips", []), "'clips' must be a list"),
    "huge_clip": (
        edited(
            "clips",
            [
                {
                    "name": "x",
                    "first_frame": 0,
                    "frames": 10000,
                    "fps": {"numerator": 24, "denominator": 1},
                }
            ],
        ),
        "more frames than the texture",
    ),
    "no_bounds": (edited("bounds", {"min": [0, 0, "x"]}), "'bounds' must have"),
    "cut_short": (cut, "ERROR: TrueVAT: "),
}


@pytest.fixture(scope="module")
def refused(engine):
    folder = engine.make_project("refused")
    for name, (change, _) in BAD.items():
        place = folder / name / "bake"
        change(SUBJECTS["float_wrapped"].write(place), place)
    return folder, engine.import_all(folder)


@pytest.mark.parametrize("name", BAD)
def test_what_does_not_fit_is_refused(refused, name):
    folder, log = refused
    messages = [line for line in log.splitlines() if f"res://{name}/bake" in line]
    assert any("TrueVAT: " in line and BAD[name][1] in line for line in messages), log
    imported = folder / ".godot" / "imported"
    sidecar = (folder / name / "bake" / "float_wrapped.truevat.json.import").read_text("utf-8")
    assert "valid=false" in sidecar
    assert imported.exists()
