# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips of actions: which there are, and that each is what one sees when it plays alone."""

from __future__ import annotations

from fractions import Fraction

import bpy
import numpy as np
import pytest

import scenes
from animations import (
    SLOTTED,
    action,
    assert_moves,
    bend,
    clips_of,
    names_of,
    play,
    played,
    refused,
    shapes,
    to_rest,
    walker,
)
from evaluated import go_to

needs_slots = pytest.mark.skipif(not SLOTTED, reason="Blender 4.2 has no slots in actions")


def test_each_action_is_what_a_user_sees_who_sets_it_by_hand():
    skin, rig = walker()
    expected = {}
    for name, times in (("Run", range(11, 18)), ("Walk", range(1, 6))):
        for bone in ("Bone0", "Bone1", "Bone2"):  # not the one that is bent by hand
            rig.pose.bones[bone].rotation_euler = (0, 0, 0)
        play(rig, bpy.data.actions[name])
        expected[name] = shapes([skin], times)
        assert_moves(expected[name])
    go_to(3.25)  # where Walk bends a bone that Run leaves alone
    found = clips_of("actions", skin)
    assert [(c.name, c.start, c.end, c.fps, c.loop) for c in found.clips] == [
        ("Run", 11, 17, 24, False),
        ("Walk", 1, 5, 24, False),
    ]
    for name, each in played(found, skin).items():
        np.testing.assert_array_equal(each, expected[name])


def test_chosen_actions_by_other_names_and_rates():
    skin, rig = walker()
    found = clips_of("actions:Walk@60,Run=Sprint@loop,Run@12", skin)
    walk, sprint, run = found.clips
    assert (walk.fps, walk.times) == (60, [1 + Fraction(2, 5) * k for k in range(11)])
    assert (sprint.name, sprint.times, sprint.end) == ("Sprint", list(range(11, 17)), 17)
    assert run.times == [11, 13, 15, 17]
    each = played(found, skin)
    np.testing.assert_array_equal(each["Run"][:3], each["Sprint"][::2])
    play(rig, bpy.data.actions["Walk"])
    np.testing.assert_array_equal(each["Walk"], shapes([skin], walk.times))


def test_a_cyclic_action_loops_over_its_own_range():
    skin, rig = walker()
    run = bpy.data.actions["Run"]
    run.use_frame_range, run.frame_start, run.frame_end, run.use_cyclic = True, 10.5, 20.5, True
    run_clip, walk_clip = clips_of("actions", skin).clips
    assert (run_clip.loop, run_clip.times) == (True, [10.5 + k for k in range(10)])
    assert run_clip.probes == [20.5]
    assert not walk_clip.loop
    run.use_frame_range = False  # without it, its cycle counts for nothing
    assert not clips_of("actions", skin).clips[0].loop


def test_actions_of_shape_keys():
    face = scenes.grid("Face", 3)
    for name, offset in (("Basis", 0), ("Smile", 1), ("Frown", -1)):
        block = face.shape_key_add(name=name, from_mix=False)
        block.value = 0
        for i in range(4):
            block.data[i].co.z += offset
    keys = face.data.shape_keys
    for name in ("Smile", "Frown"):
        block = keys.key_blocks[name]
        made = action(keys, f"To{name}", lambda b=block: scenes.keyed(b, "value", (1, 0), (9, 1)))
        block.value = 0
    play(keys, made)
    go_to(9)
    each = played(clips_of("actions", face), face)
    assert list(each) == ["ToFrown", "ToSmile"]
    still = each["ToSmile"][0]
    for name, sign in (("ToSmile", 1), ("ToFrown", -1)):
        np.testing.assert_array_equal(each[name][0], still)
        moved = each[name][-1] - still
        np.testing.assert_allclose(moved[:4], np.tile([0, 0, sign], (4, 1)), atol=1e-6)
        assert not moved[4:].any()


def test_actions_of_parents_of_targets_and_of_the_objects_themselves():
    cube, parent, target = scenes.cube(), scenes.link("Parent", None), scenes.link("Aim", None)
    cube.parent = parent
    cube.constraints.new("COPY_ROTATION").target = target
    move = [(1, (0, 0, 0)), (4, (1, 2, 3))]
    owned = {
        "Own": action(
            cube, "Own", lambda: scenes.keyed(cube, "scale", (1, (1, 1, 1)), (4, (2, 1, 1)))
        ),
        "Up": action(parent, "Up", lambda: scenes.keyed(parent, "location", *move)),
        "Turn": action(target, "Turn", lambda: scenes.keyed(target, "rotation_euler", *move)),
    }
    owners = {"Own": cube, "Up": parent, "Turn": target}
    for name, owner in owners.items():
        play(owner, owned[name])
    expected = {}
    for name, owner in owners.items():
        for other in owners.values():
            play(other, None)
        cube.scale = (1, 1, 1)
        parent.location = target.rotation_euler = (0, 0, 0)
        play(owner, owned[name])
        expected[name] = shapes([cube], range(1, 5))
        assert_moves(expected[name])
    for other in owners.values():
        play(other, None)
    cube.scale = (1, 1, 1)
    parent.location = target.rotation_euler = (0, 0, 0)
    for name, owner in owners.items():  # at a frame where all of them are at their start
        play(owner, owned[name])
    go_to(1)
    each = played(clips_of("actions", cube), cube)
    assert list(each) == ["Own", "Turn", "Up"]
    for name, found in each.items():
        np.testing.assert_array_equal(found, expected[name])


def test_animation_that_is_no_clip_goes_on():
    skin, rig = walker()
    turntable = scenes.link("Turntable", None)
    rig.parent = turntable
    spin = action(
        turntable,
        "Spin",
        lambda: scenes.keyed(turntable, "rotation_euler", (1, (0, 0, 0)), (5, (0, 0, 2))),
    )
    play(turntable, spin)
    expected = shapes([skin], range(1, 6))
    found = clips_of("actions:Walk", skin)
    np.testing.assert_array_equal(played(found, skin)["Walk"], expected)
    both = played(clips_of("actions", skin), skin)
    assert list(both) == ["Run", "Spin", "Walk"]
    assert np.abs(both["Walk"] - expected).max() > 0.1


def test_actions_of_others_are_left_out_unless_they_are_named():
    skin, rig = walker()
    enemy = rig.copy()  # which has the same bones
    enemy.name = "Enemy"
    scenes.link("Door", None)
    bpy.context.scene.collection.objects.link(enemy)
    enemy.animation_data_clear()
    kick = bend(enemy, "Kick", {"Bone0": [(1, (0, 0, 0)), (5, (0, 0, 2))]})
    play(enemy, kick)
    door = bpy.data.objects["Door"]
    play(
        door,
        action(
            door, "Open", lambda: scenes.keyed(door, "location", (1, (0, 0, 0)), (9, (1, 0, 0)))
        ),
    )
    fix = bend(rig, "Corrective", {"Bone2": [(1, (0, 0, 0)), (5, (0, 0, 1))]})
    rig.pose.bones["Bone2"].constraints.new("ACTION").action = fix
    pose = bend(rig, "Pose", {"Bone2": [(1, (0, 0, 1))]})
    pose.asset_mark()
    bpy.data.actions.new("Nothing").use_fake_user = True
    assert names_of(clips_of("actions", skin)) == (
        ["Corrective", "Run", "Walk"] if SLOTTED else ["Run", "Walk"]
    )
    found = clips_of("actions:Kick,Pose", skin)
    assert names_of(found) == ["Kick", "Pose"]
    assert_moves(played(found, skin)["Kick"])


def test_an_action_that_nothing_uses_goes_to_what_is_animated():
    cube = scenes.cube()
    up = action(cube, "Up", lambda: scenes.keyed(cube, "location", (1, (0, 0, 0)), (4, (0, 0, 3))))
    action(cube, "Down", lambda: scenes.keyed(cube, "location", (1, (0, 0, 0)), (4, (0, 0, -3))))
    play(cube, up)
    if SLOTTED:
        for made in bpy.data.actions:  # as files have it that an earlier Blender made
            made.slots[0].name_display = "Legacy Slot"
    each = played(clips_of("actions", cube), cube)
    assert [(name, *(found[-1] - found[0])[0]) for name, found in each.items()] == [
        ("Down", 0, 0, -3),
        ("Up", 0, 0, 3),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("actions:Fly", "There is no action 'Fly' to bake; there are: "),
        (
            "actions:Blank",
            "The action 'Blank' fits none of the baked objects, nor what they depend",
        ),
        (
            "actions:Keyless",
            "The action 'Keyless' has no keyframes; key it, or set its frame range",
        ),
        (
            "actions:Elsewhere",
            "The action 'Elsewhere' fits none of the baked objects, nor what they",
        ),
    ],
)
def test_actions_that_cannot_be_baked(text, message):
    skin, rig = walker()
    bpy.data.actions.new("Blank").use_fake_user = True
    keyless = bend(rig, "Keyless", {"Bone0": [(1, (0, 0, 0))]})
    for curve in curves_of(keyless):
        curve.keyframe_points.remove(curve.keyframe_points[0])
    other = scenes.cube("Other")
    other["gears"] = 1.0
    action(other, "Elsewhere", lambda: scenes.keyed(other, '["gears"]', (1, 0.0), (5, 1.0)))
    with refused(message):
        clips_of(text, skin)
    assert names_of(clips_of("actions", skin)) == ["Run", "Walk"]


def curves_of(made: bpy.types.Action) -> list:
    if not SLOTTED:
        return list(made.fcurves)
    return [c for bag in made.layers[0].strips[0].channelbags for c in bag.fcurves]


def test_nothing_that_is_animated():
    cube = scenes.cube()
    with refused(
        "No action with keyframes fits 'Cube', the other baked objects or what they depend on; "
        "name the actions, or bake the scene's range (--clips scene)"
    ):
        clips_of("actions", cube)
    with refused("Neither 'Cube', the other baked objects nor what they depend on has NLA strips"):
        clips_of("nla", cube)


# -------------------------------------------------------------------------------------------------
# Slots


def two_walkers(one: str, other: str) -> list[bpy.types.Object]:
    """Two skins and rigs, moved by two slots of one action each."""
    first, rig = walker("First")
    for made in list(bpy.data.actions):
        bpy.data.actions.remove(made)
    rigs = [rig, rig.copy()]
    rigs[1].name = "Twin"
    bpy.context.scene.collection.objects.link(rigs[1])
    second = scenes.skinned(scenes.grid("Second", 4), rigs[1])
    second.modifiers["Armature"].object = rigs[1]
    for name, size in ((one, 1.0), (other, -1.0)):
        made = bpy.data.actions.new(name)
        made.use_fake_user = True
        for each, bone in zip(rigs, ("Bone0", "Bone2"), strict=True):
            slot = made.slots.new("OBJECT", each.name)
            data = each.animation_data_create()
            data.action, data.action_slot = made, slot
            scenes.keyed(
                each.pose.bones[bone], "rotation_euler", (1, (0, 0, 0)), (5, (size, 0, size))
            )
    for each in rigs:
        each.animation_data.action = None
        to_rest(each)
    return [first, second]


@needs_slots
@pytest.mark.parametrize("assigned", [False, True])
def test_slots_go_to_the_datablocks_that_they_are_for(assigned):
    sources = two_walkers("Bow", "Back")
    rigs = [bpy.data.objects[name] for name in ("Rig", "Twin")]
    expected = {}
    for name in ("Back", "Bow"):
        for slot, rig in enumerate(rigs):
            to_rest(rig)
            play(rig, bpy.data.actions[name], slot)
        expected[name] = shapes(sources, range(1, 6))
        assert_moves(expected[name][:, :25])
        assert_moves(expected[name][:, 25:])
    if not assigned:
        for rig in rigs:
            rig.animation_data_clear()
    for name, each in played(clips_of("actions", *sources), *sources).items():
        np.testing.assert_array_equal(each, expected[name])
    # One of them alone has the one slot only.
    alone = played(clips_of("actions:Bow", sources[1]), sources[1])["Bow"]
    np.testing.assert_array_equal(alone, expected["Bow"][:, 25:])


@needs_slots
def test_one_action_moves_bones_and_shape_keys():
    skin, rig = walker()
    for name in ("Basis", "Up"):
        block = skin.shape_key_add(name=name, from_mix=False)
    for point in block.data:
        point.co.z += 1
    walk, keys = bpy.data.actions["Walk"], skin.data.shape_keys
    data = keys.animation_data_create()
    data.action, data.action_slot = walk, walk.slots.new("KEY", keys.name)
    scenes.keyed(block, "value", (1, 0.0), (5, 1.0))
    expected = shapes([skin], range(1, 6))
    assert_moves(expected)
    each = played(clips_of("actions", skin), skin)
    np.testing.assert_array_equal(each["Walk"], expected)
    keys.animation_data_clear()
    block.value = 0
    to_rest(rig)
    rig.pose.bones["Bone3"].rotation_euler = (0.3, 0.2, 0.1)
    play(rig, bpy.data.actions["Run"])
    np.testing.assert_array_equal(each["Run"], shapes([skin], range(11, 18)))


@needs_slots
def test_an_old_slot_s_name_says_nothing_but_its_curves_do():
    sources = two_walkers("Bow", "Back")
    for made in bpy.data.actions:
        for i, slot in enumerate(made.slots):
            slot.name_display = f"Old{i}"
    found = clips_of("actions:Bow", *sources)
    rigs = [bpy.data.objects[name] for name in ("Rig", "Twin")]
    for rig in rigs:
        play(rig, bpy.data.actions["Bow"], 0)  # both have the bones of the first
    expected = shapes(sources, range(1, 6))
    for rig in rigs:
        rig.animation_data_clear()
        to_rest(rig)
    np.testing.assert_array_equal(played(found, *sources)["Bow"], expected)
