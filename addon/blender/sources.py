# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects a bake takes, and why it cannot take one."""

from __future__ import annotations

import re

import bpy

from ..core.errors import BakeError
from ..core.settings import BakeSettings
from .playback import TAG

# What evaluates to a mesh, by itself or through geometry nodes.
MESH_LIKE = {"MESH", "CURVE", "SURFACE", "FONT", "META", "CURVES", "POINTCLOUD", "VOLUME"}


def is_mesh_like(obj: bpy.types.Object) -> bool:
    """Whether the object may show a mesh."""
    return obj.type in MESH_LIKE or makes_collection_instance(obj)


def makes_collection_instance(obj: bpy.types.Object) -> bool:
    return obj.instance_type == "COLLECTION" and obj.instance_collection is not None


def find_sources(context: bpy.types.Context, settings: BakeSettings) -> list[bpy.types.Object]:
    """The objects to bake, in a fixed order, each fit to be evaluated.

    Playback objects of earlier bakes stand among the others, and are left out unless named.
    """
    context.view_layer.update()  # until then it knows nothing of objects that were just made
    if settings.objects:
        sources = [_named(context, name) for name in dict.fromkeys(settings.objects)]
    elif settings.collection is not None:
        sources = _of_collection(settings.collection)
    else:
        selected = context.view_layer.objects.selected
        sources = [obj for obj in selected if is_mesh_like(obj) and TAG not in obj]
        if not sources:
            raise BakeError(
                "Nothing to bake is selected; select objects that have a mesh, curve, text or "
                "metaball, or name them (--objects, --collection)"
            )
    if not settings.objects:
        sources.sort(key=lambda obj: obj.name)
    for obj in sources:
        _check(context, obj)
    return [obj for obj in sources if obj.type != "META" or _shows_family(context, obj, sources)]


def _named(context: bpy.types.Context, name: str) -> bpy.types.Object:
    objects = context.scene.objects
    # A linked object may share its name with one of this file; its full name tells them apart.
    found = [obj for obj in objects if obj.name_full == name]
    found = found or [obj for obj in objects if obj.name == name]
    if not found:
        raise BakeError(_not_found(context.scene, name))
    if len(found) > 1:
        full = ", ".join(f"'{obj.name_full}'" for obj in found)
        raise BakeError(f"Several objects are called '{name}'; name one of {full}")
    obj = found[0]
    if TAG in obj:
        raise BakeError(
            f"Object '{name}' is the playback object of an earlier bake; name its source instead"
        )
    if not is_mesh_like(obj):
        raise BakeError(
            f"Object '{name}' is of type {obj.type}, which has no mesh; name objects that have one"
        )
    return obj


def _not_found(scene: bpy.types.Scene, name: str) -> str:
    elsewhere = [other.name for other in bpy.data.scenes if name in other.objects]
    if elsewhere:
        return (
            f"Object '{name}' is in the scene '{elsewhere[0]}', not in '{scene.name}'; make that "
            "scene the active one (and save the file, for the command line)"
        )
    return f"There is no object '{name}' in the scene '{scene.name}'; check the spelling"


def _of_collection(name: str) -> list[bpy.types.Object]:
    collection = bpy.data.collections.get(name)
    if collection is None:
        raise BakeError(f"There is no collection '{name}'; check the spelling")
    sources = [obj for obj in collection.all_objects if is_mesh_like(obj) and TAG not in obj]
    if not sources:
        raise BakeError(
            f"The collection '{name}' has no object with a mesh, curve, text or metaball"
        )
    return sources


def _shows_family(
    context: bpy.types.Context, obj: bpy.types.Object, sources: list[bpy.types.Object]
) -> bool:
    """Metaballs whose names differ in their number only make one mesh, which the first shows."""
    stem, _ = _stem_and_number(obj.name)
    metaballs = (other for other in context.view_layer.objects if other.type == "META")
    family = (other for other in metaballs if _stem_and_number(other.name)[0] == stem)
    first = min(family, key=lambda other: _stem_and_number(other.name)[1])
    if first not in sources:
        raise BakeError(
            f"The metaball '{obj.name}' has no mesh of its own: '{first.name}' shows the whole "
            "family; bake that one"
        )
    return first == obj


def _stem_and_number(name: str) -> tuple[str, int]:
    numbered = re.fullmatch(r"(.*)\.(\d+)", name, re.DOTALL)
    return (numbered[1], int(numbered[2])) if numbered else (name, 0)


def _check(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    if obj.mode == "EDIT":
        raise BakeError(f"Object '{obj.name}' is in Edit Mode; leave it (Tab) and bake again")
    if obj.name not in context.scene.objects:
        raise BakeError(
            f"Object '{obj.name}' is not in the scene '{context.scene.name}'; link its collection "
            "to the scene, or bake the scene that it is in"
        )
    # Blender would silently hand out the mesh without its modifiers.
    if obj.name not in context.view_layer.objects:
        raise BakeError(
            f"Object '{obj.name}' is in a collection that the view layer "
            f"'{context.view_layer.name}' excludes, so Blender does not evaluate it; tick the "
            "collection in the Outliner"
        )
    if not obj.evaluated_get(context.evaluated_depsgraph_get()).is_evaluated:
        raise BakeError(
            f"Object '{obj.name}' is disabled in viewports (or its collection is), so Blender does "
            "not evaluate it; enable the monitor icon in the Outliner"
        )
