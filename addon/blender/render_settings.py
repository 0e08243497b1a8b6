# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where viewport and render settings differ, and baking with the latter.

Blender evaluates with viewport settings only. To bake with render settings, the viewport's are set
to them for the time of the bake. The geometry node Is Viewport cannot be reached that way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import bpy

# (viewport property, render property) by modifier type; every modifier has the first pair.
VISIBILITY = ("show_viewport", "show_render")
MODIFIER_PAIRS = {
    "SUBSURF": [("levels", "render_levels")],
    "MULTIRES": [("levels", "render_levels")],
    "SCREW": [("steps", "render_steps")],
    "OCEAN": [("viewport_resolution", "resolution")],
}
CURVE_PAIRS = [("resolution_u", "render_resolution_u"), ("resolution_v", "render_resolution_v")]
META_PAIRS = [("resolution", "render_resolution")]
CHILD_PAIRS = [("child_percent", "rendered_child_count")]


@dataclass(frozen=True)
class Difference:
    """`owner.viewport` shows something else than the render, which takes `value`."""

    owner: Any
    viewport: str
    value: Any
    what: str


def differences(objects: Iterable[bpy.types.Object]) -> list[Difference]:
    """Of the objects' modifiers, particles, curves and metaballs. They need not be evaluated."""
    found: list[Difference] = []
    for obj in objects:
        for modifier in obj.modifiers:
            what = f"object '{obj.name}', modifier '{modifier.name}'"
            pairs = [VISIBILITY, *MODIFIER_PAIRS.get(modifier.type, ())]
            found.extend(_compare(modifier, pairs, what))
            if modifier.type == "PARTICLE_SYSTEM":
                found.extend(_particles(obj, modifier.particle_system.settings))
        if obj.type in {"CURVE", "SURFACE", "FONT"}:
            # A render resolution of 0 means the viewport's.
            pairs = [pair for pair in CURVE_PAIRS if getattr(obj.data, pair[1])]
            found.extend(_compare(obj.data, pairs, f"object '{obj.name}'"))
        elif obj.type == "META":
            found.extend(_compare(obj.data, META_PAIRS, f"object '{obj.name}'"))
    return found


def warnings(found: Iterable[Difference]) -> list[str]:
    """A sentence for each difference, where the viewport's settings are baked."""
    return [
        f"Viewport and render settings differ: {each.what}, {each.viewport}; the viewport's was "
        "baked (--render-settings takes the other)"
        for each in found
    ]


@contextmanager
def applied(found: list[Difference]) -> Iterator[None]:
    """The viewport shows what the render would, until the block ends."""
    before = [(each, getattr(each.owner, each.viewport)) for each in found]
    try:
        for each in found:
            setattr(each.owner, each.viewport, each.value)
        yield
    finally:
        for each, value in reversed(before):
            setattr(each.owner, each.viewport, value)


def _compare(owner: Any, pairs: Iterable[tuple[str, str]], what: str) -> Iterator[Difference]:
    for viewport, render in pairs:
        value = getattr(owner, render)
        if getattr(owner, viewport) != value:
            yield Difference(owner, viewport, value, what)


def _particles(obj: bpy.types.Object, settings: bpy.types.ParticleSettings) -> Iterator[Difference]:
    what = f"object '{obj.name}', particles '{settings.name}'"
    if settings.display_percentage != 100:
        yield Difference(settings, "display_percentage", 100, what)
    if settings.child_type != "NONE":
        yield from _compare(settings, CHILD_PAIRS, what)
