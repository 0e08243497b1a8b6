# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip and the command, in a real Blender without its window."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import HERE, run_blender


def test_the_zip_is_a_valid_extension(zip_file):
    done = run_blender("--command", "extension", "validate", zip_file)
    assert done.returncode == 0, done.stdout + done.stderr


def test_bake(make_scene, tmp_path):
    scene = make_scene("waves")
    done = run_blender("-b", scene, "-c", "truevat", "bake", "-o", tmp_path / "out", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    # Blender itself has said which version it is and what it reads.
    report = json.loads(done.stdout[done.stdout.index("{") :])
    assert report["frames"] == 17
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "Sheet.fbx",
        "Sheet.fbx.meta",
        "Sheet.glb",
        "Sheet.glb.import",
        "Sheet.truevat.exr",
        "Sheet.truevat.exr.import",
        "Sheet.truevat.exr.meta",
        "Sheet.truevat.js",
        "Sheet.truevat.json",
    ]


def test_a_quiet_blender_leaves_standard_output_to_the_report(make_scene, tmp_path):
    scene = make_scene("waves")
    done = run_blender("-q", "-b", scene, "-c", "truevat", "bake", "-o", tmp_path / "out", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)  # all of it: nothing before, nothing after
    assert report["frames"] == 17
    assert all(Path(file["path"]).is_file() for file in report["files"].values())


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--objects", "Nobody"], 1, "Nobody"),
        (["--max-size", "20000"], 2, "from 1 to 16384"),
        (["--max-size", "100", "--profile", "nekovat"], 2, "power of two"),
        (["--address", "elsewhere"], 2, "elsewhere"),
    ],
)
def test_exit_codes(make_scene, tmp_path, arguments, code, message):
    scene = make_scene("waves")
    done = run_blender("-b", scene, "-c", "truevat", "bake", "-o", tmp_path / "out", *arguments)
    assert done.returncode == code, done.stdout + done.stderr
    assert message in done.stderr
    assert not list(tmp_path.glob("out/*"))


def test_a_fluid(make_scene, tmp_path):
    try:
        scene = make_scene("fluid")
    except AssertionError as error:
        # Debian 13 builds Blender 4.3 with a Python that its Mantaflow does not know.
        if "PyImport_AppendInittab" in str(error):
            pytest.skip("this Blender crashes as soon as it simulates a fluid")
        raise
    arguments = ["bake", "-o", tmp_path / "out", "--address", "vertex-id", "--name", "Splash"]
    done = run_blender("-b", scene, "-c", "truevat", *arguments, "--profile", "nekovat")
    assert done.returncode == 0, done.stdout + done.stderr

    texture = tmp_path / "out" / "Splash_pos.exr"
    arguments = ["-b", scene, "--python-exit-code", "1", "--python", HERE / "compare.py"]
    done = run_blender(*arguments, "--", "Liquid", texture)
    assert done.returncode == 0, done.stdout + done.stderr
