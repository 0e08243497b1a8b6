# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""However a clip ends, all animation of the scene is as it was before."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
import pytest
from truevat.blender import clips as clips_module
from truevat.blender.clips import SceneClips
from truevat.blender.timeline import frame_restored, set_frame

import scenes
from animations import (
    SLOTTED,
    action,
    assert_same,
    clips_of,
    everything,
    names_of,
    play,
    shape,
    strip,
    walker,
)
from evaluated import go_to

Object = bpy.types.Object


class Stop(Exception):
    """Not one that the product knows."""


def full_scene() -> Object:
    """A skin with all sorts of what an action or a strip may move, in the midst of its motion."""
    skin, rig = walker()
    parent = scenes.link("Parent", None)
    skin.parent = rig.parent = parent
    for name in ("Basis", "Up"):
        block = skin.shape_key_add(name=name, from_mix=False)
    for point in block.data:
        point.co.z += 1
    keys = skin.data.shape_keys
    up = action(keys, "Raise", lambda: scenes.keyed(block, "value", (1, 0.0), (9, 1.0)))
    block.value = 0.3
    lift = action(parent, "Lift", lambda: key_lift(parent))
    parent.location, parent["gears"], parent["ratio"] = (0.5, 0, 0), 7, 0.25
    parent["path"] = [0.5, 0.25]
    walk, run = bpy.data.actions["Walk"], bpy.data.actions["Run"]
    strip(rig, "A", "Slow", 1, walk, scale=1.5, use_auto_blend=True)
    strip(rig, "A", "Twice", 7, run, repeat=2, influence=0.5)
    strip(rig, "B", "Add", 3, run, blend_type="COMBINE", extrapolation="NOTHING")
    strip(rig, "B", "Mute", 20, run, mute=True)
    strip(rig, "C", "Hidden", 1, run)
    strip(keys, "A", "Slow", 1, up).frame_end = 7
    strip(parent, "A", "Rise", 4, lift)
    data = rig.animation_data
    data.nla_tracks["C"].mute = True
    data.action_blend_type, data.action_influence = "COMBINE", 0.75
    data.action_extrapolation = "HOLD_FORWARD"
    play(rig, walk)
    go_to(3.25)
    return skin


def key_lift(parent: Object) -> None:
    scenes.keyed(parent, "location", (1, (0, 0, 0)), (5, (0, 0, 3)))
    for frame, gears, ratio, path in ((1, 1, 0.1, (0, 0)), (5, 9, 0.9, (1, 1))):
        parent["gears"], parent["ratio"], parent["path"] = gears, ratio, [float(x) for x in path]
        for name in ("gears", "ratio", "path"):
            parent.keyframe_insert(f'["{name}"]', frame=frame)


def tweaking(rig: Object, sync: bool = False) -> None:
    data = rig.animation_data
    track = data.nla_tracks["B"]
    data.nla_tracks.active = track
    track.strips["Add"].select = True
    if sync:  # its length is not its action's
        track.strips["Add"].action_frame_end -= 2
        track.strips["Add"].use_sync_length = True
    data.use_tweak_mode = True
    assert data.use_tweak_mode


def solo(rig: Object) -> None:
    rig.animation_data.nla_tracks["A"].is_solo = True


def only_action(rig: Object) -> None:
    """Not even strips, with a bone where no action that it plays has it."""
    data = rig.animation_data
    for track in list(data.nla_tracks):
        data.nla_tracks.remove(track)
    rig.pose.bones["Bone2"].rotation_euler = (0.1, 0.2, 0.3)


def without_action(rig: Object) -> None:
    rig.animation_data.action = None


def switched_off(rig: Object) -> None:
    rig.animation_data.use_nla = False


def without_data(rig: Object) -> None:
    rig.animation_data_clear()


CHANGES: list[Callable[[Object], None]] = [
    lambda rig: None,
    tweaking,
    lambda rig: tweaking(rig, sync=True),
    solo,
    only_action,
    without_action,
    switched_off,
    without_data,
]
CHANGE_NAMES = [
    "as it is",
    "tweaked",
    "tweaked, synchronised",
    "solo",
    "without strips",
    "without action",
    "NLA off",
    "without data",
]


def play_through(found: SceneClips, stop_at: str | None = None) -> None:
    scene = bpy.context.scene
    for clip in found.clips:
        with frame_restored(scene), found.alone(clip):
            for time in clip.times:
                set_frame(scene, time)
            if clip.name == stop_at:
                raise Stop


@pytest.mark.parametrize("change", CHANGES, ids=CHANGE_NAMES)
@pytest.mark.parametrize("kind", ["scene", "actions", "nla", "markers", "A=1:9"])
def test_clips_leave_no_trace(kind, change):
    skin = full_scene()
    change(bpy.data.objects["Rig"])
    for i, frame in enumerate((1, 20)):
        bpy.context.scene.timeline_markers.new(str(i), frame=frame)
    go_to(3.25)
    before, shown = everything(), shape(skin)
    found = clips_of(kind, skin)
    assert_same(before)
    play_through(found)
    assert_same(before)
    np.testing.assert_array_equal(shape(skin), shown)
    for name in names_of(found):
        with pytest.raises(Stop):
            play_through(found, stop_at=name)
        assert_same(before)
    np.testing.assert_array_equal(shape(skin), shown)


@pytest.mark.parametrize("kind", ["actions", "nla"])
def test_the_record_would_show_a_trace(kind):
    """So that the test above can fail."""
    skin = full_scene()
    before = everything()
    found = clips_of(kind, skin)
    for clip in found.clips:
        with found.alone(clip):
            set_frame(bpy.context.scene, clip.times[1])
            with pytest.raises(AssertionError):
                assert_same(before)


@pytest.mark.parametrize("change", CHANGES[:3], ids=CHANGE_NAMES[:3])
@pytest.mark.parametrize("kind", ["actions", "nla"])
@pytest.mark.parametrize("place", ["assign", "to_rest", "lent"])
@pytest.mark.parametrize("call", [1, 2, 3])
def test_a_clip_that_fails_to_begin_leaves_no_trace(monkeypatch, kind, change, place, call):
    skin = full_scene()
    change(bpy.data.objects["Rig"])
    go_to(3.25)
    before = everything()
    found = clips_of(kind, skin)
    original, calls = getattr(clips_module, place), []

    def breaking(*args, **kwargs):
        calls.append(place)
        if len(calls) == call:
            raise Stop
        return original(*args, **kwargs)

    monkeypatch.setattr(clips_module, place, breaking)
    with pytest.raises(Stop), frame_restored(bpy.context.scene):
        with found.alone(found.clips[-1]):
            set_frame(bpy.context.scene, found.clips[-1].times[0])
        with found.alone(found.clips[0]):
            set_frame(bpy.context.scene, found.clips[0].times[0])
    assert_same(before)


@pytest.mark.skipif(SLOTTED, reason="from Blender 4.4 on, a slot has its type from the start")
def test_an_action_without_a_type_gets_none():
    """Blender 4.2 would give it that of the first datablock that it is assigned to."""
    cube = scenes.cube()
    made = bpy.data.actions.new("Rise")
    made.use_fake_user = True
    curve = made.fcurves.new("location", index=2)
    for frame, value in ((1, 0.0), (5, 4.0)):
        curve.keyframe_points.insert(frame, value)
    assert not made.id_root
    before = everything()
    found = clips_of("actions", cube)
    (clip,) = found.clips
    with frame_restored(bpy.context.scene), found.alone(clip):
        set_frame(bpy.context.scene, clip.times[-1])
        assert shape(cube)[:, 2].mean() == 4
    assert_same(before)
    assert not made.id_root
    assert cube.animation_data is None
