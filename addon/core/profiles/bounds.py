# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What Houdini-style and hand-made Unity shaders read: positions as 0..1 of their bounds.

`<name>_pos.exr` has positions in Unity's axes, (x, z, y) of Blender's, each axis mapped from the
bounds to 0..1, and A is 1; an axis without extent is 0. `<name>_nml.exr`, of the same size, has
normals as n / 2 + 0.5, in the same axes. There is no header.

Vertex i of stored frame k lies in column `i % width`, row `i // width + k * rows_per_frame`, row 0
at the bottom. A frame is one row of `vertex_count` texels where that fits. The mesh is triangles
that share no vertices. Its second UV map is ((i + 0.5) / width, 0), to which a shader adds
(k + 0.5) / height; where frames have several rows it is ((i % width + 0.5) / width,
(i // width + 0.25) / height), which lies inside the row whether or not a shader adds the half, and
(k * rows_per_frame + 0.5) / height is added.

`<name>_info.json` says the rest: `bounding_box`, in Unity's axes, is what 0 and 1 mean. `clips` are
there where there are several or one that loops: `start_frame` is a stored frame, counted from 0,
`duration` is in seconds, and `speed` is 1 / `duration`: what makes a shader's time a phase.
`rows_per_frame` is there where it is not 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..mesh import Floats, Ints
from .base import LARGEST_TEXTURE, ClipRows, Contents, Layout, Need, Profile, Texture, too_large

if TYPE_CHECKING:
    from ..settings import BakeSettings


class Bounds(Profile):
    name = "bounds"
    label = "Bounds"
    description = "Positions as 0 to 1 of their bounds, for Houdini-style and hand-made shaders"
    address_map = "VertexUV"
    dedups = ("none",)
    pixels = ("float", "half")
    rows = ("wrap", "single")
    normal_textures = ("separate", "none")
    axes = (1, 3, 2)
    space = "left-handed, Y up"
    numbers_triangles = True

    def layout(self, need: Need) -> Layout:
        layout = _layout(need, need.max_size)
        if layout is None:
            raise _too_large(need)
        return layout

    def textures(self, settings: BakeSettings, pixel: str) -> tuple[Texture, ...]:
        half = pixel == "float16"
        positions = Texture("texture", "_pos.exr", "mapped", half=half, pad=True)
        normals = Texture("normals", "_nml.exr", "normals", half=half, pad=True)
        return (positions,) if settings.normal_texture == "none" else (positions, normals)

    def address(self, slots: Ints, layout: Layout, frames: int) -> Floats:
        row, column = np.divmod(slots, layout.width)
        u = (column + 0.5) / layout.width
        v = (row + 0.25) / layout.height if layout.rows_per_frame > 1 else np.zeros(len(slots))
        return np.stack([u, v], axis=1).astype(np.float32)

    def documents(self, contents: Contents) -> dict[str, dict[str, Any]]:
        low, high = np.where(np.isfinite(contents.bounds), contents.bounds, 0)
        textures = {"position": contents.files["texture"]}
        if contents.normals:
            textures["normal"] = contents.files["normals"]
        info: dict[str, Any] = {
            "textures": textures,
            "vertex_count": contents.slots,
            "frame_count": contents.frames,
            "fps": float(contents.clips[0].fps),
            "bounding_box": {"min": low.tolist(), "max": high.tolist()},
        }
        if contents.layout.rows_per_frame > 1:
            info["rows_per_frame"] = contents.layout.rows_per_frame
        if contents.has_clips:
            info["clips"] = [_clip(clip) for clip in contents.clips]
        return {"_info.json": info}

    def describe(self, settings: BakeSettings, pixel: str) -> dict[str, Any]:
        encoding = "none" if settings.normal_texture == "none" else "xyz"
        error = 0.06 if pixel == "float16" else 0.01
        return {
            "position": {"kind": "remapped"},
            "normals": {"encoding": encoding, "error_degrees": error},
            "address": "uv",
        }


def _clip(clip: ClipRows) -> dict[str, Any]:
    return {
        "name": clip.name,
        "start_frame": clip.first_frame,
        "frame_count": clip.frames,
        "fps": float(clip.fps),
        "duration": float(clip.frames / clip.fps),
        "speed": float(clip.fps / clip.frames),
    }


def _layout(need: Need, size: int) -> Layout | None:
    """One row for each frame if it fits; else the widest rows, so that the least is lost at their
    ends. None if no texture of this size holds it."""
    slots = max(need.slots, 1)
    rows = -(-slots // size)
    if (need.rows == "single" and rows > 1) or need.frames * rows > size:
        return None
    return Layout(-(-slots // rows), need.frames * rows, rows, header_rows=0)


def _too_large(need: Need) -> Exception:
    size = need.max_size
    most_rows = 1 if need.rows == "single" else size // need.frames
    rows = -(-max(need.slots, 1) // size)
    return too_large(
        need,
        0 if need.rows == "single" and rows > 1 else size // rows,
        size * most_rows if need.frames <= size else 0,
        next((n for n in (8192, LARGEST_TEXTURE) if n > size and _layout(need, n)), None),
    )


BOUNDS = Bounds()
