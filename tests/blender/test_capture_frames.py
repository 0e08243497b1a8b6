# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which frames are baked, and how often the scene is evaluated for that."""

from __future__ import annotations

import json

import bpy
import pytest
from truevat.blender.bake import bake

import scenes
from decoding import Texture
from evaluated import bake_it, check, go_to, settings


@pytest.mark.parametrize(
    "frames",
    [
        (1, 5),
        (-4, 3),
        (-2, -2),
        (1, 3, 0.25),
        (-1.75, 0.5, 0.75),
        (2, 9, 3),
        (1, 10, 3),
        (0.1, 0.4, 0.1),
        (5.5, 8.5),
    ],
)
def test_the_frames_that_were_asked_for(tmp_path, frames):
    obj = scenes.ball()
    scenes.driven(obj, "location", "frame * 0.37", index=0)
    scenes.wave(obj)
    check(tmp_path, ["Ball"], frames, still=frames[0] == frames[1])


def test_by_default_the_range_of_the_scene_with_both_ends(tmp_path):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.frame_step = 3, 12, 2
    obj = scenes.cube()
    scenes.driven(obj, "location", "frame", index=0)
    report = bake_it(tmp_path, ["Cube"], None)
    frames = json.loads(report.files["sidecar"].read_text("utf-8"))["frames"]
    assert (frames["start"], frames["end"], frames["step"]) == (3, 11, 2)
    assert report.frames == frames["stored"] == 5
    scene.frame_step = 1
    assert bake_it(tmp_path, ["Cube"], None).frames == 10


def test_a_single_frame_is_stored_twice(tmp_path):
    scenes.moving(scenes.cube())
    report = bake_it(tmp_path, ["Cube"], (2, 2))
    texture = Texture(report.files["texture"])
    assert (report.frames, texture.frames) == (1, 2)
    first, second = (texture.by_id(report.slots, k)[0] for k in (0, 1))
    assert first.any() and first.tobytes() == second.tobytes()


@pytest.fixture
def evaluated_frames():
    """The times of all evaluations, in their order."""
    times = []

    def note(scene, depsgraph):
        times.append(scene.frame_current_final)

    bpy.app.handlers.frame_change_post.append(note)
    yield times
    bpy.app.handlers.frame_change_post.remove(note)


@pytest.mark.parametrize("address", ["uv", "vertex-id"])
def test_every_frame_is_evaluated_once_for_all_objects(tmp_path, evaluated_frames, address):
    names = []
    for i in range(4):
        scenes.moving(scenes.wave(scenes.grid(f"Grid{i}", 2)))
        names.append(f"Grid{i}")
    go_to(20)
    evaluated_frames.clear()
    bake_it(tmp_path, names, (-1, 6), address=address)
    assert evaluated_frames == [-1, 0, 1, 2, 3, 4, 5, 6, 20]


def test_a_step_skips_frames_where_nothing_is_simulated(tmp_path, evaluated_frames):
    scenes.moving(scenes.cube())
    evaluated_frames.clear()
    bake_it(tmp_path, ["Cube"], (10, 17, 2.5))
    assert evaluated_frames == [10, 12.5, 15, 1]


def test_a_simulation_is_evaluated_once_per_frame_from_its_start(tmp_path, evaluated_frames):
    scenes.moving(scenes.cube())
    obj = scenes.grid()
    obj.modifiers.new("Cloth", "CLOTH").point_cache.frame_start = 3
    evaluated_frames.clear()
    bake_it(tmp_path, ["Grid", "Cube"], (5, 9, 2))
    assert evaluated_frames == [3, 4, 5, 6, 7, 8, 9, 1]


def test_progress_runs_up_and_names_the_frame(tmp_path):
    scenes.moving(scenes.cube())
    seen = []
    bake(bpy.context, settings(tmp_path, ["Cube"], (1, 4)), seen.append)
    fractions = [progress.fraction for progress in seen]
    assert fractions == sorted(fractions) and 0 < fractions[0] and fractions[-1] <= 1
    assert [p.text for p in seen[:4]] == [f"Frame {k}" for k in (1, 2, 3, 4)]
