# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders and disks that cannot take a bake."""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
from pathlib import Path

import bpy
import pytest
from truevat.core.errors import BakeError

import scenes
from evaluated import bake_it


@pytest.fixture
def mount(tmp_path):
    """Mounts a small file system in memory; needs root."""
    mounted = []

    def make(options: str) -> Path:
        place = tmp_path / f"mount{len(mounted)}"
        place.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
        if subprocess.run(command, capture_output=True).returncode:
            pytest.skip("file systems cannot be mounted here")
        mounted.append(place)
        return place

    yield make
    # Blender's glTF exporter leaves its file open, which a traceback holds.
    for name in ("last_exc", "last_value", "last_traceback"):
        sys.__dict__.pop(name, None)
    gc.collect()
    for place in mounted:
        subprocess.run(["umount", str(place)], check=True)


@pytest.fixture
def cube():
    return scenes.moving(scenes.cube())


def refused(folder: Path, frames=(1, 5), **options) -> str:
    before = sorted(bpy.data.objects.keys())
    with pytest.raises(BakeError) as error:
        bake_it(folder, ["Cube"], frames, **options)
    assert sorted(bpy.data.objects.keys()) == before
    return str(error.value)


def open_files(folder: Path) -> list[str]:
    """This process's files in the folder, deleted ones too."""
    links = [Path("/proc/self/fd") / name for name in os.listdir("/proc/self/fd")]
    names = [os.readlink(link) for link in links if link.is_symlink()]
    return [name for name in names if name.startswith(str(folder))]


def test_a_missing_folder_is_made_inside_one_that_exists(tmp_path, cube):
    assert bake_it(tmp_path / "new", ["Cube"]).directory == tmp_path / "new"
    text = refused(tmp_path / "no" / "such")
    assert f"{tmp_path / 'no'} does not exist" in text and "make it first" in text
    assert not (tmp_path / "no").exists()


def test_a_file_where_the_folder_should_be(tmp_path, cube):
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        assert "is not a folder" in refused(folder)
    assert (tmp_path / "file").read_text() == "mine"


def test_an_unsaved_file_has_no_folder_of_its_own(cube):
    text = refused(Path("//vat/"))
    assert "'//vat" in text and "not saved yet" in text and "save it" in text


def test_a_folder_relative_to_the_file(tmp_path, cube):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    report = bake_it(Path("//vat/"), ["Cube"])
    assert report.directory == tmp_path / "vat"
    assert (tmp_path / "vat" / "Cube_pos.exr").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(tmp_path, cube):
    tmp_path.chmod(0o500)
    text = refused(tmp_path)
    tmp_path.chmod(0o700)
    assert f"{tmp_path} cannot be written to (Permission denied)" in text


def test_a_read_only_disk(mount, cube):
    place = mount("ro")
    for folder in (place, place / "new"):
        text = refused(folder)
        assert f"{folder} cannot be written to (Read-only file system)" in text
        assert "choose another" in text


@pytest.mark.parametrize("mesh", ["none", "fbx", "glb"])
def test_a_full_disk(mount, cube, mesh):
    place = mount("size=64k")
    cube.modifiers.new("Sub", "SUBSURF").levels = 4
    text = refused(place, (1, 20), mesh=mesh)
    assert str(place) in text and "No space left on device" in text
    assert not list(place.iterdir())


@pytest.mark.filterwarnings("ignore:.*FileIO:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("mesh", ["fbx", "glb"])
def test_a_disk_that_the_mesh_file_fills(mount, cube, mesh):
    """The texture still fits: 1,538 slots in two frames."""
    place = mount("size=160k")
    cube.modifiers.new("Sub", "SUBSURF").levels = 4
    text = refused(place, (1, 2), mesh=mesh, dedup="rest")
    assert f"Cube.{mesh}" in text and "No space left on device" in text
    assert not list(place.iterdir())


def test_a_failed_texture_is_closed_before_its_folder_goes(mount, cube):
    """Windows cannot remove what is open."""
    place = mount("size=64k")
    cube.modifiers.new("Sub", "SUBSURF").levels = 4
    with pytest.raises(BakeError) as error:
        bake_it(place, ["Cube"], (1, 20))
    assert "No space left" in str(error.value)  # which holds on to whatever was used
    assert open_files(place) == []


def test_a_full_disk_keeps_the_last_bake(mount, cube):
    place = mount("size=64k")
    bake_it(place, ["Cube"])
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    cube.modifiers.new("Sub", "SUBSURF").levels = 4
    with pytest.raises(BakeError, match="No space left on device"):
        bake_it(place, ["Cube"], (1, 20))
    assert {path.name: path.read_bytes() for path in place.iterdir()} == before


def test_a_file_larger_than_allowed(tmp_path, cube):
    cube.modifiers.new("Sub", "SUBSURF").levels = 4
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 10, hard))
    try:
        text = refused(tmp_path, (1, 20))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "Cube_pos.exr" in text and "File too large" in text
    assert not list(tmp_path.iterdir())


def test_a_full_disk_for_the_temporary_file(mount, tmp_path, cube):
    place = mount("size=64k")
    cube.modifiers.new("Sub", "SUBSURF").levels = 5
    output = tmp_path / "out"
    text = refused(output, (1, 40), memory=1, scratch=place)
    assert f"temporary file in {place}" in text and "No space left" in text
    assert "memory budget" in text
    assert not output.exists() and not list(place.iterdir())


def test_a_missing_folder_for_the_temporary_file(tmp_path, cube):
    cube.modifiers.new("Sub", "SUBSURF").levels = 5
    text = refused(tmp_path, (1, 40), memory=1, scratch=tmp_path / "nowhere")
    assert "nowhere" in text and "choose another one" in text
