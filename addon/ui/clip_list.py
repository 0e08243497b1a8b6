# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Clips panel: where clips come from, the list of them, and its buttons."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty

from ..core.clips import NOUNS
from . import watch
from .clip_properties import TrueVATClip, TrueVATClipList


class TRUEVAT_UL_clips(bpy.types.UIList):
    bl_idname = "TRUEVAT_UL_clips"

    def draw_item(
        self,
        _context: bpy.types.Context,
        layout: bpy.types.UILayout,
        _clips: TrueVATClipList,
        row: TrueVATClip,
        _icon: int,
        _active_owner: TrueVATClipList,
        _active_property: str,
    ) -> None:
        layout.prop(row, "use", text="")
        rest = layout.row(align=True)
        rest.active = row.use
        rest.prop(row, "name", text="", emboss=False)
        if row.use_fps:
            rate = rest.row()
            rate.alignment = "RIGHT"
            rate.label(text=f"{row.fps:.4g} fps")
        rest.prop(row, "loop", text="", icon="LOOP_FORWARDS" if row.loop else "FORWARD")


class TRUEVAT_OT_clip_add(bpy.types.Operator):
    """Add a range of frames as a clip"""

    bl_idname = "truevat.clip_add"
    bl_label = "Add Clip"
    bl_options = {"UNDO", "INTERNAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        scene = context.scene
        clips = scene.truevat.ranges
        names = {row.name for row in clips.rows}
        number = next(n for n in range(1, len(names) + 2) if f"Clip {n}" not in names)
        begin, end = scene.frame_start, scene.frame_end
        if clips.rows:
            before = clips.rows[-1]
            begin, end = before.end + 1, 2 * before.end + 1 - before.start
        row = clips.rows.add()
        row.name, row.start, row.end = f"Clip {number}", begin, end
        clips.active = len(clips.rows) - 1
        return {"FINISHED"}


class TRUEVAT_OT_clip_remove(bpy.types.Operator):
    """Remove the active clip"""

    bl_idname = "truevat.clip_remove"
    bl_label = "Remove Clip"
    bl_options = {"UNDO", "INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.scene.truevat.ranges.active_row is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        clips = context.scene.truevat.ranges
        clips.rows.remove(clips.active)
        clips.active = max(min(clips.active, len(clips.rows) - 1), 0)
        watch.schedule()
        return {"FINISHED"}


class TRUEVAT_OT_clips_tick(bpy.types.Operator):
    """Tick all clips, or none"""

    bl_idname = "truevat.clips_tick"
    bl_label = "Tick Clips"
    bl_options = {"UNDO", "INTERNAL"}

    use: BoolProperty(name="Bake", description="Whether the clips are baked", default=True)

    @classmethod
    def description(
        cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties
    ) -> str:
        return "Tick all clips" if properties.use else "Untick all clips"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.scene.truevat.clips != "scene"

    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = context.scene.truevat
        for row in getattr(settings, settings.clips).rows:
            row.use = self.use
        return {"FINISHED"}


def draw_clips(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    settings = context.scene.truevat
    layout.prop(settings, "clips")
    if settings.clips == "scene":
        _draw_scene(layout, context.scene)
    else:
        _draw_list(layout, settings)
    layout.prop(settings, "sampling")
    if settings.sampling != "auto":
        layout.prop(settings, settings.sampling)
    if settings.clips != "scene":
        layout.prop(settings, "texture_per_clip")


def _draw_scene(layout: bpy.types.UILayout, scene: bpy.types.Scene) -> None:
    settings = scene.truevat
    layout.prop(settings, "frames")
    if settings.frames == "custom":
        column = layout.column(align=True)
        column.prop(settings, "frame_start")
        column.prop(settings, "frame_end")
        if settings.sampling == "auto":
            column.prop(settings, "frame_step")
    layout.prop(settings, "clip_name", placeholder=scene.name)
    layout.prop(settings, "clip_loop")


def _draw_list(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    kind = settings.clips
    clips = getattr(settings, kind)
    row = layout.row()
    row.use_property_split = False  # which would indent what is in the list
    row.template_list(
        TRUEVAT_UL_clips.bl_idname, kind, clips, "rows", clips, "active", rows=3, maxrows=8
    )
    buttons = row.column(align=True)
    if kind in NOUNS:
        buttons.operator("truevat.clips_tick", text="", icon="CHECKBOX_HLT").use = True
        buttons.operator("truevat.clips_tick", text="", icon="CHECKBOX_DEHLT").use = False
    else:
        buttons.operator("truevat.clip_add", text="", icon="ADD")
        buttons.operator("truevat.clip_remove", text="", icon="REMOVE")
    if clips.active_row:
        _draw_row(layout, clips.active_row, kind)


def _draw_row(layout: bpy.types.UILayout, clip: TrueVATClip, kind: str) -> None:
    """What does not fit into the list, of its active row."""
    if kind == "ranges":
        column = layout.column(align=True)
        column.prop(clip, "start")
        column.prop(clip, "end")
    else:
        split = layout.split(factor=0.4)
        label = split.row()
        label.alignment = "RIGHT"
        label.label(text="Frames")
        split.label(text=clip.frames)
    rate = layout.row(heading="Own Rate")
    rate.prop(clip, "use_fps", text="")
    value = rate.row()
    value.active = clip.use_fps
    value.prop(clip, "fps", text="")


CLASSES = (
    TRUEVAT_UL_clips,
    TRUEVAT_OT_clip_add,
    TRUEVAT_OT_clip_remove,
    TRUEVAT_OT_clips_tick,
)


def register() -> None:
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
