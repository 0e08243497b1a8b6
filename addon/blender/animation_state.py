# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A datablock's animation, lent out and given back."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import bpy

from .actions import SLOTTED, Channel, Share, is_virgin, slot_of

# What has a rest value of its own: bones and shape keys. What another action did to it goes.
AT_REST = re.compile(
    r'(pose\.bones\["(?:[^"\\]|\\.)*"\]\.(?:location|rotation_(?:euler|quaternion|axis_angle)|scale|'
    r'bbone_\w+)|key_blocks\["(?:[^"\\]|\\.)*"\]\.value)'
)
# What a borrower changes of a strip, and then what Blender works out anew from an end that moved.
STRIP_PROPERTIES = ("mute", "frame_end_raw", "blend_in", "blend_out")
_PROPERTY = re.compile(r'(?:(.*)\["((?:[^"\\]|\\.)*)"\]|(?:(.*)\.)?(\w+))', re.DOTALL)


@contextmanager
def lent(owner: bpy.types.ID, channels: Collection[Channel]) -> Iterator[bpy.types.AnimData]:
    """Its animation data, out of tweak mode, to change as one likes; in the end it, and the values
    of `channels`, are as before."""
    values = {path: _value(owner, path) for path in {path for path, _ in channels}}
    had_data = owner.animation_data is not None
    data = owner.animation_data or owner.animation_data_create()
    try:
        with _out_of_tweak_mode(data), _action_and_strips_kept(data):
            yield data
    finally:
        if not had_data:
            owner.animation_data_clear()
        for path, value in values.items():
            if value is not None and _value(owner, path) != value:
                _set_value(owner, path, value)


@contextmanager
def playable(share: Share) -> Iterator[Share]:
    """The share itself; or, if to assign it would change it, one of a copy."""
    if not is_virgin(share):
        yield share
        return
    copy = share.action.copy()
    try:
        yield Share(share.owner, copy, share.slot)
    finally:
        bpy.data.actions.remove(copy)


def assign(data: bpy.types.AnimData, share: Share | None) -> None:
    data.action = share and share.action
    if SLOTTED and share:
        data.action_slot = slot_of(share.action, share.slot)


def to_rest(owner: bpy.types.ID, channels: Collection[Channel]) -> None:
    """Sets bones' and shape keys' channels to what they are without any animation."""
    for path, index in channels:
        if not AT_REST.fullmatch(path) or _value(owner, path) is None:
            continue
        holder, name = _holder(owner, path)
        rna = holder.bl_rna.properties[name]
        if rna.is_array:
            getattr(holder, name)[index] = rna.default_array[index]
        else:
            setattr(holder, name, rna.default)


def restart_simulations(scene: bpy.types.Scene) -> None:
    """Goes to where they start, if there are any, and has Blender make them anew.

    It would play what it simulated with other actions. Cloth and soft and rigid bodies keep the
    shape that they were first evaluated with.
    """
    modifiers, caches = [], []
    for obj in scene.objects:
        for modifier in obj.modifiers:
            cache = getattr(getattr(modifier, "particle_system", modifier), "point_cache", None)
            if cache is not None and modifier.show_viewport:
                modifiers.append(modifier)
                caches.append(cache)
    if scene.rigidbody_world is not None:
        caches.append(scene.rigidbody_world.point_cache)
    if not caches:
        return
    try:
        for modifier in modifiers:
            modifier.show_viewport = False
        scene.frame_set(min(cache.frame_start for cache in caches))
    finally:
        for modifier in modifiers:
            modifier.show_viewport = True
    # Values that are set tell Blender of a change, though they are the same.
    for obj in scene.objects:
        if obj.rigid_body is not None:
            obj.rigid_body.collision_shape = obj.rigid_body.collision_shape
    for cache in caches:
        cache.frame_start = cache.frame_start


# -------------------------------------------------------------------------------------------------


@contextmanager
def _out_of_tweak_mode(data: bpy.types.AnimData) -> Iterator[None]:
    if not data.use_tweak_mode:
        yield
        return
    with ExitStack() as stack:
        # They would take their action's length over on the way out.
        for track in data.nla_tracks:
            for strip in track.strips:
                if strip.use_sync_length:
                    strip.use_sync_length = False
                    stack.callback(setattr, strip, "use_sync_length", True)
        stack.callback(setattr, data, "use_tweak_mode", True)
        data.use_tweak_mode = False
        yield


@contextmanager
def _action_and_strips_kept(data: bpy.types.AnimData) -> Iterator[None]:
    action, use_nla = data.action, data.use_nla
    slot = data.action_slot if SLOTTED else None
    last_slot = data.last_slot_identifier if SLOTTED else ""
    strips = [strip for track in data.nla_tracks for strip in track.strips]
    before = [(strip, name, getattr(strip, name)) for name in STRIP_PROPERTIES for strip in strips]
    try:
        yield
    finally:
        data.action = action
        if SLOTTED:
            if action is not None:
                data.action_slot = slot
            data.last_slot_identifier = last_slot
        data.use_nla = use_nla
        for strip, name, value in before:
            if getattr(strip, name) != value:
                setattr(strip, name, value)


def _holder(owner: bpy.types.ID, path: str) -> tuple[Any, str]:
    """(what has the property, its name, or its key for a custom property)."""
    found = _PROPERTY.fullmatch(path)
    if found is None:
        raise ValueError(path)
    head = found[1] or found[3]
    name = bpy.utils.unescape_identifier(found[2]) if found[4] is None else found[4]
    return (owner.path_resolve(head) if head else owner), name


def _value(owner: bpy.types.ID, path: str) -> Any:
    """None for a path that leads to no value, as that of a bone which is no more."""
    try:
        value = owner.path_resolve(path)
        return value if isinstance(value, (bool, int, float, str)) else tuple(value)
    except (ValueError, TypeError):
        return None


def _set_value(owner: bpy.types.ID, path: str, value: Any) -> None:
    holder, name = _holder(owner, path)
    if not path.endswith("]"):
        setattr(holder, name, value)
    elif isinstance(value, tuple):
        for i, each in enumerate(value):  # as a whole it would become one of another type
            holder[name][i] = each
    else:
        holder[name] = value
