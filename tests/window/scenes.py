# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The scenes of the window tests: `blender -b --python scenes.py -- NAME FILE`."""

import sys
from pathlib import Path

import bpy


def sheet(name: str, cells: int) -> bpy.types.Object:
    """A grid that waves, selected and active."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=cells, y_subdivisions=cells, size=4)
    obj = bpy.context.object
    obj.name = obj.data.name = name
    wave = obj.modifiers.new("Wave", "WAVE")
    wave.time_offset = -100
    wave.height = 0.4
    return obj


def waves() -> None:
    """A small bake, in a scene whose state would show any carelessness."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 0, 16
    bpy.data.objects["Cube"].keyframe_insert("location", frame=1)
    obj = sheet("Sheet", 24)
    obj.data.materials.append(bpy.data.materials.new("Paper"))
    scene.frame_set(5, subframe=0.25)


def long() -> None:
    """A bake that takes some seconds, so that it can be seen and cancelled."""
    bpy.context.scene.frame_end = 80
    sheet("Sheet", 100).modifiers.new("Subdivision", "SUBSURF").levels = 1
    bpy.ops.object.shade_smooth()


def fluid() -> None:
    """A drop of liquid that splashes: triangles, other ones each frame."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 8
    bpy.ops.object.select_all(action="DESELECT")
    drop = bpy.data.objects["Cube"]
    drop.scale = (0.4, 0.4, 0.4)
    drop.select_set(True)
    bpy.context.view_layer.objects.active = drop
    bpy.ops.object.quick_liquid()
    domain = bpy.context.object
    settings = domain.modifiers[0].domain_settings
    settings.cache_directory = str(Path(sys.argv[-1]).with_suffix(""))
    settings.cache_type = "ALL"
    settings.cache_frame_start, settings.cache_frame_end = 1, 8
    settings.resolution_max = 24
    settings.use_mesh = True
    bpy.ops.fluid.bake_all()
    domain.name = "Liquid"
    bpy.ops.object.select_all(action="DESELECT")
    domain.select_set(True)


name, path = sys.argv[-2:]
{"waves": waves, "long": long, "fluid": fluid}[name]()
bpy.ops.wm.save_as_mainfile(filepath=path)
