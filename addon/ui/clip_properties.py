# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips as the scene keeps them: a list for each source that there is a choice in."""

from __future__ import annotations

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    FloatProperty,
    IntProperty,
    StringProperty,
)

from ..core.clip_text import HIGHEST_FPS
from . import watch

CLIP_ITEMS = (
    ("scene", "Scene", "One clip: the scene's frames, or a range of its own"),
    ("actions", "Actions", "Each action of the objects, or of what moves them, is a clip"),
    ("nla", "NLA Strips", "Each strip of the objects, or of what moves them, is a clip"),
    ("markers", "Markers", "From each marker of the timeline up to the next one is a clip"),
    ("ranges", "Ranges", "Each clip is a range of the scene's frames"),
)
SAMPLING_ITEMS = (
    ("auto", "Scene Frames", "Bake the scene's frames, with the step that its range has"),
    ("fps", "Frame Rate", "Bake so many frames per second, with sub-frames where needed"),
    ("step", "Step", "Bake every so many frames"),
)


def changed(_owner: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    watch.schedule()


class TrueVATClip(bpy.types.PropertyGroup):
    """A row of a list. `source` names what the clip is made of, `source_loop` is what that says
    about itself, and `frames` is to be read by people; a range has its own `start` and `end`."""

    name: StringProperty(name="Name", description="What the clip is called", update=changed)
    use: BoolProperty(name="Bake", description="Bake this clip", default=True, update=changed)
    loop: BoolProperty(
        name="Loop",
        description="The clip begins anew where it ends. A last frame that repeats the first one "
        "is left out",
        update=changed,
    )
    use_fps: BoolProperty(
        name="Own Frame Rate",
        description="Bake this clip at a frame rate of its own",
        update=changed,
    )
    fps: FloatProperty(
        name="Frame Rate",
        description="Frames per second that are baked of this clip",
        default=30.0,
        min=0.01,
        max=HIGHEST_FPS,
        precision=2,
        step=100,
        update=changed,
    )
    start: FloatProperty(
        name="Start",
        description="First frame of the clip. Fractions and negative frames work",
        default=1.0,
        precision=2,
        step=100,
        update=changed,
    )
    end: FloatProperty(
        name="End",
        description="Last frame of the clip. For a loop, where its first pose comes again, or the "
        "frame before",
        default=24.0,
        precision=2,
        step=100,
        update=changed,
    )
    source: StringProperty(name="Source", description="What the clip is made of")
    source_loop: BoolProperty(name="Source Loops", description="Whether the source says so itself")
    frames: StringProperty(name="Frames", description="The clip's frames in the scene")


class TrueVATClipList(bpy.types.PropertyGroup):
    """`absent` keeps what was set for clips that are not there now, as while another object is
    selected."""

    rows: CollectionProperty(name="Clips", description="Clips to choose from", type=TrueVATClip)
    absent: CollectionProperty(
        name="Absent Clips", description="Clips that are not there now", type=TrueVATClip
    )
    active: IntProperty(name="Active Clip", description="The clip whose settings are shown")

    @property
    def active_row(self) -> TrueVATClip | None:
        return self.rows[self.active] if 0 <= self.active < len(self.rows) else None


CLASSES = (TrueVATClip, TrueVATClipList)


def register() -> None:
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
