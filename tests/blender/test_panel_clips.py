# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel's list of clips: what it offers, what it keeps, and what a bake makes of it."""

from __future__ import annotations

import json
from fractions import Fraction

import bpy
import pytest
import truevat
from truevat import ui
from truevat.blender.estimate import estimate
from truevat.core.clips import KINDS, NOUNS, ClipSettings, Pick
from truevat.core.errors import BakeError
from truevat.core.frames import FrameRange
from truevat.core.settings import BakeSettings
from truevat.ui import clip_rows
from truevat.ui.conversion import bake_settings
from truevat.ui.state import state

import animations
import scenes


@pytest.fixture(autouse=True)
def panel(empty_blender, tmp_path):
    ui.register()
    settings = bpy.context.scene.truevat
    settings.output, settings.mesh = str(tmp_path), "none"
    yield settings
    ui.unregister()
    state.clear_result()


@pytest.fixture
def skin():
    """With the actions Run (frames 11 to 17) and Walk (1 to 5)."""
    obj, _ = animations.walker()
    obj.select_set(True)
    bpy.context.view_layer.update()
    return obj


def refresh() -> None:
    clip_rows.refresh(bpy.context)


def names(panel) -> list[str]:
    return [row.name for row in getattr(panel, panel.clips).rows]


def row(panel, source: str):
    return next(row for row in getattr(panel, panel.clips).rows if row.source == source)


def clips() -> ClipSettings:
    return bake_settings(bpy.context).clips


def add_range(name: str, start: float, end: float):
    assert bpy.ops.truevat.clip_add() == {"FINISHED"}
    added = bpy.context.scene.truevat.ranges.active_row
    added.name, added.start, added.end = name, start, end
    return added


def test_sources_are_those_of_the_command(panel):
    items = panel.bl_rna.properties["clips"].enum_items
    assert [item.identifier for item in items] == list(KINDS)
    assert all(hasattr(panel, kind) for kind in NOUNS)


def test_rows_have_tooltips_in_blenders_manner(panel):
    add_range("Walk", 1, 2)
    for owner in (panel.ranges, panel.ranges.active_row):
        texts = [p.description for p in owner.bl_rna.properties if p.identifier != "rna_type"]
        assert all(text and not text.endswith(".") for text in texts)


def test_the_scene_is_one_clip(panel):
    assert clips() == ClipSettings()
    panel.clip_name, panel.clip_loop = "Wave", True
    assert clips() == ClipSettings(picks=(Pick("Wave"),), loop=True)


def test_sampling(panel):
    panel.sampling, panel.fps = "fps", 59.94
    assert clips() == ClipSettings(fps=Fraction(60000, 1001))
    panel.sampling, panel.step = "step", 0.1
    assert clips() == ClipSettings(step=Fraction(1, 10))
    # Only one of the steps that the panel has is asked for.
    panel.frames, panel.frame_step = "custom", 2
    assert bake_settings(bpy.context).frames == FrameRange(1, 250)
    panel.sampling = "auto"
    assert bake_settings(bpy.context).frames == FrameRange(1, 250, 2)


def test_all_that_is_found_is_ticked(panel, skin):
    panel.clips = "actions"
    refresh()
    assert names(panel) == ["Run", "Walk"]
    assert [r.frames for r in panel.actions.rows] == ["11 to 17", "1 to 5"]
    assert clips() == ClipSettings("actions", (Pick("Run", loop=False), Pick("Walk", loop=False)))


def test_a_row_becomes_a_pick(panel, skin):
    panel.clips = "actions"
    refresh()
    row(panel, "Walk").use = False
    run = row(panel, "Run")
    run.name, run.loop, run.use_fps, run.fps = "Sprint", True, True, 23.976
    pick = Pick("Run", "Sprint", fps=Fraction(24000, 1001), loop=True)
    assert clips() == ClipSettings("actions", (pick,))


def test_nothing_ticked_is_not_all_of_them(panel, skin):
    assert not bpy.ops.truevat.clips_tick.poll()  # there is no list of the scene's one clip
    panel.clips = "actions"
    refresh()
    assert bpy.ops.truevat.clips_tick(use=False) == {"FINISHED"}
    with pytest.raises(BakeError, match="^Tick the clips to bake"):
        clips()
    assert not bpy.ops.truevat.bake.poll()
    assert bpy.ops.truevat.clips_tick(use=True) == {"FINISHED"}
    assert len(clips().picks) == 2


def test_settings_are_kept_by_name(panel, skin):
    panel.clips = "actions"
    refresh()
    row(panel, "Walk").use = False
    panel.actions.active = 1
    bpy.data.actions["Run"].name = "Sprint"
    animations.bend(bpy.data.objects["Rig"], "Idle", {"Bone0": [(1, (0, 0, 0)), (3, (1, 0, 0))]})
    refresh()
    assert names(panel) == ["Idle", "Sprint", "Walk"]
    assert [r.use for r in panel.actions.rows] == [True, True, False]
    assert panel.actions.active_row.source == "Walk"


def test_what_was_set_comes_back_with_its_clip(panel, skin):
    panel.clips = "actions"
    refresh()
    row(panel, "Walk").name = "Stroll"
    skin.select_set(False)
    box = scenes.grid("Box", 2)
    box.select_set(True)
    refresh()
    assert names(panel) == []
    # Run was as it is found, and would be found again.
    assert [r.source for r in panel.actions.absent] == ["Walk"]
    box.select_set(False)
    skin.select_set(True)
    refresh()
    assert names(panel) == ["Run", "Stroll"]
    assert not panel.actions.absent


def test_a_list_stays_while_nothing_is_selected(panel, skin):
    panel.clips = "actions"
    refresh()
    skin.select_set(False)
    refresh()
    assert names(panel) == ["Run", "Walk"]


def test_a_loop_is_what_the_action_says_until_the_user_does(panel, skin):
    panel.clips = "actions"
    refresh()
    run, walk = bpy.data.actions["Run"], bpy.data.actions["Walk"]
    for action, frames in ((run, (11, 17)), (walk, (1, 5))):
        action.use_frame_range = action.use_cyclic = True
        action.frame_start, action.frame_end = frames
    refresh()
    assert [r.loop for r in panel.actions.rows] == [True, True]
    row(panel, "Walk").loop = False
    refresh()
    assert [r.loop for r in panel.actions.rows] == [True, False]


def test_nothing_is_written_where_nothing_has_changed(panel, skin):
    """A change in the scene has the list refreshed: without this there would be no end."""
    scene = bpy.context.scene
    marks = (("One", 3), ("Two", 9))
    for name, frame in marks:
        scene.timeline_markers.new(name, frame=frame)
    for kind in ("actions", "markers"):
        panel.clips = kind
        refresh()
        row(panel, names(panel)[0]).use_fps = True
        before = [r.as_pointer() for r in getattr(panel, kind).rows]
        refresh()
        assert [r.as_pointer() for r in getattr(panel, kind).rows] == before


def test_markers_need_no_objects(panel):
    panel.clips = "markers"
    refresh()
    assert names(panel) == []
    scene = bpy.context.scene
    scene.timeline_markers.new("Open", frame=3)
    scene.timeline_markers.new("Shut", frame=9)
    refresh()
    assert names(panel) == ["Open", "Shut"]
    assert row(panel, "Open").frames == "3 to 8"


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("actions", lambda rig: setattr(bpy.data.actions["Walk"], "name", "Stroll")),
        ("actions", lambda rig: setattr(bpy.data.actions["Walk"], "use_frame_range", True)),
        ("actions", lambda rig: bpy.data.actions.remove(bpy.data.actions["Run"])),
        ("nla", lambda rig: setattr(rig.animation_data.nla_tracks[0].strips[0], "mute", True)),
        ("nla", lambda rig: setattr(rig.animation_data.nla_tracks[0], "mute", True)),
        ("markers", lambda rig: setattr(bpy.context.scene.timeline_markers[0], "frame", 7)),
        ("markers", lambda rig: setattr(bpy.context.scene.timeline_markers[0], "name", "Shut")),
    ],
)
def test_changes_that_blender_tells_nobody_of(panel, skin, kind, change):
    rig = bpy.data.objects["Rig"]
    animations.strip(rig, "Track", "Strip", 1, bpy.data.actions["Run"])
    bpy.context.scene.timeline_markers.new("Open", frame=3)
    panel.clips = kind
    before = clip_rows.signature(bpy.context.scene)
    assert clip_rows.signature(bpy.context.scene) == before
    change(rig)
    assert clip_rows.signature(bpy.context.scene) != before


def test_ranges_are_added_and_removed(panel):
    panel.clips = "ranges"
    with pytest.raises(BakeError, match="^Add a clip"):
        clips()
    assert not bpy.ops.truevat.clip_remove.poll()
    add_range("Walk", 1, 24)
    bpy.ops.truevat.clip_add()
    second = panel.ranges.active_row
    assert (second.start, second.end) == (25, 48)
    assert len(set(names(panel))) == 2
    second.start, second.end, second.loop = 30, 40.5, True
    walk = Pick("Walk", frames=FrameRange(1, 24), loop=False)
    other = Pick(second.name, frames=FrameRange(30, 40.5), loop=True)
    assert clips() == ClipSettings("ranges", (walk, other))
    second.end = 20
    with pytest.raises(BakeError, match=f"^Clip '{second.name}': The frame range is empty"):
        clips()
    bpy.ops.truevat.clip_remove()
    assert clips() == ClipSettings("ranges", (walk,))
    assert panel.ranges.active == 0


def test_a_bake_has_the_ticked_clips(panel, skin, tmp_path):
    """Without a window nothing has refreshed the list before."""
    panel.clips = "actions"
    assert bpy.ops.truevat.bake() == {"FINISHED"}
    assert written(tmp_path) == [("Run", 7, False), ("Walk", 5, False)]
    row(panel, "Run").use = False
    row(panel, "Walk").loop = True
    assert bpy.ops.truevat.bake() == {"FINISHED"}
    assert written(tmp_path) == [("Walk", 4, True)]


def written(folder) -> list[tuple[str, int, bool]]:
    (path,) = folder.glob("*.truevat.json")
    found = json.loads(path.read_text("utf-8"))["clips"]
    return [(clip["name"], clip["frames"], clip["loop"]) for clip in found]


def test_the_list_survives_save_and_load(panel, skin, tmp_path):
    panel.clips = "actions"
    refresh()
    walk = row(panel, "Walk")
    walk.use, walk.name, walk.use_fps, walk.fps = False, "Stroll", True, 12
    panel.clips = "ranges"
    add_range("Part", 3, 8)
    path = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    panel = bpy.context.scene.truevat
    assert clips() == ClipSettings("ranges", (Pick("Part", frames=FrameRange(3, 8), loop=False),))
    panel.clips = "actions"
    refresh()
    walk = row(panel, "Walk")
    assert (walk.use, walk.name, walk.use_fps, walk.fps) == (False, "Stroll", True, 12)
    assert clips() == ClipSettings("actions", (Pick("Run", loop=False),))


@pytest.mark.parametrize("pixel", ["float", "half"])
def test_the_estimate_has_all_clips(skin, tmp_path, pixel):
    picks = (Pick("Walk", fps=Fraction(48)), Pick("Run"))
    options = {"pixel": pixel, "mesh": "none", "dedup": "none"}
    clips = ClipSettings("actions", picks)
    expected = estimate(bpy.context, BakeSettings(output=tmp_path, clips=clips, **options))
    report = truevat.bake(tmp_path, clips=clips, **options)
    assert expected.frames == report.frames == 9 + 7
    assert expected.slots == report.slots
    assert (expected.width, expected.height) == report.layout[:2]
    assert f" px {pixel.title()}, " in expected.text
    assert "2 clips, 16 frames" in expected.text.splitlines()


def test_the_estimate_of_automatic_pixels_has_both(skin, tmp_path):
    auto, exact, half = (
        estimate(bpy.context, BakeSettings(output=tmp_path, pixel=pixel)).text.splitlines()
        for pixel in ("auto", "float", "half")
    )
    assert auto == [exact[0], f"or {half[0]}", *exact[1:]]


def test_the_estimate_counts_all_textures(skin, tmp_path):
    one, two = (
        estimate(
            bpy.context, BakeSettings(output=tmp_path, profile="bounds", normal_texture=normals)
        )
        for normals in ("none", "separate")
    )
    assert two.megabytes == 2 * one.megabytes
    assert two.text.startswith("2 textures up to ")


def test_a_layout_without_clips_says_so_before_the_bake(skin, tmp_path):
    settings = {"output": tmp_path, "profile": "nekovat"}
    one = ClipSettings("actions", (Pick("Walk"),))
    assert estimate(bpy.context, BakeSettings(clips=one, **settings)).frames == 5
    both = ClipSettings("actions")
    with pytest.raises(BakeError, match="nekoVAT layout cannot tell 2 clips apart"):
        estimate(bpy.context, BakeSettings(clips=both, **settings))
    apart = BakeSettings(clips=both, texture_per_clip=True, **settings)
    assert estimate(bpy.context, apart).frames == 12


def test_the_estimate_of_a_texture_for_each_clip(skin, tmp_path):
    options = {"output": tmp_path, "pixel": "float", "dedup": "none"}
    both = BakeSettings(clips=ClipSettings("actions"), texture_per_clip=True, **options)
    run, walk = (
        estimate(bpy.context, BakeSettings(clips=ClipSettings("actions", (Pick(name),)), **options))
        for name in ("Run", "Walk")
    )
    found = estimate(bpy.context, both)
    assert (found.width, found.height) == (run.width, run.height)
    assert found.megabytes == pytest.approx(run.megabytes + walk.megabytes)
    assert found.text.startswith("2 textures up to ")


def test_textures_for_each_clip_are_asked_for_where_there_are_several(panel, skin):
    panel.texture_per_clip = True
    assert not bake_settings(bpy.context).texture_per_clip
    panel.clips = "actions"
    assert bake_settings(bpy.context).texture_per_clip
