# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Says who changed a topology, and how."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import bpy

from ..core.errors import BakeError
from ..core.mesh import Topology

# What makes or takes away geometry; the ones that do it from frame to frame by nature first.
COUNT_CHANGERS = (
    ("BUILD", "FLUID", "MESH_SEQUENCE_CACHE", "EXPLODE", "PARTICLE_SYSTEM", "PARTICLE_INSTANCE"),
    ("REMESH", "NODES", "VOLUME_TO_MESH", "OCEAN", "BOOLEAN", "DECIMATE", "MASK", "WELD", "SKIN"),
    ("EDGE_SPLIT", "BEVEL", "ARRAY", "SCREW", "SOLIDIFY", "WIREFRAME", "SUBSURF", "MULTIRES"),
    ("MIRROR", "TRIANGULATE"),
)
Shown = Sequence[tuple[int, Topology]]
"""(index of the source, topology) of each mesh instance."""


def explain_change(
    sources: Sequence[bpy.types.Object],
    then: Shown,
    now: Shown,
    start: Fraction,
    time: Fraction,
) -> BakeError:
    """The error for two frames that do not have the same topology, by UV addressing."""
    for group, obj in enumerate(sources):
        before = [topology for owner, topology in then if owner == group]
        after = [topology for owner, topology in now if owner == group]
        if before and not after and obj.hide_viewport:
            return BakeError(
                f"Object '{obj.name}' is disabled in viewports at frame {float(time):g}, so "
                "Blender does not evaluate it; remove that animation, bake other frames, or bake "
                "with vertex-ID addressing (--address vertex-id), which shows nothing then"
            )
        if before != after:
            how = _difference(before, after, f"frame {float(start):g}", f"frame {float(time):g}")
            return BakeError(
                f"Object '{obj.name}': {how}{_suspect(obj)}. A texture addressed by UV needs one "
                "topology; bake with vertex-ID addressing (--address vertex-id), or make the "
                "modifier keep its counts"
            )
    return BakeError(
        f"The order of instances at frame {float(time):g} is not that of frame {float(start):g}; "
        "bake with vertex-ID addressing (--address vertex-id)"
    )


def _difference(before: list[Topology], after: list[Topology], first: str, later: str) -> str:
    if len(before) != len(after):
        return f"{len(before)} meshes (with instances) at {first}, but {len(after)} at {later}"
    for old, new in zip(before, after, strict=True):
        for name, was, has in zip(
            ("vertices", "corners", "faces"), old.counts, new.counts, strict=True
        ):
            if was != has:
                return f"{was:,} {name} at {first}, but {has:,} at {later}"
    return f"its faces connect other vertices at {later} than at {first}"


def _suspect(obj: bpy.types.Object) -> str:
    active = [modifier for modifier in obj.modifiers if modifier.show_viewport]
    for types in COUNT_CHANGERS:
        for modifier in active:
            if modifier.type in types:
                return f", likely because of the modifier '{modifier.name}' ({modifier.type})"
    return ""
