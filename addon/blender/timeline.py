# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which frames are evaluated, which of them are baked, and the way back."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import bpy

POINT_CACHE_MODIFIERS = {"CLOTH", "SOFT_BODY", "DYNAMIC_PAINT"}


def frames_per_second(scene: bpy.types.Scene) -> Fraction:
    """Exact: 24 / 1.001 is 24000 / 1001."""
    return Fraction(scene.render.fps) / Fraction(scene.render.fps_base).limit_denominator(10_000)


def schedule(
    times: list[Fraction], simulation_start: int | None, played: int | None = None
) -> Iterator[tuple[Fraction, bool]]:
    """(frame, whether it is baked). A simulation needs every whole frame from its own start on, or
    from the one after `played`, the last one that it has under the same animation."""
    if simulation_start is None:
        yield from ((time, True) for time in times)
        return
    whole = min(simulation_start, math.floor(times[0]))
    if played is not None and played < times[0]:
        whole = played + 1
    for time in times:
        for between in range(whole, math.ceil(time)):
            yield Fraction(between), False
        yield time, True
        whole = math.floor(time) + 1


def set_frame(scene: bpy.types.Scene, time: Fraction) -> None:
    whole = math.floor(time)
    scene.frame_set(whole, subframe=float(time - whole))


@contextmanager
def frame_restored(scene: bpy.types.Scene) -> Iterator[None]:
    """Comes back to the frame and sub-frame of before, however the block ends."""
    # The sum, since a negative frame with a sub-frame reads back one too high, with a negative
    # sub-frame. Not frame_current_final, which is stretched by time remapping.
    before = scene.frame_current + scene.frame_subframe
    whole = math.floor(before)
    try:
        yield
    finally:
        scene.frame_set(whole, subframe=before - whole)


def simulation_start(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> int | None:
    """The first frame of whatever is simulated in the scene; None if nothing is."""
    starts: list[int] = []
    # Not the scene's objects: a collection that is only instanced may hold some too.
    for datablock in depsgraph.ids:
        if isinstance(datablock, bpy.types.Object):
            for modifier in datablock.original.modifiers:
                starts.extend(_modifier_starts(scene, modifier))
    world = scene.rigidbody_world
    if world is not None and world.enabled and world.point_cache is not None:
        starts.append(world.point_cache.frame_start)
    return min(starts, default=None)


def baked_caches(depsgraph: bpy.types.Depsgraph) -> list[str]:
    """`'Object' (Modifier)` of simulations whose cache the user has baked: they play that."""
    found = []
    for datablock in depsgraph.ids:
        if isinstance(datablock, bpy.types.Object):
            for modifier in datablock.original.modifiers:
                owner = getattr(modifier, "particle_system", modifier)
                cache = getattr(owner, "point_cache", None)
                if modifier.show_viewport and cache is not None and cache.is_baked:
                    found.append(f"'{datablock.name}' ({modifier.name})")
    return found


def _modifier_starts(scene: bpy.types.Scene, modifier: bpy.types.Modifier) -> Iterator[int]:
    if not modifier.show_viewport:
        return
    if modifier.type == "PARTICLE_SYSTEM":
        yield modifier.particle_system.point_cache.frame_start
    elif modifier.type == "FLUID" and modifier.fluid_type == "DOMAIN":
        yield modifier.domain_settings.cache_frame_start
    elif modifier.type == "NODES" and _has_simulation(modifier.node_group, set()):
        yield scene.frame_start
    elif modifier.type in POINT_CACHE_MODIFIERS:
        cache = getattr(modifier, "point_cache", None)
        yield cache.frame_start if cache else scene.frame_start


def _has_simulation(tree: bpy.types.NodeTree | None, seen: set[str]) -> bool:
    if tree is None or tree.name_full in seen:
        return False
    seen.add(tree.name_full)
    return any(
        node.bl_idname == "GeometryNodeSimulationInput"
        or (node.type == "GROUP" and _has_simulation(node.node_tree, seen))
        for node in tree.nodes
    )
