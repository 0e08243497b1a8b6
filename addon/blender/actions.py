# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What animates the objects to bake, and which actions could.

Since 4.4 an action has slots, one for each datablock that it animates; before, it animated one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import bpy

SLOTTED = hasattr(bpy.types, "ActionSlot")
# What has no part in the shape of an object, or leads to everything.
BLIND = {"ACTION", "IMAGE", "LIBRARY", "MATERIAL", "SCENE", "SCREEN", "SOUND", "TEXT", "WORLD"}
# How sure it is that an action is meant for a datablock: it or its name says so; its curves name
# parts that the datablock has; they fit anything of its type.
OWNED, NAMED, PLAIN = 3, 2, 1

Channel = tuple[str, int]
"""(data path, index in an array) of what a curve animates."""


@dataclass(frozen=True)
class Share:
    """The part of an action, its slot's handle (0 before 4.4), that moves one datablock."""

    owner: bpy.types.ID
    action: bpy.types.Action
    slot: int = 0


class Relations:
    """All that some objects depend on: their data, shape keys, parents, armatures and others that
    modifiers or constraints name, targets of drivers, node groups, instanced collections."""

    def __init__(self, sources: Sequence[bpy.types.Object]) -> None:
        self._users = bpy.data.user_map()
        uses: dict[bpy.types.ID, list[bpy.types.ID]] = defaultdict(list)
        for used, users in self._users.items():
            for user in users:
                uses[user].append(used)
        found = dict.fromkeys(sources)
        queue = list(found)
        for each in queue:
            for used in sorted(uses[each], key=lambda used: (used.id_type, used.name_full)):
                if used not in found and used.id_type not in BLIND:
                    found[used] = None
                    queue.append(used)
        self.sources = list(sources)
        # Some types, as collections, cannot be animated.
        self.datablocks = [each for each in found if hasattr(each, "animation_data")]
        self._assigned = {each: assigned(each.animation_data) for each in self.datablocks}
        self._names = {(each.id_type, each.name) for each in self._users}
        self._channels: dict[tuple[bpy.types.Action, int], frozenset[Channel]] = {}

    def channels(self, action: bpy.types.Action, slot: int) -> frozenset[Channel]:
        key = (action, slot)
        if key not in self._channels:
            self._channels[key] = frozenset(
                (curve.data_path, curve.array_index) for curve in curves(action, slot)
            )
        return self._channels[key]

    def known_channels(self, owner: bpy.types.ID) -> set[Channel]:
        """Whatever the datablock's own action and strips animate."""
        return {
            channel
            for action, slot in self._assigned[owner]
            for channel in self.channels(action, slot)
        }

    def shares(self, action: bpy.types.Action, asked_for: bool) -> list[Share]:
        """The datablocks that an action is for. One that is not `asked_for` by its name must not
        be in use elsewhere, as another character's."""
        best: dict[bpy.types.ID, tuple[int, int]] = {}
        owners = {
            owner for owner, each in self._assigned.items() if any(action == own for own, _ in each)
        }
        busy = bool(self._users.get(action, set()) - owners)
        for slot, id_type, name in _slots(action):
            levels = {
                owner: level
                for owner in self.datablocks
                if (level := self._level(owner, action, slot, id_type, name))
            }
            top = max(levels.values(), default=0)
            elsewhere = busy or (id_type, name) in self._names
            if top < OWNED and elsewhere and not asked_for:
                continue
            players = [owner for owner, level in levels.items() if level == top]
            if top == PLAIN:
                players = self._likeliest(players)
            for owner in players:
                if best.get(owner, (0, 0))[0] < top:
                    best[owner] = (top, slot)
        return [Share(owner, action, best[owner][1]) for owner in self.datablocks if owner in best]

    def _level(
        self, owner: bpy.types.ID, action: bpy.types.Action, slot: int, id_type: str, name: str
    ) -> int:
        if id_type not in (owner.id_type, ""):
            return 0
        if (action, slot) in self._assigned[owner] or name == owner.name:
            return OWNED
        paths = {path for path, _ in self.channels(action, slot)}
        parts = {part[0] for path in paths if (part := re.match(r".*\]", path, re.DOTALL))}
        found = sum(_resolves(owner, part) for part in parts)
        if parts:
            return NAMED if 2 * found >= len(parts) else 0
        return PLAIN if paths and all(_resolves(owner, path) for path in paths) else 0

    def _likeliest(self, owners: Sequence[bpy.types.ID]) -> list[bpy.types.ID]:
        """One that is animated already; else a source; else none."""
        animated = [owner for owner in owners if self._assigned[owner]]
        return (animated or [owner for owner in owners if owner in self.sources])[:1]


# -------------------------------------------------------------------------------------------------


def curves(action: bpy.types.Action, slot: int) -> Iterator[bpy.types.FCurve]:
    if not SLOTTED:
        yield from action.fcurves
        return
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                if bag.slot_handle == slot:
                    yield from bag.fcurves


def action_range(action: bpy.types.Action) -> tuple[Fraction, Fraction, bool] | None:
    """(start, end, whether it loops), by hand or from its keyframes; None if it has none."""
    if action.use_frame_range:
        return Fraction(action.frame_start), Fraction(action.frame_end), action.use_cyclic
    if any(
        len(curve.keyframe_points) for slot, *_ in _slots(action) for curve in curves(action, slot)
    ):
        start, end = action.curve_frame_range
        return Fraction(start), Fraction(end), False
    return None


def is_virgin(share: Share) -> bool:
    """Whether the first datablock that it is assigned to would stamp its type on the action."""
    return any(not id_type for slot, id_type, _ in _slots(share.action) if slot == share.slot)


def slot_of(action: bpy.types.Action, handle: int) -> bpy.types.ActionSlot | None:
    return next((slot for slot in action.slots if slot.handle == handle), None)


def strips(data: bpy.types.AnimData | None) -> Iterator[bpy.types.NlaStrip]:
    """Those that Blender would evaluate, if they were not muted themselves."""
    if data is None or not data.use_nla:
        return
    solo = any(track.is_solo for track in data.nla_tracks)
    for track in data.nla_tracks:
        if track.is_solo or not (solo or track.mute):
            yield from track.strips


def assigned(data: bpy.types.AnimData | None) -> set[tuple[bpy.types.Action, int]]:
    """The actions, and slots, that a datablock has, whether they are muted or not."""
    found = set()
    if data is not None:
        found.add((data.action, getattr(data, "action_slot_handle", 0)))
        found.add((data.action_tweak_storage, getattr(data, "action_slot_handle_tweak_storage", 0)))
        for track in data.nla_tracks:
            found.update(_strip_actions(track.strips))
    return {(action, slot) for action, slot in found if action is not None}


def _strip_actions(
    all_strips: Iterable[bpy.types.NlaStrip],
) -> Iterator[tuple[bpy.types.Action | None, int]]:
    for strip in all_strips:
        yield strip.action, getattr(strip, "action_slot_handle", 0)
        yield from _strip_actions(strip.strips)


def _slots(action: bpy.types.Action) -> list[tuple[int, str, str]]:
    """(handle, type of datablock, name of the datablock that it was made for) of each."""
    if not SLOTTED:
        return [(0, action.id_root, "")]
    return [
        (
            slot.handle,
            "" if slot.target_id_type == "UNSPECIFIED" else slot.target_id_type,
            slot.name_display,
        )
        for slot in action.slots
    ]


def _resolves(owner: bpy.types.ID, path: str) -> bool:
    try:
        owner.path_resolve(path)
    except ValueError:
        return False
    return True
