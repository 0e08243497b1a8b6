# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The kit's clocks and nodes, tested in GDScript: each function of these scripts is a test here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent / "project"
# What each script is meant to be told.
SCRIPTS = {"test_mixer": [], "test_nodes": ["needs a bake that was joined to one mesh"]}


def read(script: str) -> str:
    return (FOLDER / f"{script}.gd").read_text("utf-8")


TESTS = [
    (script, name)
    for script in SCRIPTS
    for name in re.findall(r"^func (test_\w+)\(", read(script), re.M)
]


@pytest.fixture(scope="module")
def results(engine, project):
    found = {}
    for script, expected in SCRIPTS.items():
        # Only a renderer keeps what the instances of a crowd have.
        renderer = engine.RENDERERS["compatibility"]
        log = engine.godot(project, *renderer, "-s", f"{script}.gd", window=True)
        said = engine.complaints(log)
        assert len(said) == len(expected), log
        assert all(text in line for text, line in zip(expected, said, strict=True)), log
        found[script] = json.loads((project / "tested.json").read_text("utf-8"))
    return found


@pytest.mark.parametrize(("script", "name"), TESTS)
def test_in_godot(results, script, name):
    assert results[script][name] == ""
