# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Does a texture that was baked by vertex ID hold, frame by frame, what Blender shows?

blender -b SCENE --python compare.py -- OBJECT TEXTURE
"""

import sys

import bpy
import numpy as np


def texels(path: str) -> np.ndarray:
    """(rows, columns, RGBA) as Blender's own reader has them, row 0 at the bottom."""
    image = bpy.data.images.load(path)
    image.colorspace_settings.name = "Non-Color"
    image.alpha_mode = "CHANNEL_PACKED"
    width, height = image.size
    pixels = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    return pixels.reshape(height, width, 4)


def triangle_corners(obj: bpy.types.Object) -> np.ndarray:
    """(corners, XYZ) in world space, at the scene's frame."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    mesh.calc_loop_triangles()
    corners = [vertex for triangle in mesh.loop_triangles for vertex in triangle.vertices]
    world = [evaluated.matrix_world @ mesh.vertices[vertex].co for vertex in corners]
    evaluated.to_mesh_clear()
    return np.array(world, np.float32).reshape(-1, 3)


name, path = sys.argv[-2:]
scene = bpy.context.scene
pixels = texels(path)
header = int(pixels[0, 0, 0].view(np.uint32))
rows, frames = header >> 16, (header & 0xFFFF) + 1
assert frames == scene.frame_end - scene.frame_start + 1, frames

counts = []
for number in range(frames):
    scene.frame_set(scene.frame_start + number)
    shown = triangle_corners(bpy.data.objects[name])
    first = 1 + number * rows
    stored = pixels[first : first + rows].reshape(-1, 4)[:, :3]
    assert np.array_equal(stored[: len(shown)], shown), f"frame {number} differs"
    assert not stored[len(shown) :].any(), f"frame {number} has more than Blender shows"
    counts.append(len(shown))
assert len(set(counts)) > 1, f"a fluid that does not change: {counts}"
print("corners of each frame:", counts)
