# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""truevat.bake(), for scripts."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
import truevat
from truevat.core.errors import BakeError
from truevat.core.frames import FrameRange


@pytest.fixture(autouse=True)
def cubes() -> list[bpy.types.Object]:
    """A, selected, and B, in a collection of its own."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.frame_end = 3
    other = bpy.data.collections.new("Other")
    bpy.context.scene.collection.children.link(other)
    bpy.ops.mesh.primitive_cube_add()
    mesh = bpy.context.object.data
    b = bpy.data.objects.new("B", mesh)
    other.objects.link(b)
    bpy.context.object.name = "A"
    return [bpy.data.objects["A"], b]


def test_selected_objects_and_the_scenes_range(tmp_path: Path) -> None:
    report = truevat.bake(tmp_path, mesh="none", engines=())
    assert (report.objects, report.frames) == (["A"], 3)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["A.truevat.exr", "A.truevat.json"]


def test_objects_by_themselves_or_by_name(tmp_path: Path, cubes: list[bpy.types.Object]) -> None:
    for objects in (cubes, ["A", "B"], ("A", cubes[1]), (cube for cube in cubes)):
        report = truevat.bake(str(tmp_path), objects, mesh="none")
        assert sorted(report.objects) == ["A", "B"]
    assert truevat.bake(tmp_path, "B", mesh="none").objects == ["B"]


def test_an_empty_list_is_not_the_selection(tmp_path: Path) -> None:
    with pytest.raises(BakeError, match="empty"):
        truevat.bake(tmp_path, [])


def test_collection_by_itself_or_by_name(tmp_path: Path) -> None:
    for collection in ("Other", bpy.data.collections["Other"]):
        report = truevat.bake(tmp_path, collection=collection, mesh="none")
        assert report.objects == ["B"]


@pytest.mark.parametrize("frames", ["1:5:2", (1, 5, 2), [1, 5, 2.0], FrameRange(1, 5, 2)])
def test_frames(tmp_path: Path, frames: object) -> None:
    assert truevat.bake(tmp_path, frames=frames, mesh="none").frames == 3


def test_two_frames_are_start_and_end(tmp_path: Path) -> None:
    assert truevat.bake(tmp_path, frames=(2, 5), mesh="none").frames == 4


def test_every_option_of_the_layout(tmp_path: Path) -> None:
    report = truevat.bake(
        tmp_path,
        ["A", "B"],
        mesh="none",
        engines=["godot"],
        pixel="half",
        rows="single",
        normal_texture="none",
        join=False,
    )
    assert report.pixel == "float16"
    assert report.layout.rows_per_frame == 1 and report.layout.normal_rows_per_frame == 0
    assert {"A_VAT", "B_VAT"} <= set(bpy.data.objects.keys())
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["A.truevat.exr", "A.truevat.exr.import", "A.truevat.json"]


def test_the_layout_of_the_original_is_one_word_away(tmp_path: Path) -> None:
    truevat.bake(tmp_path, ["A", "B"], profile="nekovat", mesh="none", engines=())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["A.truevat.json", "A_pos.exr"]
    assert {"A_VAT", "B_VAT"} <= set(bpy.data.objects.keys())


def test_wrong_settings_are_a_bake_error(tmp_path: Path) -> None:
    with pytest.raises(BakeError, match="address 'mail'"):
        truevat.bake(tmp_path, address="mail")
