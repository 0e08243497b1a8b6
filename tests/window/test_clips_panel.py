# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of clips follows what is done in the scene, and is baked as it is ticked."""

from __future__ import annotations

import json
import time

import pytest

from blender_window import BlenderWindow, wait_for

SETTINGS = "bpy.context.scene.truevat"
ROWS = f"[row.name for row in getattr({SETTINGS}, {SETTINGS}.clips).rows]"
ESTIMATE = "next(iter(state.estimates.values()), None)"
# The sheet gets actions, as an animator keys them: one is active, the others wait.
KEY = """
obj = bpy.data.objects["Sheet"]
data = obj.animation_data_create()
for number, name in enumerate({names!r}):
    data.action = None
    for frame in (1, 9 + 8 * number):
        obj.location.z = frame / 10
        obj.keyframe_insert("location", index=2, frame=frame)
    data.action.name = name
    data.action.use_fake_user = True
"""


@pytest.fixture
def window(make_scene, open_window) -> BlenderWindow:
    window = open_window(make_scene("waves"))
    window.see(KEY.format(names=["Idle", "Walk", "Run"]))
    return window


def set_clips(window: BlenderWindow, kind: str) -> None:
    window.see(f"{SETTINGS}.clips = {kind!r}")


def wait_for_rows(window: BlenderWindow, *names: str) -> None:
    wait_for(lambda: window.value(ROWS) == list(names), f"the clips {names}")


def wait_for_frames(window: BlenderWindow, frames: int) -> None:
    wait_for(lambda: window.value(f"getattr({ESTIMATE}, 'frames', 0)") == frames, f"{frames}")


def test_actions_are_ticked_and_baked(window, tmp_path):
    set_clips(window, "actions")
    wait_for_rows(window, "Idle", "Run", "Walk")
    wait_for_frames(window, 9 + 17 + 25)
    window.settle()
    window.shot("clips-actions")
    window.see(f"{SETTINGS}.actions.rows['Walk'].use = False")
    window.see(f"{SETTINGS}.actions.rows['Run'].loop = True")
    window.see(f"{SETTINGS}.actions.rows['Run'].use_fps = True")
    window.see(f"{SETTINGS}.actions.rows['Run'].fps = 12")
    window.see(f"{SETTINGS}.actions.active = 1")
    wait_for_frames(window, 9 + 12)
    window.settle()
    window.shot("clips-ticked")

    window.see("bpy.ops.ed.undo_push(message='Ticks')")  # which a click in the panel does itself
    window.click(*window.find_button("bpy.ops.truevat.bake"))
    wait_for(lambda: window.value("state.report is not None or state.error"), "the bake")
    assert not window.value("state.error")
    window.settle()
    window.shot("clips-baked")
    (sidecar,) = tmp_path.glob("vat/*.truevat.json")
    clips = json.loads(sidecar.read_text("utf-8"))["clips"]
    assert [(clip["name"], clip["frames"], clip["loop"]) for clip in clips] == [
        ("Idle", 9, False),
        ("Run", 12, True),
    ]

    x, y, _, height = window.sidebar()
    window.move(x - 300, y + height // 3)
    window.key("ctrl+z")
    wait_for(lambda: "Sheet_VAT" not in window.value("bpy.data.objects.keys()"), "the undo")
    window.settle()
    assert window.value(f"[row.use for row in {SETTINGS}.actions.rows]") == [True, True, False]
    assert window.value(f"{SETTINGS}.actions.rows['Run'].loop")


def test_the_list_follows_the_scene(window):
    set_clips(window, "actions")
    wait_for_rows(window, "Idle", "Run", "Walk")
    window.see(f"{SETTINGS}.actions.rows['Walk'].use = False")
    window.see(KEY.format(names=["Jump"]))
    wait_for_rows(window, "Idle", "Jump", "Run", "Walk")
    window.see("bpy.data.actions['Idle'].name = 'Stand'")
    wait_for_rows(window, "Jump", "Run", "Stand", "Walk")
    window.see("bpy.data.actions.remove(bpy.data.actions['Run'])")
    wait_for_rows(window, "Jump", "Stand", "Walk")
    assert not window.value(f"{SETTINGS}.actions.rows['Walk'].use")

    set_clips(window, "markers")
    wait_for(lambda: window.value(f"isinstance({ESTIMATE}, str)"), "word of missing markers")
    window.settle()
    window.shot("clips-no-markers")
    window.see("bpy.context.scene.timeline_markers.new('Open', frame=0)")
    window.see("bpy.context.scene.timeline_markers.new('Close', frame=8)")
    wait_for_rows(window, "Open", "Close")
    window.see("bpy.context.scene.timeline_markers['Close'].name = 'Shut'")
    wait_for_rows(window, "Open", "Shut")
    window.see("bpy.context.scene.timeline_markers['Shut'].frame = 4")
    wait_for(
        lambda: window.value(f"{SETTINGS}.markers.rows['Shut'].frames") == "4 to 16", "the marker"
    )

    set_clips(window, "ranges")
    window.see("bpy.ops.truevat.clip_add()")
    window.see("bpy.ops.truevat.clip_add()")
    wait_for_frames(window, 17 + 17)
    # What the list's refresh itself changes must not have it refreshed again, and again.
    window.settle()
    estimates = window.value("id(state.estimates)")
    time.sleep(3)
    assert window.value("id(state.estimates)") == estimates
    window.settle()
    window.shot("clips-ranges")
    set_clips(window, "scene")
    window.see(f"{SETTINGS}.clip_loop = True")
    window.see(f"{SETTINGS}.sampling = 'fps'")
    window.see(f"{SETTINGS}.profile = 'nekovat'")
    window.settle()
    window.shot("nekovat")
