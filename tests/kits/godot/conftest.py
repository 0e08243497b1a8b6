# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One Godot project with the add-on and a bake of every kind, imported once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[2]
sys.path += [str(TESTS / "formats"), str(TESTS / "kits" / "shaders")]

import godot_engine  # noqa: E402
import godot_subjects  # noqa: E402


@pytest.fixture(scope="session")
def engine():
    """Godot itself, or a skip that says why there is none."""
    reason = godot_engine.missing()
    if reason:
        print(f"\n*** SKIPPED: Godot: {reason} ***\n", file=sys.__stderr__)
        pytest.skip(reason)
    return godot_engine


@pytest.fixture(scope="session")
def subjects():
    return godot_subjects.SUBJECTS


@pytest.fixture(scope="session")
def project(engine, subjects):
    """Imported from scratch, by the editor, with nothing but what a bake leaves."""
    folder = engine.make_project("project")
    for subject in subjects.values():
        subject.write(folder / "bakes" / subject.name)
    godot_subjects.write_without_normals(folder / "bakes" / "without_normals")
    log = engine.import_all(folder)
    assert not engine.complaints(log), log
    return folder


@pytest.fixture(scope="session")
def machine():
    from machine import Machine

    return Machine()
