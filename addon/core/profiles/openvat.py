# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenVAT's layout, which its own shaders for Unity, Godot and others read.

Texels hold offsets from the first stored frame, in Blender's axes and metres, each axis mapped from
`Min`..`Max` of the JSON file to 0..1; an axis without extent is 0. Normals are n / 2 + 0.5, one for
each vertex: in the lower half of the texture, at the same place (`packed`), or in a second one.

Vertices are counted from the last one of a mesh to its first, and one mesh after the other. Vertex
i of stored frame k lies in column `i % width`, and in row `i // width * frames + k` from the top.
The UV map, VAT_UV, points at the centre of that texel in frame 0, and is the mesh's second one,
which is the one that OpenVAT's shaders read. A frame is one row of the texture (`single`), or the
texture is a power of two each way, from 64 up and at most twice as long as wide, the smallest that
holds all, the narrower one of two (`wrap`). Where none does, it has other proportions.

`<name>-remap_info.json` has `os-remap`: `Min`, `Max`, `Frames`; and, where there are several clips
or one that loops, version 1.1's `animations`. Its frames are rows: nothing in the file says which
of the scene's frames is the first row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..mesh import Floats, Ints
from .base import LARGEST_TEXTURE, Contents, Layout, Need, Profile, Texture, too_large

if TYPE_CHECKING:
    from ..settings import BakeSettings

NARROWEST = 64
MOST_ASPECT = 2


class OpenVat(Profile):
    name = "openvat"
    label = "OpenVAT"
    description = "Offsets from the first frame, played by OpenVAT's own shaders"
    address_map = "VAT_UV"
    addresses = ("uv",)
    normals = ("vertex",)
    dedups = ("none",)
    pixels = ("float", "half", "png16")
    # Some importers rescale what is no power of two.
    rows = ("wrap", "single")
    normal_textures = ("packed", "separate", "none")
    numbers_points = True
    textures_per_clip = False
    widens = False  # its readers add offsets to positions, whatever these are
    rounds = True

    def layout(self, need: Need) -> Layout:
        layout = _layout(need, need.max_size)
        if layout is None:
            raise _too_large(need)
        return layout

    def textures(self, settings: BakeSettings, pixel: str) -> tuple[Texture, ...]:
        half = pixel == "float16"
        positions = Texture("texture", "_vat.exr", "mapped", half=half, offsets=True)
        normals = Texture("normals", "_vnrm.exr", "normals", half=half)
        separate = settings.normal_texture == "separate"
        return (positions, normals) if separate else (positions,)

    def address(self, slots: Ints, layout: Layout, frames: int) -> Floats:
        block, column = np.divmod(slots, layout.width)
        row = block * frames
        u = (column + 0.5) / layout.width
        return np.stack([u, 1 - (row + 0.5) / layout.height], axis=1).astype(np.float32)

    def limits(self, settings: BakeSettings, bounds: Floats) -> Floats:
        if not settings.openvat_rounding:
            return bounds
        low, high = np.round(bounds.astype(np.float64), 8)
        return np.stack([np.floor(low * 10) / 10, np.ceil(high * 10) / 10]).astype(np.float32)

    def documents(self, contents: Contents) -> dict[str, dict[str, Any]]:
        low, high = np.where(np.isfinite(contents.bounds), contents.bounds, 0)
        info: dict[str, Any] = {
            "os-remap": {
                "Min": [_shortest(value) for value in low],
                "Max": [_shortest(value) for value in high],
                "Frames": contents.frames,
            }
        }
        if contents.has_clips:
            info["animations"] = {
                clip.name: {
                    "startFrame": clip.first_frame,
                    "endFrame": clip.first_frame + clip.frames - 1,
                    "framerate": float(clip.fps),
                    "looping": clip.loop,
                }
                for clip in contents.clips
            }
        return {"-remap_info.json": info}

    def describe(self, settings: BakeSettings, pixel: str) -> dict[str, Any]:
        encoding = "none" if settings.normal_texture == "none" else "xyz"
        error = 0.06 if pixel == "float16" else 0.01
        return {
            "position": {"kind": "remapped"},
            "normals": {"encoding": encoding, "error_degrees": error},
            "address": "uv",
        }


def _shortest(value: np.float32) -> float:
    """The shortest number that is this one as float32."""
    return float(str(value))


def _layout(need: Need, size: int) -> Layout | None:
    """None if no texture of this size holds it."""
    slots = max(need.slots, 1)
    halves = 2 if need.normals == "packed" else 1
    if need.rows == "single":
        width, height = slots, need.frames * halves
    else:
        width, height = _power_of_two(slots, need.frames * halves, size)
    if max(width, height) > size:
        return None
    blocks = -(-slots // width)
    return Layout(
        width,
        height,
        blocks,
        header_rows=0,
        normal_row=height // 2 if halves == 2 else 0,
        normal_rows_per_frame=blocks if halves == 2 else 0,
        by_block=True,
        from_top=True,
    )


def _power_of_two(slots: int, rows: int, size: int) -> tuple[int, int]:
    """(width, height), `rows` being those of each block of up to `width` slots."""
    sizes = []
    for power in range(size.bit_length()):
        width = 1 << power
        height = 1 << (-(-slots // width) * rows - 1).bit_length()
        if height <= size:
            sizes.append((width, height))
    usual = [
        (width, height)
        for width, height in sizes
        if width >= NARROWEST and max(width, height) <= MOST_ASPECT * min(width, height)
    ]
    if usual:
        return min(usual, key=lambda pair: (pair[0] * pair[1], pair[0]))
    return min(sizes, key=lambda pair: (pair[0] * pair[1], max(pair)), default=(size + 1, 1))


def _too_large(need: Need) -> Exception:
    halves = 2 if need.normals == "packed" else 1
    size = need.max_size
    if need.rows == "single":
        most_frames = size // halves if need.slots <= size else 0
        most_slots = size if need.frames * halves <= size else 0
    else:
        size = 1 << size.bit_length() - 1
        most_frames = size // (halves * -(-need.slots // size))
        most_slots = size * (size // (halves * need.frames))
    larger = next((n for n in (8192, LARGEST_TEXTURE) if n > size and _layout(need, n)), None)
    return too_large(need, most_frames, most_slots, larger)


OPENVAT = OpenVat()
