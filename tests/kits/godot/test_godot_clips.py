# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The player's clock, tested in GDScript: each function of project/test_mixer.gd is a test here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent / "project" / "test_mixer.gd"
NAMES = re.findall(r"^func (test_\w+)\(", SCRIPT.read_text("utf-8"), re.M)


@pytest.fixture(scope="module")
def results(engine, project):
    log = engine.godot(project, "-s", "test_mixer.gd")
    assert not engine.complaints(log), log
    return json.loads((project / "mixer.json").read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_clips(results, name):
    assert results[name] == ""
