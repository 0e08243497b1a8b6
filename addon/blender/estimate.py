# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How large a bake will be, from what is evaluated at the current frame."""

from __future__ import annotations

from dataclasses import dataclass

import bpy

from ..core.errors import BakeError
from ..core.profiles import PROFILES
from ..core.settings import BakeSettings, FrameRange

BYTES_PER_TEXEL = 16
MESH_LIKE = {"MESH", "CURVE", "CURVES", "SURFACE", "FONT", "META", "POINTCLOUD"}


@dataclass(frozen=True)
class Estimate:
    """Texture size in pixels and megabytes. A bake that shares texels needs at most `slots`."""

    width: int
    height: int
    slots: int
    megabytes: float
    text: str


def estimate(context: bpy.types.Context, settings: BakeSettings) -> Estimate:
    """Looks at the current frame only, which is exact unless the topology changes.

    Raises BakeError where there is nothing to bake, or nothing large enough to hold it.
    """
    meshes = _meshes(context, _sources(context, settings))
    slots = sum(
        copies * (3 * (corners - 2 * faces) if settings.address == "vertex-id" else corners)
        for corners, faces, copies in meshes
    )
    if not slots:
        raise BakeError("There are no faces to bake in the chosen objects at this frame")
    scene = context.scene
    frames = settings.frames or FrameRange(scene.frame_start, scene.frame_end)
    width, height, _ = PROFILES[settings.profile].layout(
        slots, len(frames.times()), settings.max_size
    )
    megabytes = width * height * BYTES_PER_TEXEL / 1e6
    shared = settings.address == "uv" and settings.dedup != "none"
    text = (
        f"{width} × {height} px, {'up to ' if shared else ''}{slots:,} slots, {megabytes:,.1f} MB"
    )
    return Estimate(width, height, slots, megabytes, text)


def _sources(context: bpy.types.Context, settings: BakeSettings) -> list[bpy.types.Object]:
    if settings.objects:
        return [obj for obj in context.view_layer.objects if obj.name in set(settings.objects)]
    if settings.collection is not None:
        collection = bpy.data.collections.get(settings.collection)
        return list(collection.all_objects) if collection else []
    return list(context.view_layer.objects.selected)


def _meshes(
    context: bpy.types.Context, sources: list[bpy.types.Object]
) -> list[tuple[int, int, int]]:
    """(corners, faces, number of copies) of each distinct evaluated mesh."""
    depsgraph = context.evaluated_depsgraph_get()
    meshes = [(*_count(obj.evaluated_get(depsgraph)), 1) for obj in sources]
    counts: dict[int, tuple[int, int]] = {}
    copies: dict[int, int] = {}
    chosen = set(sources)
    for instance in depsgraph.object_instances:
        if not instance.is_instance or instance.object.type != "MESH":
            continue
        owner = instance.parent.original
        # A curve, a text or a metaball comes as an instance of itself, too.
        if owner not in chosen or (owner.type != "MESH" and instance.object.original == owner):
            continue
        mesh = instance.object.data.as_pointer()
        if mesh not in counts:
            counts[mesh] = _count(instance.object)
        copies[mesh] = copies.get(mesh, 0) + 1
    return meshes + [(*counts[mesh], number) for mesh, number in copies.items()]


def _count(evaluated: bpy.types.Object) -> tuple[int, int]:
    """Corners and faces. With subdivision on the graphics card only to_mesh() has them all."""
    if evaluated.type not in MESH_LIKE:
        return 0, 0
    mesh = evaluated.to_mesh()
    if mesh is None:
        return 0, 0
    try:
        return len(mesh.loops), len(mesh.polygons)
    finally:
        evaluated.to_mesh_clear()
