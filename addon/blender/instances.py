# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The meshes that a source object shows in a frame: its own, and its instances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import bpy
import mathutils

Instance = tuple[int, bpy.types.Object, mathutils.Matrix]
"""(index of the source, evaluated object, world matrix). Only valid until the next one."""


def may_instance(obj: bpy.types.Object) -> bool:
    """Whether an object can show anything but its own mesh. Text, curves and metaballs count too:
    Blender hands out their meshes as instances of themselves."""
    return (
        obj.type != "MESH"
        or obj.instance_type != "NONE"
        or any(modifier.type in {"NODES", "PARTICLE_SYSTEM"} for modifier in obj.modifiers)
    )


def instances(
    depsgraph: bpy.types.Depsgraph, sources: Sequence[bpy.types.Object], instancing: set[int]
) -> Iterator[Instance]:
    """In an order that is the same each frame. `instancing`: the sources that may_instance()."""
    for group, obj in enumerate(sources):
        if group not in instancing:
            evaluated = obj.evaluated_get(depsgraph)
            # Disabled in viewports for some frames, it would show what it did before.
            if evaluated.is_evaluated and not evaluated.hide_viewport:
                yield group, evaluated, evaluated.matrix_world
    if not instancing:
        return
    groups = {sources[group].as_pointer(): group for group in instancing}
    for instance in depsgraph.object_instances:
        owner = instance.parent if instance.is_instance else instance.object
        group = groups.get(owner.original.as_pointer())
        if group is None or not (instance.is_instance or instance.show_self):
            continue
        if instance.object.type == "MESH":
            yield group, instance.object, instance.matrix_world
