# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`truevat info`: what a file is, from the file alone and from what lies beside it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import OpenEXR
import pytest
from truevat.core.errors import BakeError
from truevat.core.inspect.describe import describe
from truevat.core.inspect.words import lines

import make
import moving
import pictures
from telling import failed, told


@pytest.fixture
def bake(bakes, tmp_path):
    """A copy of one, that the test may spoil."""

    def copy(variant="float_wrapped", folder=tmp_path):
        folder.mkdir(exist_ok=True)
        return {
            role: Path(shutil.copy(path, folder / f"a{path.name.removeprefix(variant)}"))
            for role, path in bakes[variant].items()
        } | {"sidecar": _renamed(bakes[variant]["sidecar"], variant, folder)}

    return copy


def _renamed(source, variant, folder):
    """The sidecar of files that are called `a` now."""
    content = json.loads(source.read_text())
    for file in content["files"].values():
        file["name"] = f"a{file['name'].removeprefix(variant)}"
    path = folder / "a.truevat.json"
    path.write_text(json.dumps(content))
    return path


def rewrite(path, **values):
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


@pytest.mark.parametrize("variant", make.VARIANTS)
@pytest.mark.parametrize("role", ["texture", "mesh", "sidecar"])
def test_a_whole_bake(bakes, variant, role):
    files = bakes[variant]
    what, pixel, width = make.VARIANTS[variant]
    motion = what().motion
    facts, text = told(files[role])
    assert facts["belong_together"] is True and not failed(facts)
    assert facts["layout"] == "truevat"
    assert (facts["texture"]["width"], facts["texture"]["pixel"]) == (width, pixel)
    assert [clip["name"] for clip in facts["clips"]] == [clip.name for clip in motion.clips]
    assert facts["bounds"]["max"] == motion.bounds[1].tolist()
    assert f"{width} x " in text and f"{pixel} RGBA, uncompressed" in text
    for clip in motion.clips:
        ends = "loops" if clip.loop else "holds its last frame"
        assert f"{clip.name}: {clip.frames} frames from {clip.first_frame}, " in text
        assert ends in text
    precision = "exact" if pixel == "float32" else "mm off"
    assert precision in text
    assert ("changing: frames are never mixed" in text) == (motion.triangles is not None)
    assert "yes: mesh, texture and sidecar are of the same bake" in text


@pytest.mark.parametrize("variant", make.VARIANTS)
def test_a_texture_alone(bakes, variant, tmp_path):
    with_sidecar, _ = told(bakes[variant]["texture"])
    path = Path(shutil.copy(bakes[variant]["texture"], tmp_path / "renamed.exr"))
    facts, text = told(path)
    assert facts["belong_together"] is None and facts["sidecar"] is None
    for key in ("layout", "bake_id", "slots", "constant_topology"):
        assert facts[key] == with_sidecar[key]
    for mine, theirs in zip(facts["clips"], with_sidecar["clips"], strict=True):
        assert mine.items() <= theirs.items()
    assert facts["normals"]["encoding"] == with_sidecar["normals"]["encoding"]
    assert "cannot be told: no sidecar" in text
    assert "24 frames" in text or "10 frames" in text


def test_a_mesh_of_another_bake(bake, bakes):
    files = bake("float_wrapped")
    shutil.copy(bakes["float_single_row"]["mesh"], files["mesh"])
    facts, text = told(files["texture"])
    assert facts["belong_together"] is False
    assert "bake id in the mesh, and in the rest" in failed(facts)
    assert "NO: see what failed" in text and "FAILED: bake id in the mesh" in text


def test_a_texture_of_another_bake_of_the_same_size(bake, tmp_path):
    files = bake("float_wrapped")
    moved = moving.solid_parts()
    moved.motion.positions[3] += 1
    other = moving.write(tmp_path / "other", "a", moved, "float32", 61)
    assert other["texture"].stat().st_size == files["texture"].stat().st_size
    shutil.copy(other["texture"], files["texture"])
    facts, _ = told(files["sidecar"])
    assert facts["belong_together"] is False
    assert failed(facts) == ["bake id in the texture, and in the sidecar"]


def test_a_texture_of_another_width(bake, bakes):
    files = bake("float_wrapped")
    shutil.copy(bakes["float_narrow"]["texture"], files["texture"])
    facts, _ = told(files["sidecar"])
    assert "size and pixels of the texture, and in the sidecar" in failed(facts)


@pytest.mark.parametrize("role", ["texture", "mesh"])
def test_a_file_that_is_missing(bake, role):
    files = bake()
    files[role].unlink()
    facts, text = told(files["sidecar"])
    assert facts["belong_together"] is False
    assert f"({role}): is missing" in text


@pytest.mark.parametrize("role", ["texture", "mesh"])
def test_a_file_that_is_cut_off(bake, role):
    files = bake()
    files[role].write_bytes(files[role].read_bytes()[:-1])
    facts, _ = told(files["sidecar"])
    assert facts["belong_together"] is False
    assert any(what.endswith(f"({role})") for what in failed(facts))


def test_a_texture_whose_rows_were_cut_off(bake):
    """The size in the sidecar fits; the header does not."""
    files = bake()
    height, width, _ = OpenEXR.File(str(files["texture"])).channels()["RGBA"].pixels.shape
    image = np.zeros((height - 1, width, 4), np.float32)
    image[:] = OpenEXR.File(str(files["texture"])).channels()["RGBA"].pixels[1:]
    pictures.write_exr(files["texture"], image[::-1])
    files["sidecar"].unlink()
    facts, _ = told(files["texture"])
    assert failed(facts) == ["size of the texture, and in its header"]


def test_a_mesh_that_carries_no_id(bake):
    files = bake()
    content = files["mesh"].read_bytes().replace(b'"truevat_bake"', b'"truevat_cake"')
    files["mesh"].write_bytes(content)
    facts, text = told(files["sidecar"])
    assert facts["belong_together"] is None
    assert "carries none" in text


def test_no_mesh_at_all(bake):
    files = bake()
    content = json.loads(files["sidecar"].read_text())
    del content["files"]["mesh"]
    rewrite(files["sidecar"], files=content["files"], mesh_sha256=None, meshes=[])
    facts, text = told(files["sidecar"])
    assert facts["belong_together"] is None and facts["mesh"] is None
    assert "no mesh file was written" in text


@pytest.mark.parametrize("right", [True, False])
def test_an_id_in_an_fbx(bake, right):
    files = bake()
    content = json.loads(files["sidecar"].read_text())
    bake_id = content["bake_id"] if right else "0" * 32
    fbx = files["mesh"].with_suffix(".fbx")
    pictures.fbx(fbx, bake_id)
    content["files"]["mesh"] = {"name": fbx.name, "bytes": fbx.stat().st_size}
    rewrite(files["sidecar"], files=content["files"])
    assert describe(files["texture"])["belong_together"] is right


def test_mesh_and_texture_without_a_sidecar(bake, bakes):
    files = bake()
    files["sidecar"].unlink()
    facts, text = told(files["texture"])
    assert facts["belong_together"] is True and facts["mesh"] == "a.glb"
    assert "yes: mesh and texture are of the same bake" in text
    shutil.copy(bakes["half_wrapped"]["mesh"], files["mesh"])
    assert failed(describe(files["texture"])) == ["bake id in the mesh, and in the rest"]


def test_a_broken_sidecar_does_not_hide_the_texture(bake):
    files = bake()
    files["sidecar"].write_text("{")
    facts, text = told(files["texture"])
    assert facts["slots"] == 291 and facts["sidecar"] is None
    assert "a.truevat.json' is no JSON file" in text
    with pytest.raises(BakeError, match="no JSON file"):
        describe(files["sidecar"])


def test_a_sidecar_of_a_later_version(bake):
    files = bake()
    rewrite(files["sidecar"], version=2)
    with pytest.raises(BakeError, match="later TrueVAT"):
        describe(files["sidecar"])


@pytest.mark.parametrize(("word", "value"), [(1, 2), (2, 1)])
def test_a_texture_of_a_later_version(bake, word, value):
    files = bake()
    image = OpenEXR.File(str(files["texture"])).channels()["RGBA"].pixels[::-1].copy()
    image[0, word] = value, 0, 0, 0
    pictures.write_exr(files["texture"], image)
    files["sidecar"].unlink()
    with pytest.raises(BakeError, match="later format"):
        describe(files["texture"])


@pytest.mark.parametrize(
    ("word", "texel"),
    [
        (3, (0.5, 0, 0, 0)),
        (3, (1024, 0, 0, 0)),
        (7, (-1, 0, 0, 0)),
        (7, (0, 0, 0, 4)),
        (9, (0, 0, 0, 0)),
        (10, (0, 0, 0, 0)),
        (11, (2, 0, 0, 0)),
        (12, (3, 0, 0, 0)),
        (15, (0, 0, 0, 0)),
        (15, (0, 1, 0, 0)),
        (16, (4, 0, 0, 0)),
        (17, (31, 0, 0, 0)),
        (18, (0, 0, 1016, 1)),
        (28, (2, 0, 0, 0)),
        (32 + 2, (0, 0, 0, 0)),
        (32 + 8 + 3, (0, 0, 0, 0)),
    ],
)
def test_a_header_that_is_damaged(bake, word, texel):
    files = bake()
    image = OpenEXR.File(str(files["texture"])).channels()["RGBA"].pixels[::-1].copy()
    image[0, word] = texel
    pictures.write_exr(files["texture"], image)
    facts, _ = told(files["sidecar"])
    assert failed(facts) == ["header of the texture"]
    files["sidecar"].unlink()
    with pytest.raises(BakeError, match="its header is damaged"):
        describe(files["texture"])


def test_a_truevat_texture_under_a_nekovat_sidecar(bake):
    files = bake()
    rewrite(files["sidecar"], profile="nekovat")
    assert "header of the texture" in failed(describe(files["sidecar"]))


def test_what_it_is_not(tmp_path):
    (tmp_path / "a.fbx").write_bytes(b"Kaydara FBX Binary")
    (tmp_path / "a.json").write_text('{"a": 1}')
    for name, why in (("a.fbx", "no sidecar beside it"), ("a.json", "is no sidecar")):
        with pytest.raises(BakeError, match=why):
            describe(tmp_path / name)
    for path in (tmp_path, tmp_path / "none.exr", tmp_path / "none.json", Path("a\0b.exr")):
        with pytest.raises(BakeError, match="There is no file"):
            describe(path)


def command(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "truevat", "info", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def test_the_command(bakes, tmp_path):
    texture = bakes["half_soup"]["texture"]
    done = command(texture)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == lines(describe(texture))
    done = command(texture, "--json")
    assert done.returncode == 0
    facts = json.loads(done.stdout)
    assert facts["belong_together"] is True
    assert facts["clips"][1]["fps"] == {"numerator": 12, "denominator": 1}
    done = command(tmp_path / "none.exr")
    assert done.returncode == 1 and "There is no file" in done.stderr and not done.stdout
    assert command().returncode == 2
    assert command(texture, "--wrong").returncode == 2
