# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake VAT as an artist does it: with the mouse, in the sidebar of the 3D view."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from blender_window import BlenderWindow, wait_for

BAKE = "bpy.ops.truevat.bake"
# Everything that a bake must leave as it was.
SNAPSHOT = """
scene, layer = bpy.context.scene, bpy.context.view_layer
answer = repr((
    scene.name, scene.frame_current, scene.frame_subframe, bpy.context.window.scene.name,
    bpy.context.mode, layer.objects.active.name, sorted(o.name for o in layer.objects.selected),
    [(o.name, o.data.name, [list(row) for row in o.matrix_world], o.hide_get(), len(o.modifiers))
     for o in bpy.data.objects if not o.name.endswith("_VAT")],
    [len(getattr(bpy.data, kind)) for kind in ("scenes", "collections", "materials", "images")],
    [(m.name, len(m.vertices)) for m in bpy.data.meshes if not m.name.endswith("_VAT")],
))
"""
OBJECTS = "sorted(o.name for o in bpy.data.objects)"


def start(window: BlenderWindow) -> None:
    window.click(*window.find_button(BAKE))


def running(window: BlenderWindow) -> bool:
    return window.value("state.running")


def wait_for_progress(window: BlenderWindow) -> float:
    fraction = "state.progress.fraction if state.progress else 0"
    return wait_for(lambda: window.value(fraction), "the first progress")


def wait_for_end(window: BlenderWindow, seconds: float = 60) -> None:
    wait_for(lambda: not running(window), "the end of the bake", seconds)


def pointer_over_view(window: BlenderWindow) -> None:
    x, y, _, height = window.sidebar()
    window.move(x - 300, y + height // 3)


def time_of(action: Callable[[], object]) -> float:
    start = time.monotonic()
    action()
    return time.monotonic() - start


def test_a_bake_and_its_undo(make_scene, open_window):
    scene = make_scene("waves")
    window = open_window(scene)

    # An edit of the user's own, which no undo of the bake may take along.
    pointer_over_view(window)
    window.key("g", "x", "2", "Return")
    wait_for(lambda: window.value("bpy.context.object.location.x") == 2, "the user's edit")
    before, objects = window.see(SNAPSHOT), window.value(OBJECTS)

    start(window)
    wait_for(lambda: window.value("state.report is not None"), "the bake")
    window.settle()
    window.shot("baked")
    assert window.see(SNAPSHOT) == before
    assert window.value(OBJECTS) == sorted([*objects, "Sheet_VAT"])
    folder = scene.parent / "vat"
    assert sorted(path.name for path in folder.iterdir()) == [
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
    assert json.loads((folder / "Sheet.truevat.json").read_text("utf-8"))["objects"]

    pointer_over_view(window)
    window.key("ctrl+z")
    wait_for(lambda: window.value(OBJECTS) == objects, "the undo")
    window.settle()
    window.shot("undone")
    assert window.see(SNAPSHOT) == before
    assert not window.value("[m.name for m in bpy.data.meshes if m.name.endswith('_VAT')]")

    window.key("ctrl+shift+z")
    wait_for(lambda: "Sheet_VAT" in window.value(OBJECTS), "the redo")
    window.key("ctrl+z")
    wait_for(lambda: window.value(OBJECTS) == objects, "the second undo")
    window.key("ctrl+z")
    wait_for(lambda: window.value("bpy.context.object.location.x") == 0, "the undo of the edit")


def test_progress_and_escape(make_scene, open_window):
    scene = make_scene("long")
    window = open_window(scene)
    before, objects = window.see(SNAPSHOT), window.value(OBJECTS)

    start(window)
    wait_for(lambda: wait_for_progress(window) > 0.1, "a tenth of the bake")
    window.shot("progress")
    assert window.value("obstacle(bpy.context)").startswith("A bake is running")
    assert not window.value(f"{BAKE}.poll()")

    # Without a graphics card, drawing the window takes most of a turn.
    turn = max(time_of(lambda: window.see("")) for _ in range(5))
    # Any other key or click waits for the end: it must not change what is being baked.
    pointer_over_view(window)
    window.key("x", "Tab")
    window.key("Escape")
    seconds = time_of(lambda: wait_for_end(window))
    window.settle()
    window.shot("cancelled")
    assert window.see(SNAPSHOT) == before
    assert window.value(OBJECTS) == objects
    folder = scene.parent / "vat"
    assert not folder.exists() or not list(folder.iterdir())
    assert seconds < 0.2 + turn

    start(window)
    wait_for_progress(window)
    wait_for_end(window, 120)
    window.settle()
    window.shot("baked-long")
    assert window.value("state.report is not None")
    assert window.value(OBJECTS) == sorted([*objects, "Sheet_VAT"])


def test_another_file_is_loaded_during_a_bake(make_scene, open_window):
    scene = make_scene("long")
    window = open_window(scene)
    start(window)
    wait_for_progress(window)
    load = f"bpy.ops.wm.open_mainfile(filepath={str(scene)!r}) and None"
    window.see(f"bpy.app.timers.register(lambda: {load})")
    wait_for_end(window)
    wait_for(lambda: window.value("len(state.estimates)"), "the file")
    assert not (scene.parent / "vat").exists()
    assert window.value(f"{BAKE}.poll()")


def test_the_estimate_follows_what_is_done(make_scene, open_window):
    window = open_window(make_scene("waves"))
    estimate = "next(iter(state.estimates.values()), None)"

    def wait_for_slots(slots: int) -> None:
        wait_for(lambda: window.value(f"getattr({estimate}, 'slots', 0)") == slots, f"{slots}")

    wait_for_slots(24 * 24 * 4)
    window.see("bpy.data.objects['Cube'].select_set(True)")
    wait_for_slots(24 * 24 * 4 + 24)
    window.see("bpy.context.object.modifiers.new('Triangulate', 'TRIANGULATE')")
    wait_for_slots(24 * 24 * 6 + 24)
    window.see("bpy.context.scene.truevat.address = 'vertex-id'")
    wait_for_slots(24 * 24 * 6 + 36)
    window.see("bpy.context.scene.frame_end = 3")
    # A header and four frames, a row each
    wait_for(lambda: window.value(f"{estimate}.height") == 5, "a smaller texture")
    window.see("bpy.context.window.scene = bpy.data.scenes.new('Empty')")
    wait_for(lambda: window.value(f"isinstance({estimate}, str)"), "a reason against")


def test_a_script_waits_for_its_bake(make_scene, open_window):
    scene = make_scene("waves")
    window = open_window(scene)
    assert window.value(f"list({BAKE}())") == ["FINISHED"]
    assert (scene.parent / "vat" / "Sheet.truevat.exr").exists()


def test_nothing_selected(make_scene, open_window):
    window = open_window(make_scene("waves"))
    pointer_over_view(window)
    window.key("alt+a")
    wait_for(lambda: not window.value(f"{BAKE}.poll()"), "the selection to be empty")
    window.settle()
    window.shot("nothing-selected")
    with pytest.raises(AssertionError, match="Select the objects to bake"):
        window.see(f"{BAKE}()")


def test_an_unsaved_file(open_window):
    window = open_window(None)
    window.settle()
    window.shot("unsaved")
    with pytest.raises(AssertionError, match="relative to the .blend, which is not saved yet"):
        window.see(f"{BAKE}()")


def test_an_error_in_the_middle_of_a_bake(make_scene, open_window):
    scene = make_scene("waves")
    (scene.parent / "vat").write_text("not a folder")
    window = open_window(scene)
    before, objects = window.see(SNAPSHOT), window.value(OBJECTS)
    start(window)
    wait_for(lambda: window.value("state.error"), "the error")
    window.settle()
    window.shot("error")
    assert window.see(SNAPSHOT) == before
    assert window.value(OBJECTS) == objects


def test_settings_survive_save_and_load(make_scene, open_window):
    scene = make_scene("waves")
    window = open_window(scene)
    settings = {
        "source": "collection",
        "frames": "custom",
        "frame_start": -1.5,
        "frame_end": 8.0,
        "frame_step": 0.5,
        "address": "vertex-id",
        "normals": "face",
        "dedup": "none",
        "max_size": "2048",
        "guard": False,
        "bounds": False,
        "profile": "truevat",
        "pixel": "half",
        "tolerance": 2.5,
        "rows": "wrap",
        "normal_texture": "packed",
        "join": "one",
        "engine_unity": False,
        "engine_godot": False,
        "mesh": "glb",
        "file_name": "Paper",
        "output": "//elsewhere/",
        "render_settings": True,
    }
    for name, value in settings.items():
        window.see(f"bpy.context.scene.truevat.{name} = {value!r}")
    window.see("bpy.context.scene.truevat.collection = bpy.data.collections['Collection']")
    pointer_over_view(window)
    saved = scene.stat().st_mtime_ns
    window.key("ctrl+s")
    wait_for(lambda: scene.stat().st_mtime_ns != saved, "the file")
    window.settle()
    window.close()

    window = open_window(scene)
    for name, value in settings.items():
        assert window.value(f"bpy.context.scene.truevat.{name}") == value
    assert window.value("bpy.context.scene.truevat.collection.name") == "Collection"
    window.settle()
    window.shot("loaded")
    start(window)
    wait_for(lambda: window.value("state.report is not None"), "the bake")
    names = {path.name for path in (scene.parent / "elsewhere").iterdir()}
    assert names == {"Paper.truevat.exr", "Paper.glb", "Paper.truevat.json", "Paper.truevat.js"}
