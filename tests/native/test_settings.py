# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings check themselves, and say what is wrong and what would be right."""

from __future__ import annotations

import dataclasses
import math
import re
from fractions import Fraction
from pathlib import Path

import pytest
from truevat.core.errors import BakeError
from truevat.core.frames import FrameRange
from truevat.core.names import check_file_name, safe_file_name
from truevat.core.profiles import PROFILES
from truevat.core.settings import BakeSettings

CHOICES = {
    "profile": ", ".join(PROFILES),
    "address": "uv, vertex-id",
    "normals": "corner, vertex, face",
    "dedup": "trajectory, rest, none",
    "mesh": "auto, fbx, glb, none",
}


def settings(**changed):
    return BakeSettings(**{"output": Path("out"), **changed})


@pytest.mark.parametrize("name", CHOICES)
def test_an_unknown_choice_names_the_known_ones(name):
    message = f"The {name} 'wrong' is unknown; choose one of {CHOICES[name]}"
    with pytest.raises(BakeError, match=f"^{re.escape(message)}$"):
        settings(**{name: "wrong"})
    for choice in CHOICES[name].split(", "):
        assert getattr(settings(**{name: choice}), name) == choice


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"max_size": 0}, "largest side is 0; it must be a number from 1 to 16384"),
        ({"max_size": -4096}, "largest side is -4096; it must be a number"),
        (
            {"max_size": 3000, "profile": "nekovat"},
            "largest side is 3000; it must be a power of two",
        ),
        ({"max_size": 32768}, "largest side is 32768; it must be a number from 1 to 16384"),
        ({"memory": 0}, "The memory budget is 0 MiB; it must be at least 1"),
        ({"memory": -1}, "The memory budget is -1 MiB; it must be at least 1"),
        ({"threads": -1}, "The number of threads is -1; it must not be negative"),
        ({"objects": ("A",), "collection": "B"}, "Name objects or a collection, not both"),
        ({"name": "a/b"}, "'a/b' cannot be a file name"),
        ({"output": " "}, "Choose an output folder"),
    ],
)
def test_a_bad_value_is_explained(changed, message):
    with pytest.raises(BakeError, match=re.escape(message)):
        settings(**changed)


def test_the_ends_of_what_is_allowed():
    for changed in ({"max_size": 1}, {"max_size": 16384}, {"memory": 1}, {"threads": 0}):
        settings(**changed)


def test_defaults_are_the_documented_ones():
    values = dataclasses.asdict(settings())
    expected = {"address": "uv", "normals": "corner", "dedup": "trajectory", "max_size": 4096}
    expected |= {"mesh": "auto", "guard": True, "bounds": True, "memory": 1024, "frames": None}
    assert expected.items() <= values.items()


def test_settings_do_not_change():
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings().memory = 3


def test_rest_positions_go_with_vertex_normals():
    assert settings(dedup="rest").normals_read == "vertex"
    assert settings(dedup="rest", address="vertex-id").normals_read == "corner"
    assert settings(normals="face").normals_read == "face"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((1, 3, 0), "The frame step is 0; it must be above 0"),
        ((1, 3, -1), "The frame step is -1; it must be above 0"),
        ((3, 1), "The frame range is empty: its end 1 is before its start 3"),
        ((math.nan, 3), "The frame range must be finite numbers"),
        ((1, math.inf), "The frame range must be finite numbers"),
        ((1, 3, 1e-9), "The frame step 1e-09 is too small"),
        ((1, 1, 1e-9), "The frame step 1e-09 is too small"),
        ((1, 1001, 0.001), "a range holds at most 1,000,000 frames"),
        ((1, 3, math.nan), "The frame range must be finite numbers"),
        ((1, 1048575), "The frame range leaves Blender's own limit of 1,048,574 frames"),
        ((-1048575, 1), "The frame range leaves Blender's own limit"),
    ],
)
def test_a_bad_range_is_explained(values, message):
    with pytest.raises(BakeError, match=re.escape(message)):
        FrameRange(*values)


@pytest.mark.parametrize("text", ["", "1", "1:2:3:4", "a:b", "1:", ":2", "1-2", "1:2:x"])
def test_a_bad_range_as_text_is_shown(text):
    with pytest.raises(BakeError, match=re.escape(f"'{text}' is no frame range; write START:END")):
        FrameRange.parse(text)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("1:3", [1, 2, 3]),
        ("5:5", [5]),
        ("-2:1", [-2, -1, 0, 1]),
        ("1:10:3", [1, 4, 7, 10]),
        ("1:9:3", [1, 4, 7]),
        ("0:1:0.25", [0, Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), 1]),
        ("0:1:0.1", [Fraction(k, 10) for k in range(11)]),
        ("-0.5:0.5", [Fraction(-1, 2), Fraction(1, 2)]),
        ("1:1e2:33", [1, 34, 67, 100]),
    ],
)
def test_both_ends_are_frames_and_steps_are_exact(text, times):
    assert FrameRange.parse(text).times() == times


def test_a_thousand_thirds_hit_their_end():
    times = FrameRange(0, 1000, 1 / 3).times()
    assert len(times) == 3001 and times[-1] == 1000


@pytest.mark.parametrize("name", ["a", "Suzanne.001", "größe", "日本", "a b", "x" * 200, "é" * 100])
def test_a_good_file_name(name):
    check_file_name(name)


@pytest.mark.parametrize(
    "name",
    ["", " ", ".", "..", " a", "a ", "a.", ".a", "a/b", "a\\b", "a:b", "a*b", "a?b"]
    + ['a"b', "a<b", "a>b", "a|b", "a\nb", "a\0b", "\ud800", "con", "NUL", "Com1", "aux.old"],
)
def test_a_bad_file_name(name):
    with pytest.raises(BakeError, match="cannot be a file name"):
        check_file_name(name)


@pytest.mark.parametrize("name", ["x" * 201, "é" * 101, "日" * 67])
def test_a_file_name_that_is_too_long(name):
    with pytest.raises(BakeError, match="too long for a file; use at most 200 bytes"):
        check_file_name(name)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Cube", "Cube"),
        ("a/b:c", "a_b_c"),
        (" .hidden. ", "hidden"),
        ("aux.001", "_aux.001"),
        ("...", "vat"),
        ("é" * 150, "é" * 100),
    ],
)
def test_any_object_name_gives_a_file_name(name, file):
    assert safe_file_name(name) == file
    check_file_name(file)


def test_meshes_are_what_the_engines_play():
    assert settings().mesh_files == {"mesh": "fbx", "mesh_glb": "glb"}
    assert settings(engines=("godot", "unity")).mesh_files == {"mesh": "fbx", "mesh_glb": "glb"}
    assert settings(engines=("godot", "web")).mesh_files == {"mesh": "glb"}
    assert settings(engines=()).mesh_files == {"mesh": "fbx"}
    assert settings(mesh="glb").mesh_files == {"mesh": "glb"}
    assert settings(mesh="none").mesh_files == {}
