# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs play.glsl as a vertex shader and reads back what it makes of every vertex."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import OpenEXR

BY_UV, BY_ID, BY_SAMPLER = range(3)
MASKS_16 = (0xFFFF0000, 0x0000FFFF)  # the original shader
MASKS_14 = (0x3FFF0000, 0x00003FFF)  # a widely used port
VERTEX = np.dtype([("position", "f4", 3), ("normal", "f4", 3), ("header", "i4", 2)])


def read_texture(path: Path) -> np.ndarray:
    """float32 (height, width, RGBA), row 0 at the bottom, by OpenEXR's own library."""
    with OpenEXR.File(str(path), separate_channels=True) as file:
        channels = file.channels()
        assert set(channels) == set("ABGR")
        pixels = np.stack([channels[name].pixels for name in "RGBA"], -1)
    assert pixels.dtype == np.float32
    return np.ascontiguousarray(pixels[::-1])


class Player:
    def __init__(self) -> None:
        self.context = moderngl.create_standalone_context(backend="egl")
        # Without a complete framebuffer, transform feedback gives zeros.
        self.context.simple_framebuffer((1, 1)).use()
        source = (Path(__file__).parent / "play.glsl").read_text("utf-8")
        self.program = self.context.program(vertex_shader=source, varyings=VERTEX.names)

    def play(
        self,
        pixels: np.ndarray,
        motion: float,
        *,
        addresses: np.ndarray | None = None,
        count: int | None = None,
        lookup: int | None = None,
        blend: bool = False,
        wrap: bool = False,
        masks: tuple[int, int] = MASKS_16,
        known: tuple[int, int] = (0, 0),
    ) -> np.ndarray:
        """VERTEX (count,): by float32 (count, 2) `addresses`, or by ids below `count`."""
        if addresses is None:
            addresses = np.full((count, 2), np.nan, np.float32)
            lookup = BY_ID
        height, width, _ = pixels.shape
        texture = self.context.texture((width, height), 4, pixels.tobytes(), dtype="f4")
        texture.filter = moderngl.NEAREST, moderngl.NEAREST
        texture.use(0)
        for name, value in {
            "vat": 0,
            "lookup": BY_UV if lookup is None else lookup,
            "motion": motion,
            "blend": blend,
            "wrap": wrap,
            "masks": masks,
            "known": known,
        }.items():
            self.program[name].value = value
        source = self.context.buffer(np.ascontiguousarray(addresses, np.float32).tobytes())
        result = self.context.buffer(reserve=len(addresses) * VERTEX.itemsize)
        vertices = self.context.vertex_array(self.program, [(source, "2f", "address")])
        vertices.transform(result, mode=moderngl.POINTS, vertices=len(addresses))
        played = np.frombuffer(result.read(), VERTEX)
        for resource in (vertices, result, source, texture):
            resource.release()
        return played


def in_blender(vectors: np.ndarray) -> np.ndarray:
    """Played vectors, Y up, in Blender's axes."""
    return vectors[..., [0, 2, 1]]
