# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips of NLA strips and of the timeline: which there are, and what each of them shows."""

from __future__ import annotations

from fractions import Fraction

import bpy
import numpy as np
import pytest
from truevat.blender.clips import offered
from truevat.core.errors import BakeError
from truevat.core.frames import FrameRange

import scenes
from animations import (
    action,
    assert_moves,
    clips_of,
    names_of,
    played,
    refused,
    shapes,
    strip,
    to_rest,
    walker,
)
from evaluated import go_to


def strips_scene() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Strips that follow without a gap, are scaled, repeated and reversed, and overlap others."""
    skin, rig = walker()
    walk, run = bpy.data.actions["Walk"], bpy.data.actions["Run"]
    strip(rig, "Below", "Slow", 1, walk, scale=1.5)  # 1 to 7
    strip(rig, "Below", "Twice", 7, run, repeat=2)  # 7 to 19
    strip(rig, "Below", "Back", 19, walk, use_reverse=True)  # 19 to 23
    strip(rig, "Above", "Add", 3, run, blend_type="COMBINE", extrapolation="NOTHING")  # 3 to 9
    strip(rig, "Hidden", "Muted", 1, walk)
    rig.animation_data.nla_tracks["Hidden"].mute = True
    strip(rig, "Above", "Still", 40, walk, mute=True)
    return skin, rig


def only(rig: bpy.types.Object, name: str) -> None:
    """Takes all other strips away."""
    data = rig.animation_data
    data.action = None
    for track in data.nla_tracks:
        for each in list(track.strips):
            if each.name != name:
                track.strips.remove(each)
    to_rest(rig)
    rig.pose.bones["Bone3"].rotation_euler = (0.3, 0.2, 0.1)


SPANS = {"Slow": (1, 7), "Add": (3, 9), "Twice": (7, 19), "Back": (19, 23)}


def test_each_strip_is_what_it_is_without_the_others():
    expected = {}
    for name, (start, end) in SPANS.items():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        skin, rig = strips_scene()
        only(rig, name)
        expected[name] = shapes([skin], range(start, end + 1))
        assert_moves(expected[name])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    skin, rig = strips_scene()
    go_to(4.5)
    found = clips_of("nla", skin)
    assert {clip.name: (clip.start, clip.end) for clip in found.clips} == SPANS
    assert names_of(found) == list(SPANS)
    for name, each in played(found, skin).items():
        np.testing.assert_array_equal(each, expected[name])


def test_strips_of_one_name_and_span_are_one_clip():
    skin, rig = walker()
    parent = scenes.link("Parent", None)
    skin.parent, rig.parent = rig, parent
    run = bpy.data.actions["Run"]
    up = action(
        parent, "Up", lambda: scenes.keyed(parent, "location", (1, (0, 0, 0)), (7, (0, 0, 9)))
    )
    strip(rig, "A", "Leap", 20, run)
    strip(parent, "B", "Leap", 20, up)
    strip(parent, "B", "Fall", 30, up, use_reverse=True)
    found = clips_of("nla", skin)
    assert [(c.name, c.start, c.end) for c in found.clips] == [("Leap", 20, 26), ("Fall", 30, 36)]
    each = played(found, skin)
    assert np.ptp(each["Leap"][-1] - each["Leap"][0], axis=0).max() > 0.1  # it bends, too
    moved = each["Fall"] - each["Fall"][0]
    np.testing.assert_allclose(moved[-1], np.tile([0, 0, -9], (len(moved[0]), 1)), atol=1e-5)
    parent.animation_data.nla_tracks["B"].strips["Leap"].frame_end = 25
    with refused("2 clips are called 'Leap'; rename all but one"):
        clips_of("nla", skin)
    with refused("Several clips would be made of the NLA strip 'Leap'; rename one"):
        clips_of("nla:Leap", skin)


def test_solo_and_switched_off_tracks():
    skin, rig = strips_scene()
    data = rig.animation_data
    data.nla_tracks["Above"].is_solo = True
    assert names_of(clips_of("nla", skin)) == ["Add"]
    data.nla_tracks["Above"].is_solo = False
    data.use_nla = False
    with refused(
        "Neither 'Skin', the other baked objects nor what they depend on has NLA strips that"
    ):
        clips_of("nla", skin)
    with pytest.raises(BakeError, match="; the NLA of 'Rig' is switched off; unmute some"):
        clips_of("nla", skin)


def test_strips_of_cyclic_actions_loop():
    skin, rig = walker()
    run = bpy.data.actions["Run"]
    run.use_frame_range, run.frame_start, run.frame_end, run.use_cyclic = True, 11, 17, True
    strip(rig, "A", "Round", 1, run, repeat=3)
    (clip,) = clips_of("nla", skin).clips
    assert (clip.loop, clip.count, clip.probes) == (True, 18, [19])
    assert not clips_of("nla@once", skin).clips[0].loop


def test_an_object_without_a_strip_of_the_clip_stays_where_it_is():
    skin, rig = walker()
    ball = scenes.cube("Ball")
    bounce = action(
        ball, "Bounce", lambda: scenes.keyed(ball, "location", (1, (4, 5, 6)), (5, (4, 5, 9)))
    )
    strip(rig, "A", "Go", 1, bpy.data.actions["Walk"])
    strip(ball, "A", "Bounce", 1, bounce)
    rig.animation_data.action = None
    go_to(1)
    each = played(clips_of("nla", skin, ball), skin, ball)
    assert each["Go"][:, -8:].mean(axis=1).tolist() == [[4, 5, 6]] * 5


# -------------------------------------------------------------------------------------------------
# The timeline


def test_the_scene_s_range():
    cube, scene = scenes.moving(scenes.cube()), bpy.context.scene
    scene.frame_start, scene.frame_end, scene.frame_step = 2, 9, 3
    (clip,) = clips_of("scene", cube).clips
    assert (clip.name, clip.times, clip.fps) == ("Scene", [2, 5, 8], 8)
    (clip,) = clips_of("scene:Drift@loop", cube, fps=Fraction(24)).clips
    assert (clip.name, clip.times, clip.probes) == ("Drift", list(range(2, 9)), [9, 10])
    (clip,) = clips_of("scene", cube, frames=FrameRange(1, 2, 0.5)).clips
    assert clip.times == [1, 1.5, 2]
    with refused("A frame range is for the scene's clip only"):
        clips_of("markers", cube, frames=FrameRange(1, 2))


def test_ranges_of_frames():
    cube = scenes.moving(scenes.cube())
    found = clips_of("A=1:3,B=2:3:0.25@loop", cube)
    assert [clip.times for clip in found.clips] == [[1, 2, 3], [2, 2.25, 2.5, 2.75]]
    expected = shapes([cube], [1, 2, 2.25])
    each = played(found, cube)
    np.testing.assert_array_equal(each["A"][:2], expected[:2])
    np.testing.assert_array_equal(each["B"][:2], expected[1:])


def mark(*frames: int) -> None:
    for i, frame in enumerate(frames):
        bpy.context.scene.timeline_markers.new("ABCDE"[i], frame=frame)


@pytest.mark.parametrize(
    ("frames", "spans"),
    [
        ((1, 10, 20), [("A", 1, 9), ("B", 10, 19), ("C", 20, 48)]),
        ((-5, 0), [("A", -5, -1), ("B", 0, 48)]),
        ((10, 1), [("B", 1, 9), ("A", 10, 48)]),
        ((1, 24, 48), [("A", 1, 23), ("B", 24, 48)]),
        ((1, 60), [("A", 1, 60)]),
        ((50, 60, 70), [("A", 50, 59), ("B", 60, 70)]),
        ((1, 2, 48), [("A", 1, 1), ("B", 2, 48)]),
    ],
)
def test_spans_between_markers(frames, spans):
    cube, scene = scenes.moving(scenes.cube()), bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 48
    mark(*frames)
    found = [(c.name, c.times[0], c.times[-1]) for c in clips_of("markers", cube).clips]
    assert found == spans


def test_markers_that_are_too_few_or_in_each_other_s_place():
    cube = scenes.cube()
    for count in (0, 1):
        with refused(f"The scene 'Scene' has {count} timeline markers; clips begin at markers, so"):
            clips_of("markers", cube)
        mark(5)
    mark(5)
    with refused("The clip 'A' is empty: its end 4 is before its start 5"):
        clips_of("markers", cube)


def test_what_a_panel_offers():
    skin, rig = strips_scene()
    mark(1, 10)
    spans = {
        kind: [
            (span.name, span.start, span.end) for span in offered(bpy.context.scene, [skin], kind)
        ]
        for kind in ("scene", "actions", "nla", "markers", "ranges")
    }
    assert spans == {
        "scene": [("Scene", 1, 250)],
        "actions": [("Run", 11, 17), ("Walk", 1, 5)],
        "nla": [(name, *span) for name, span in SPANS.items()],
        "markers": [("A", 1, 9), ("B", 10, 250)],
        "ranges": [],
    }
