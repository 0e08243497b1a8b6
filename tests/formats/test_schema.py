# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/schema/truevat-1.schema.json says what docs/format.md says, and catches mistakes."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator

import jsonschema
import pytest

from schema import VALIDATOR, faults
from sidecars import OTHERS, sidecar

KINDS = {
    "float": {},
    "half": {"pixel": "float16"},
    "float soup": {"soup": True},
    "half soup": {"pixel": "float16", "soup": True},
    **{profile: {"profile": profile} for profile in OTHERS},
}
# What may be left out, and where.
OPTIONAL = {
    r"files/(normals|info)",
    r"texture/normal_row(s_per_frame)?",
    r"clips/\d/seam_error_m",
    r"(clips|objects|meshes|triangles)/\d+",  # one of several
}


def places(value: object, path: tuple = ()) -> Iterator[tuple]:
    """Where all values lie, the inner ones too."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def changed(whole: dict, path: tuple, value: object) -> dict:
    """A copy with another value there; ... takes it out."""
    whole = copy.deepcopy(whole)
    inner = whole
    for key in path[:-1]:
        inner = inner[key]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return whole


@pytest.fixture(params=KINDS)
def valid(request):
    return sidecar(**KINDS[request.param])


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(VALIDATOR.schema)


def test_each_layout_is_valid(valid):
    assert faults(valid) == []


def test_unknown_keys_are_welcome_everywhere(valid):
    for path in [(), *places(valid)]:
        inner = valid
        for key in path:
            inner = inner[key]
        if isinstance(inner, dict) and path[-1:] != ("files",):
            inner["of a later version"] = [1]
    assert faults(valid) == []


def test_nothing_may_be_missing(valid):
    for path in places(valid):
        where = "/".join(map(str, path))
        if not any(re.fullmatch(optional, where) for optional in OPTIONAL):
            assert faults(changed(valid, path, ...)), f"{where} was not missed"


def test_nothing_may_be_of_another_type(valid):
    for path in places(valid):
        wrong = {"wrong": 1} if path != ("files",) else [1]
        assert faults(changed(valid, path, wrong)), f"{path} may be anything"


def test_what_truevat_itself_cannot_leave_out():
    for path in (("texture", "normal_row"), ("texture", "normal_rows_per_frame")):
        assert faults(changed(sidecar(), path, ...))
    assert faults(changed(sidecar(), ("clips", 0, "seam_error_m"), ...))
    assert not faults(sidecar(soup=True))  # where no frame is comparable with another


BAD_NAMES = ["", ".", "..", "../a.exr", "a/b.exr", "a\\b.exr", "C:a.exr", "a\n.exr", "a.exr ", "a."]


@pytest.mark.parametrize("name", BAD_NAMES)
@pytest.mark.parametrize("role", ["texture", "mesh", "info"])
def test_files_have_names_and_no_paths(role, name):
    made = sidecar("bounds")
    assert faults(changed(made, ("files", role, "name"), name))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), "TrueVAT"),
        (("version",), 2),
        (("version",), "1"),
        (("profile",), "houdini"),
        (("bake_id",), "0" * 31),
        (("bake_id",), "0" * 33),
        (("bake_id",), "A" * 32),
        (("mesh_sha256",), "0" * 63),
        (("mesh_sha256",), None),
        (("files", "texture", "bytes"), -1),
        (("files", "texture", "name"), "a.exr"),
        (("files", "mesh", "name"), "a.blend"),
        (("texture", "width"), 0),
        (("texture", "width"), 16385),
        (("texture", "width"), 64.5),
        (("texture", "width"), True),
        (("texture", "header_rows"), 0),
        (("texture", "pixel"), "unorm16"),
        (("texture", "pixel"), "float16"),
        (("texture", "normal_row"), 7),
        (("position", "kind"), "offset"),
        (("position", "error_m"), -1e-9),
        (("normals", "of"), "edge"),
        (("normals", "encoding"), "oct16f"),
        (("normals", "encoding"), "xyz8"),
        (("normals", "error_degrees"), None),
        (("address",), "uv"),
        (("dedup",), "maybe"),
        (("slots",), 0),
        (("frames", "stored"), 0),
        (("frames", "step"), 0),
        (("frames", "fps", "denominator"), 0),
        (("clips",), []),
        (("clips", 0, "name"), ""),
        (("clips", 0, "frames"), 0),
        (("clips", 0, "first_frame"), -1),
        (("clips", 0, "loop"), 1),
        (("constant_topology",), False),
        (("triangles",), [1]),
        (("space", "axes"), "left-handed, Y up"),
        (("space", "unit"), "foot"),
        (("bounds",), None),
        (("bounds", "min"), [0, 0]),
        (("objects",), []),
        (("meshes",), []),
    ],
)
def test_mistakes(path, value):
    assert faults(changed(sidecar(), path, value))


@pytest.mark.parametrize(
    ("profile", "path", "value"),
    [
        ("nekovat", ("texture", "pixel"), "float16"),
        ("nekovat", ("texture", "header_rows"), 0),
        ("nekovat", ("texture", "rows_per_frame"), 16384),
        ("nekovat", ("frames", "stored"), 1),
        ("nekovat", ("normals", "encoding"), "oct24"),
        ("nekovat", ("normals", "guard"), ...),
        ("nekovat", ("address",), "slot"),
        ("nekovat", ("mesh_sha256",), "0" * 64),
        ("bounds", ("position", "kind"), "absolute"),
        ("bounds", ("texture", "pixel"), "unorm16"),
        ("bounds", ("normals", "encoding"), "xyz8"),
        ("openvat", ("position", "kind"), "offset"),
        ("openvat", ("texture", "header_rows"), 1),
        ("openvat", ("address",), "vertex-id"),
    ],
)
def test_mistakes_in_other_layouts(profile, path, value):
    assert faults(changed(sidecar(profile), path, value))
