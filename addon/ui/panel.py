# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The VAT tab in the sidebar of the 3D view. It draws what is known, and computes nothing."""

from __future__ import annotations

import textwrap

import bpy

from ..blender.estimate import Estimate
from ..core.engines import ENGINES
from ..core.profiles import PROFILES
from .clip_list import draw_clips
from .operators import TRUEVAT_OT_bake, obstacle
from .state import state


class TRUEVAT_PT_bake(bpy.types.Panel):
    bl_label = "Vertex Animation Texture"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "VAT"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        settings = context.scene.truevat

        # On top, as Blender's own bake button: the settings may be longer than the window.
        if state.running:
            _draw_progress(layout)
        else:
            _draw_start(layout, context)
            _draw_result(layout, context)

        form = layout.column()
        form.enabled = not state.running
        _draw_source(form, settings)
        _draw_clips(form, context)
        _draw_layout(form, settings)
        _draw_output(form, settings)


def _draw_source(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    layout.prop(settings, "source")
    if settings.source == "collection":
        layout.prop(settings, "collection")


def _draw_clips(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    header, body = layout.panel("TRUEVAT_PT_clips")
    header.label(text="Clips")
    if body is not None:
        draw_clips(body, context)


def _draw_layout(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    header, body = layout.panel("TRUEVAT_PT_layout")
    header.label(text="Layout")
    if body is None:
        return
    profile = PROFILES[settings.profile]
    body.prop(settings, "profile")
    if len(profile.addresses) > 1:
        body.prop(settings, "address")
    if len(profile.pixels) > 1:
        body.prop(settings, "pixel")
        if settings.pixel == "auto" and profile.measures:
            body.prop(settings, "tolerance")
    if len(profile.normals) > 1:
        body.prop(settings, "normals")
    _draw_advanced(body, settings)


def _draw_advanced(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    header, body = layout.panel("TRUEVAT_PT_advanced", default_closed=True)
    header.label(text="Advanced")
    if body is None:
        return
    profile = PROFILES[settings.profile]
    if len(profile.normal_textures) > 1:
        body.prop(settings, "normal_texture")
    if len(profile.dedups) > 1 and settings.address == "uv":
        body.prop(settings, "dedup")
    if len(profile.rows) > 1:
        body.prop(settings, "rows")
    body.prop(settings, "max_size")
    column = body.column(heading="Options")
    if profile.rounds:
        column.prop(settings, "openvat_rounding")
    if profile.guards:
        column.prop(settings, "guard")
    if settings.address == "uv" or not profile.triangle_object:
        column.prop(settings, "bounds")
    column.prop(settings, "render_settings")


def _draw_output(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    header, body = layout.panel("TRUEVAT_PT_output")
    header.label(text="Output")
    if body is None:
        return
    body.prop(settings, "output")
    body.prop(settings, "file_name")
    body.prop(settings, "mesh")
    body.prop(settings, "join")
    column = body.column(heading="Import Settings")
    for engine in ENGINES:
        column.prop(settings, f"engine_{engine}")


def _draw_start(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    row = layout.row()
    row.scale_y = 1.6
    row.operator(TRUEVAT_OT_bake.bl_idname, icon="RENDER_ANIMATION")
    reason = obstacle(context)
    estimate = state.estimates.get((context.scene.name, context.view_layer.name))
    if reason:
        _label(layout, context, reason, icon="INFO")
    elif isinstance(estimate, Estimate):
        _label(layout, context, estimate.text, icon="TEXTURE")
    elif estimate:
        _label(layout, context, estimate, icon="ERROR")


def _draw_progress(layout: bpy.types.UILayout) -> None:
    progress = state.progress
    row = layout.row()
    row.scale_y = 1.6
    if progress is None:
        row.progress(factor=0.0, text="Starting")
    else:
        row.progress(factor=progress.fraction, text=progress.text)
    layout.label(text="Press Esc to cancel")


def _draw_result(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    if state.error:
        _label(layout.box(), context, state.error, icon="ERROR")
    report = state.report
    if report is None:
        return
    box = layout.box()
    _label(box, context, report.summary, icon="CHECKMARK")
    column = box.column(align=True)
    column.scale_y = 0.9
    # An engine's import settings have no role but their name, and are many.
    files = [path for role, path in report.files.items() if role != path.name]
    for path in files:
        column.label(text=path.name, icon="FILE")
    if others := len(report.files) - len(files):
        column.label(text=f"{others} files for engines", icon="BLANK1")
    for warning in report.warnings:
        _label(box, context, warning, icon="ERROR")
    for note in report.notes:
        _label(box, context, note, icon="INFO")
    box.operator("wm.path_open", text="Open Folder", icon="FILE_FOLDER").filepath = str(
        report.directory
    )


def _label(layout: bpy.types.UILayout, context: bpy.types.Context, text: str, *, icon: str) -> None:
    """A label that is wrapped to the sidebar's width instead of cut off."""
    scale = context.preferences.system.ui_scale
    # About 6 units a letter; the margins and the icon take 70.
    letters = max(int((context.region.width / scale - 70) / 6), 10)
    column = layout.column()
    column.scale_y = 0.75
    lines = [part for line in text.splitlines() for part in textwrap.wrap(line, letters)]
    for index, line in enumerate(lines):
        column.label(text=line, icon="BLANK1" if index else icon)


def register() -> None:
    bpy.utils.register_class(TRUEVAT_PT_bake)


def unregister() -> None:
    bpy.utils.unregister_class(TRUEVAT_PT_bake)
