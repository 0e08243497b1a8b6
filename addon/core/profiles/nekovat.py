# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The layout that the shaders nekoya/VAT and nekoya/VAT_Vertex, and their ports, read.

Row 0, at the bottom, is a header whose first texel's R has the bits
`rows_per_frame << 16 | stored frames - 1`. Sample i of stored frame k lies in column `i % width`,
row `1 + i // width + k * rows_per_frame`: R, G, B a position, A the bits of a packed normal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import truevat_native as native

from ..errors import BakeError
from ..mesh import Floats, Ints
from .base import LARGEST_TEXTURE, Contents, Layout, Need, Profile, Texture, too_large

if TYPE_CHECKING:
    from ..settings import BakeSettings

# A widely used port of the shaders reads 14 bits of either number.
LARGEST_NUMBER = 0x3FFF


class Nekovat(Profile):
    name = "nekovat"
    label = "nekoVAT"
    description = "Played by the shaders nekoya/VAT and nekoya/VAT_Vertex"
    address_map = "VertexUV"
    join = False
    streams = True
    clips = False
    triangle_object = True
    guards = True
    power_of_two = True

    def origins(self, settings: BakeSettings, origins: Floats) -> Floats:
        by_world = settings.address == "vertex-id"
        return np.zeros_like(origins) if by_world else super().origins(settings, origins)

    def normal_code(self, settings: BakeSettings) -> str:
        return "xyz8-guarded" if settings.guard else "xyz8"

    def layout(self, need: Need) -> Layout:
        frames = len(self.stored_frames(need.frames))
        try:
            layout = Layout(*native.layout_power_of_two(need.slots, frames, need.max_size))
        except native.NativeError as error:
            raise _too_large(need, frames) from error
        if frames - 1 > LARGEST_NUMBER or layout.rows_per_frame > LARGEST_NUMBER:
            raise BakeError(
                f"{frames} frames of {layout.rows_per_frame} rows: the nekoVAT header holds at "
                f"most {LARGEST_NUMBER + 1} frames and {LARGEST_NUMBER} rows per frame; "
                "bake fewer frames or use a larger step"
            )
        return layout

    def textures(self, settings: BakeSettings, pixel: str) -> tuple[Texture, ...]:
        return (Texture("texture", "_pos.exr", "bits"),)

    def address(self, slots: Ints, layout: Layout, frames: int) -> Floats:
        return native.layout_uv(slots, tuple(layout))

    def header(self, contents: Contents) -> Floats:
        stored = len(self.stored_frames(contents.frames))
        bits = np.uint32(contents.layout.rows_per_frame << 16 | stored - 1)
        return np.array([[bits.view(np.float32), 0, 0, 1]], np.float32)

    def stored_frames(self, frames: int) -> list[int]:
        # Players wrap with `motion % (stored - 1)`: a single frame is stored twice.
        return [0, 0] if frames == 1 else list(range(frames))

    def describe(self, settings: BakeSettings, pixel: str) -> dict[str, Any]:
        return {
            "position": {"kind": "absolute"},
            "normals": {"encoding": "xyz8", "guard": settings.guard, "error_degrees": 0.8},
            "address": settings.address,
        }


def _too_large(need: Need, frames: int) -> BakeError:
    def rows(size: int) -> int:
        return max(1, -(-need.slots // size)) * frames + 1

    size = need.max_size
    while size < LARGEST_TEXTURE and rows(size) > size:
        size *= 2
    return too_large(
        need,
        (need.max_size - 1) // max(1, -(-need.slots // need.max_size)),
        need.max_size * ((need.max_size - 1) // frames),
        size if size > need.max_size and rows(size) <= size else None,
    )


NEKOVAT = Nekovat()
