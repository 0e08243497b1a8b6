# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions and strips for tests of clips, what they look like, and a record of all animation."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

import bpy
import numpy as np
import pytest
from truevat.blender.clips import SceneClips
from truevat.blender.timeline import set_frame
from truevat.core.clip_text import parse_clips
from truevat.core.errors import BakeError

import scenes

SLOTTED = bpy.app.version >= (4, 4, 0)
Keys = dict[str, Sequence[tuple[float, tuple[float, float, float]]]]


def refused(message: str):
    return pytest.raises(BakeError, match=f"^{re.escape(message)}")


def assert_moves(found: np.ndarray) -> None:
    """Of shapes, by time."""
    assert np.ptp(found, axis=0).max() > 0.1


def to_rest(rig: bpy.types.Object) -> None:
    for bone in rig.pose.bones:
        bone.rotation_euler = bone.location = (0, 0, 0)


def action(owner: bpy.types.ID, name: str, key: Callable[[], object]) -> bpy.types.Action:
    """What `key` keys becomes an action of that name, which nothing uses."""
    data = owner.animation_data_create()
    data.action = None
    key()
    made = data.action
    made.name, made.use_fake_user = name, True
    data.action = None
    return made


def bend(rig: bpy.types.Object, name: str, keys: Keys) -> bpy.types.Action:
    """Keyed rotations, by bone."""

    def key():
        for bone, values in keys.items():
            scenes.keyed(rig.pose.bones[bone], "rotation_euler", *values)

    made = action(rig, name, key)
    to_rest(rig)
    return made


def walker(name: str = "Skin") -> tuple[bpy.types.Object, bpy.types.Object]:
    """(skin, rig) with the actions Walk (frames 1 to 5), which it plays, and Run (11 to 17).

    Run leaves a bone alone that Walk bends. Another one is bent by hand, in no action.
    """
    rig = scenes.armature(4)
    rig.animation_data.action = None
    for made in list(bpy.data.actions):
        bpy.data.actions.remove(made)
    to_rest(rig)
    skin = scenes.skinned(scenes.grid(name, 4), rig)
    walk = bend(
        rig,
        "Walk",
        {
            "Bone0": [(1, (0, 0, 0)), (5, (0.5, 0.1, 0.3))],
            "Bone1": [(1, (0.2, 0, 0)), (5, (1, 0, 1))],
        },
    )
    bend(
        rig,
        "Run",
        {"Bone0": [(11, (0, 1, 0)), (17, (0, -1, 0))], "Bone2": [(11, (0, 0, 0)), (14, (1, 0, 0))]},
    )
    rig.pose.bones["Bone3"].rotation_euler = (0.3, 0.2, 0.1)
    play(rig, walk)
    return skin, rig


def play(owner: bpy.types.ID, made: bpy.types.Action | None, slot: int = 0) -> None:
    """As a user sets an action by hand."""
    data = owner.animation_data_create()
    data.action = made
    if SLOTTED and made is not None:
        data.action_slot = made.slots[slot]


def strip(
    owner: bpy.types.ID, track: str, name: str, start: int, made: bpy.types.Action, **options
) -> bpy.types.NlaStrip:
    data = owner.animation_data_create()
    tracks = data.nla_tracks
    on = tracks.get(track)
    if on is None:
        on = tracks.new()
        on.name = track
    new = on.strips.new(name, start, made)
    new.name = name
    for option, value in options.items():
        setattr(new, option, value)
    return new


def shape(*objects: bpy.types.Object) -> np.ndarray:
    """The vertices that objects show now, in the world."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    points = []
    for obj in objects:
        evaluated = obj.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        points += [tuple(evaluated.matrix_world @ vertex.co) for vertex in mesh.vertices]
        evaluated.to_mesh_clear()
    return np.array(points)


def shapes(objects: Sequence[bpy.types.Object], times: Sequence[Fraction]) -> np.ndarray:
    """(times, vertices, 3)."""
    found = []
    for time in times:
        set_frame(bpy.context.scene, Fraction(time))
        found.append(shape(*objects))
    return np.array(found)


def clips_of(text: str, *sources: bpy.types.Object, frames=None, **options) -> SceneClips:
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    return SceneClips(scene, sources, parse_clips(text, **options), frames)


def names_of(found: SceneClips) -> list[str]:
    return [clip.name for clip in found.clips]


def played(found: SceneClips, *sources: bpy.types.Object) -> dict[str, np.ndarray]:
    """The shapes of each clip, each evaluated alone."""
    result = {}
    for clip in found.clips:
        with found.alone(clip):
            result[clip.name] = shapes(sources, clip.times)
    return result


# -------------------------------------------------------------------------------------------------


def values(struct, *but: str) -> dict:
    """All simple properties of a struct, and the names of what others point to."""
    found = {}
    for prop in struct.bl_rna.properties:
        if prop.identifier in ("rna_type", *but):
            continue
        if prop.type == "POINTER":
            value = getattr(struct, prop.identifier)
            found[prop.identifier] = value and getattr(value, "name_full", repr(prop.identifier))
        elif prop.type != "COLLECTION":
            value = getattr(struct, prop.identifier)
            array = getattr(prop, "is_array", False)
            found[prop.identifier] = tuple(value) if array and prop.type != "STRING" else value
    return found


def everything() -> dict:
    """Of all that is or could be animated: its animation data, and its values."""
    found: dict = {}
    for owner in bpy.data.user_map():
        key = (owner.id_type, owner.name_full)
        data = getattr(owner, "animation_data", None)
        found[key, "data"] = data and {
            "own": values(data),
            "slot": getattr(data, "action_slot", None) and data.action_slot.identifier,
            "drivers": len(data.drivers),
            "tracks": [
                (values(track), [values(each, "strip_time") for each in track.strips])
                for track in data.nla_tracks
            ],
        }
    for obj in bpy.data.objects:
        found["object", obj.name_full] = (
            [tuple(row) for row in obj.matrix_basis],
            [(modifier.name, modifier.show_viewport) for modifier in obj.modifiers],
            {name: obj[name] for name in obj.keys() if isinstance(obj[name], (int, float, str))},
            [
                (bone.name, [tuple(row) for row in bone.matrix_basis], bone.rotation_mode)
                for bone in (obj.pose.bones if obj.pose else ())
            ],
        )
    for key in bpy.data.shape_keys:
        found["keys", key.name_full] = [(each.name, each.value) for each in key.key_blocks]
    for made in bpy.data.actions:
        slots = [values(slot) for slot in made.slots] if SLOTTED else None
        found["action", made.name_full] = (values(made), slots)
    scene = bpy.context.scene
    found["frame"] = scene.frame_current, scene.frame_subframe
    return found


def assert_same(before: dict) -> None:
    after = everything()
    assert after.keys() == before.keys()
    for key, value in before.items():
        assert after[key] == value, key
