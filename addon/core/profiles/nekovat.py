# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The layout that the shaders nekoya/VAT and nekoya/VAT_Vertex, and their ports, read.

Row 0, at the bottom, is a header whose first texel's R has the bits
`rows_per_frame << 16 | stored frames - 1`. Sample i of stored frame k lies in column `i % width`,
row `1 + i // width + k * rows_per_frame`: R, G, B a position, A the bits of a packed normal.
"""

from __future__ import annotations

import truevat_native as native

from ..errors import BakeError
from .base import LARGEST_TEXTURE, Layout, Profile

# A widely used port of the shaders reads 14 bits of either number.
LARGEST_NUMBER = 0x3FFF


class Nekovat(Profile):
    def layout(self, samples: int, frames: int, max_size: int) -> Layout:
        frames = len(self.stored_frames(frames))
        try:
            layout = Layout(*native.layout_power_of_two(samples, frames, max_size))
        except native.NativeError as error:
            raise BakeError(_too_large(samples, frames, max_size)) from error
        if frames - 1 > LARGEST_NUMBER or layout.rows_per_frame > LARGEST_NUMBER:
            raise BakeError(
                f"{frames} frames of {layout.rows_per_frame} rows: the nekoVAT header holds at "
                f"most {LARGEST_NUMBER + 1} frames and {LARGEST_NUMBER} rows per frame; "
                "bake fewer frames or use a larger step"
            )
        return layout

    def header(self, layout: Layout, frames: int) -> int:
        return layout.rows_per_frame << 16 | len(self.stored_frames(frames)) - 1

    def stored_frames(self, frames: int) -> list[int]:
        # Players wrap with `motion % (stored - 1)`: a single frame is stored twice.
        return [0, 0] if frames == 1 else list(range(frames))


def _too_large(samples: int, frames: int, max_size: int) -> str:
    def rows(size: int) -> int:
        return max(1, -(-samples // size)) * frames + 1

    fits = (max_size - 1) // max(1, -(-samples // max_size))
    most = max_size * ((max_size - 1) // frames)
    advice = []
    if fits >= 2:
        advice.append(f"at most {fits:,} frames")
    if most:
        advice.append(f"at most {most:,} samples a frame")
    size = max_size
    while size < LARGEST_TEXTURE and rows(size) > size:
        size *= 2
    if size > max_size and rows(size) <= size:
        advice.append(f"a max size of {size}")
    fitting = ", or ".join(advice) or "fewer frames and samples"
    return (
        f"{samples:,} samples x {frames:,} frames do not fit into a texture of "
        f"{max_size} x {max_size}; what would fit: {fitting}"
    )


NEKOVAT = Nekovat(
    name="nekovat",
    label="nekoVAT",
    description="Played by the shaders nekoya/VAT and nekoya/VAT_Vertex",
    texture_suffix="_pos.exr",
)
