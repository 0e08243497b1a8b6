# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that are no meshes but evaluate to one."""

from __future__ import annotations

import bpy
import pytest
from truevat.core.errors import BakeError

import scenes
from evaluated import bake_it, check, compare, read_frames


def test_a_curve(tmp_path):
    curve = scenes.moving(scenes.curve_object())
    scenes.keyed(curve.data, "bevel_depth", (1, 0.1), (5, 0.4))
    check(tmp_path, ["Curve"])


def test_a_curve_with_a_modifier(tmp_path):
    scenes.wave(scenes.curve_object())
    check(tmp_path, ["Curve"])


def test_a_text(tmp_path):
    words = scenes.moving(scenes.text())
    scenes.keyed(words.data, "extrude", (1, 0.1), (5, 0.6))
    check(tmp_path, ["Text"])


def test_a_surface(tmp_path):
    scenes.wave(scenes.moving(scenes.surface()))
    check(tmp_path, ["Surface"])


def family() -> None:
    """Two metaballs that move together, so that their mesh keeps its counts."""
    for name, x in (("Mball", 0), ("Mball.001", 1.2)):
        obj = scenes.metaball(name)
        obj.location.x = x
    scenes.keyed(bpy.data.metaballs["Mball"].elements[0], "radius", (1, 1.5), (5, 1.55))


def test_the_first_of_a_metaball_family_shows_all_of_it(tmp_path):
    family()
    frames = check(tmp_path, ["Mball"], addresses=["vertex-id"])
    xs = [corner.position[0] for corner in frames[0].triangles]
    assert max(xs) > 1.2 > 0 > min(xs)


@pytest.mark.parametrize("names", [("Mball", "Mball.001"), ("Mball.001", "Mball")])
@pytest.mark.parametrize("address", ["uv", "vertex-id"])
def test_a_metaball_family_selected_as_a_whole_is_baked_once(tmp_path, names, address):
    family()
    expected = read_frames(["Mball"], [1])
    report = bake_it(tmp_path, names, (1, 1), address=address)
    assert report.objects == ["Mball"]
    compare(report, expected, address)
    assert "Mball.001_VAT" not in bpy.data.objects


@pytest.mark.parametrize("address", ["uv", "vertex-id"])
def test_a_later_metaball_alone_is_refused_with_the_name_of_the_first(tmp_path, address):
    family()
    with pytest.raises(BakeError, match=r"'Mball\.001' .*: 'Mball' shows the whole family"):
        bake_it(tmp_path, ["Mball.001"], address=address)


def test_the_first_of_a_family_may_have_a_number_and_dots(tmp_path):
    for name, x in (("a.b.10", 0), ("a.b.9", 1), ("a.c", 8), ("a", -8)):
        scenes.metaball(name).location.x = x
    with pytest.raises(BakeError, match=r"'a\.b\.9' shows the whole family"):
        bake_it(tmp_path, ["a.b.10"])
    frames = check(tmp_path, ["a.b.9"], (1, 1), still=True)
    xs = [corner.position[0] for corner in frames[0].triangles]
    assert -2 < min(xs) < 0 and 1 < max(xs) < 3


def test_a_metaball_without_a_family(tmp_path):
    drop = scenes.metaball("Drop")
    scenes.keyed(drop, "location", (1, (0, 0, 0)), (5, (1, 2, 3)))
    check(tmp_path, ["Drop"])


def test_curves_text_and_meshes_together(tmp_path):
    scenes.moving(scenes.text())
    scenes.moving(scenes.curve_object())
    scenes.wave(scenes.grid())
    scenes.moving(scenes.cube())
    check(tmp_path, ["Text", "Cube", "Curve", "Grid"])
    check(tmp_path / "other", ["Grid", "Text", "Cube", "Curve"])
