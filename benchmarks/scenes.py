# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The scenes that are measured. Each is one object, made from nothing in an empty scene.

`scenes.py NAME FRAMES FILE` saves one as a .blend.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Euler, Matrix, Vector


@dataclass(frozen=True)
class Scene:
    """A scene, how many frames of it are baked, and the texture limit that this needs."""

    title: str
    build: Callable[[], bpy.types.Object]
    frames: int
    max_size: int = 8192

    def load(self, frames: int) -> bpy.types.Object:
        """Replaces what is open by this scene, `frames` long, and returns its object."""
        bpy.ops.wm.read_factory_settings(use_empty=True)
        scene = bpy.context.scene
        scene.frame_start, scene.frame_end = 1, frames
        scene.frame_set(1)
        return self.build()


def wave_grid(x: int, y: int, *, smooth: bool, triangulate: bool = False) -> bpy.types.Object:
    """A grid of x times y vertices under a Wave modifier, moved, turned and scaled."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=x - 1, y_subdivisions=y - 1, size=10)
    grid = bpy.context.object
    grid.name = "Grid"
    grid.matrix_world = Matrix.LocRotScale(
        Vector((1.0, -2.0, 0.5)), Euler((0.2, 0.1, 0.7)), Vector((1.5, 1.0, 0.8))
    )
    if smooth:
        grid.data.shade_smooth()
    if triangulate:
        grid.modifiers.new("Triangulate", "TRIANGULATE")
    wave = grid.modifiers.new("Wave", "WAVE")
    wave.width, wave.height, wave.narrowness, wave.speed = 2.0, 0.6, 1.2, 0.15
    wave.time_offset = -60
    return grid


def skinned_tube(rings: int, around: int, frames: int, bones: int = 12) -> bpy.types.Object:
    """A tube of rings times around vertices that a chain of bones with keyed rotations bends."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=rings - 1, y_subdivisions=around - 1)
    tube = bpy.context.object
    tube.name = "Tube"
    tube.data.shade_smooth()
    length = 12.0
    along, angle = np.divmod(np.arange(rings * around), rings)[::-1]
    angle = angle * (math.tau / around)
    points = np.column_stack((np.cos(angle), np.sin(angle), along * (length / (rings - 1))))
    tube.data.vertices.foreach_set("co", points.astype(np.float32).ravel())
    rig = _bone_chain(length, bones)
    _weigh(tube, points[:, 2] * (bones / length), bones)
    tube.parent = rig
    tube.modifiers.new("Armature", "ARMATURE").object = rig
    _key_rotations(rig, frames)
    return tube


def _bone_chain(length: float, count: int) -> bpy.types.Object:
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for index in range(count):
        bone = rig.data.edit_bones.new(f"Bone{index}")
        bone.head = (0.0, 0.0, index * length / count)
        bone.tail = (0.0, 0.0, (index + 1) * length / count)
        bone.parent, parent = parent, bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def _weigh(tube: bpy.types.Object, height: np.ndarray, bones: int) -> None:
    """Shares each vertex between the two bones whose middles it lies between."""
    groups = [tube.vertex_groups.new(name=f"Bone{index}") for index in range(bones)]
    place = np.clip(height - 0.5, 0.0, bones - 1.0)
    lower = np.minimum(place.astype(int), bones - 2)
    share = place - lower
    for vertex, (bone, weight) in enumerate(zip(lower.tolist(), share.tolist(), strict=True)):
        groups[bone].add((vertex,), 1.0 - weight, "REPLACE")
        groups[bone + 1].add((vertex,), weight, "REPLACE")


def _key_rotations(rig: bpy.types.Object, frames: int) -> None:
    for index, bone in enumerate(rig.pose.bones):
        bone.rotation_mode = "XYZ"
        for frame in range(1, frames + 25, 25):
            bone.rotation_euler.x = 0.18 * math.sin(frame * 0.07 + index * 0.5)
            bone.rotation_euler.z = 0.12 * math.cos(frame * 0.05 + index * 0.3)
            bone.keyframe_insert("rotation_euler", frame=frame)


SCENES = {
    "smooth": Scene(
        "grid of 66,564 vertices, Wave, smooth", lambda: wave_grid(258, 258, smooth=True), 240
    ),
    "flat": Scene(
        "grid of 66,564 vertices, Wave, flat", lambda: wave_grid(258, 258, smooth=False), 240
    ),
    "triangulated": Scene(
        "the flat grid behind Triangulate",
        lambda: wave_grid(258, 258, smooth=False, triangulate=True),
        120,
    ),
    "skinned": Scene(
        "skinned tube of 20,000 vertices, smooth", lambda: skinned_tube(200, 100, 500), 500
    ),
    "long": Scene(
        "grid of 160,000 vertices, Wave, smooth",
        lambda: wave_grid(400, 400, smooth=True),
        600,
        max_size=16384,
    ),
    "big": Scene(
        "grid of 1,000,000 corners, Wave, flat",
        lambda: wave_grid(501, 501, smooth=False),
        100,
        max_size=16384,
    ),
}


if __name__ == "__main__":
    SCENES[sys.argv[1]].load(int(sys.argv[2]))
    bpy.ops.wm.save_as_mainfile(filepath=sys.argv[3])
