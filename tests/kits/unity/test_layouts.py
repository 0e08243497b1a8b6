# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shaders of the profiles `nekovat` and `bounds`."""

from __future__ import annotations

import numpy as np
import pytest

from decoders import angles
from layouts import bounded, neko
from playing import Shader, unity

NEKO_PASSES = [(s, m) for s in ("VAT", "VAT_Vertex") for m in ("ForwardBase", "ShadowCaster")]


def mixed(values, x, last):
    a = int(x)
    b = min(a + 1, last)
    return values[a] + (values[b] - values[a]) * (x - a)


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def play(shader, textures, address, **uniforms):
    rest = np.tile(np.float32([0, 0, 1]), (len(address), 1))
    tangent = np.tile(np.float32([1, 0, 0]), (len(address), 1))
    return shader.run(textures, address, rest, rest, tangent, **uniforms)


@pytest.fixture(scope="module")
def original():
    return neko()


# -------------------------------------------------------------------------------------------------
# nekovat


@pytest.mark.parametrize("shader, mode", NEKO_PASSES)
def test_motion_in_frames(machine, original, shader, mode):
    compiled = Shader(machine, shader, "built-in", mode)
    last = len(original.positions) - 1
    for motion in (0.0, 1.0, 2.5, last - 1, last - 0.25):
        for lerp in (0.0, 1.0):
            x = motion if lerp else np.floor(motion)
            played = play(
                compiled, {"_Texture": original.pixels}, original.uv, _Motion=motion, _IsLerp=lerp
            )
            positions = unity(mixed(original.positions, x, last))
            np.testing.assert_allclose(played["position"], positions, atol=1e-6)
            if "normal" in played:
                normals = unity(unit(mixed(original.normals, x, last)))
                assert angles(played["normal"], normals).max() < 0.01


def test_motion_wraps_at_the_loops_end(machine, original):
    """The last stored frame is the first one's twin: motion passes from before it to frame 0."""
    shader = Shader(machine, "VAT", "built-in", "ForwardBase")
    last = len(original.positions) - 1
    for motion, x in ((float(last), 0), (last + 2.5, 2.5), (-0.5, last - 0.5)):
        played = play(
            shader, {"_Texture": original.pixels}, original.uv, _Motion=motion, _IsLerp=1.0
        )
        expected = unity(mixed(original.positions, x, last))
        np.testing.assert_allclose(played["position"], expected, atol=1e-5)


def test_motion_by_time(machine, original):
    shader = Shader(machine, "VAT", "built-in", "ForwardBase")
    textures = {"_Texture": original.pixels}
    uniforms = {"_TimeMotion": 1.0, "_FPS": 12.0, "_IsLerp": 1.0, "_Motion": 1.0}
    played = play(shader, textures, original.uv, seconds=0.25, **uniforms)
    np.testing.assert_allclose(played["position"], unity(original.positions[4]), atol=1e-6)
    for clock in ((0, 0, 0, 0), (3.0, 0.25, 0, 0)):
        begin = 64 * 3.0 * 12 % (len(original.positions) - 1) if clock[0] else 0
        played = play(shader, textures, original.uv, seconds=0.25, _TrueVATClock=clock, **uniforms)
        expected = mixed(original.positions, (begin + 4) % 8, 8)
        np.testing.assert_allclose(played["position"], unity(expected), atol=1e-5)


def test_both_numbers_from_the_material(machine, original):
    """A sampler that flushes denormals has lost the header."""
    shader = Shader(machine, "VAT", "built-in", "ForwardBase")
    pixels = original.pixels.copy()
    pixels[0] = 0
    known = {"_RowsPerFrame": original.rows, "_Samples": len(original.positions)}
    played = play(shader, {"_Texture": pixels}, original.uv, _Motion=3.0, **known)
    np.testing.assert_allclose(played["position"], unity(original.positions[3]), atol=1e-6)
    lost = play(shader, {"_Texture": pixels}, original.uv, _Motion=3.0)
    np.testing.assert_array_equal(lost["position"], np.tile([0, 0, 1], (len(original.uv), 1)))


def test_by_vertex_id_in_the_middle_of_texels(machine, original):
    shader = Shader(machine, "VAT_Vertex", "built-in", "ForwardBase")
    nowhere = np.full_like(original.uv, np.nan)
    played = play(shader, {"_Texture": original.pixels}, nowhere, _Motion=5.0, _ByVertexID=1.0)
    np.testing.assert_allclose(played["position"], unity(original.positions[5]), atol=1e-6)


# -------------------------------------------------------------------------------------------------
# bounds


@pytest.mark.parametrize("width, by_u", [(50, False), (16, False), (16, True)])
@pytest.mark.parametrize(
    "pipeline, mode",
    [("built-in", "ForwardBase"), ("urp", "UniversalForwardOnly"), ("urp", "ShadowCaster")],
)
def test_clips_in_a_box(machine, pipeline, mode, width, by_u):
    """By the material alone: one row to a frame, and several; frame 0 at the bottom."""
    shader = Shader(machine, "Bounds", pipeline, mode)
    bake = bounded(width=width)
    address = bake.uv
    if by_u:
        number = np.arange(len(address))
        address = np.float32(np.stack([(number + 0.5) / width, 0 * number], -1))
    for first, count, loop, x in ((0, 0, 1, 4.5), (0, 12, 1, 11.5), (3, 5, 0, 9.0), (3, 5, 1, 4.5)):
        played = play(
            shader,
            {"_Positions": bake.texture, "_Normals": bake.normal_texture},
            address,
            _BoundsMin=bake.lowest,
            _BoundsMax=bake.highest,
            _RowsPerFrame=float(bake.rows),
            _FirstFrame=float(first),
            _FrameCount=float(count),
            _Loop=float(loop),
            _Speed=0.0,
            _Phase=x,
        )
        frames = np.arange(first, first + (count or 12))
        a, b = int(x), int(x) + 1
        a, b = (i % len(frames) if loop else min(i, len(frames) - 1) for i in (a, b))
        ends = frames[[a, b]]
        fraction = x - int(x)
        expected = (1 - fraction) * bake.positions[ends[0]] + fraction * bake.positions[ends[1]]
        np.testing.assert_allclose(played["position"], expected, atol=1e-5)
        if "normal" in played:
            normals = (1 - fraction) * bake.normals[ends[0]] + fraction * bake.normals[ends[1]]
            assert angles(played["normal"], unit(normals)).max() < 0.01


def test_two_clips_in_a_box_faded(machine):
    shader = Shader(machine, "Bounds", "built-in", "ForwardBase")
    bake = bounded()
    played = play(
        shader,
        {"_Positions": bake.texture, "_Normals": bake.normal_texture},
        bake.uv,
        _BoundsMin=bake.lowest,
        _BoundsMax=bake.highest,
        _RowsPerFrame=1.0,
        _TrueVATClock=(2.0, 1.0, 2.0, 1.0),
        _Layer0=(0.0, 24.0, 2.0, 0.875),  # first frame, frames per second: 3 frames on
        _Layer1=(6.0, 12.0, 2.0, 0.75),
        _Counts=(6.0, 6.0, 0.0, 0.0),
        _Phases=(0.0, 1.0, 0.0, 0b11),
        _Fade1=(2.0, 0.75, 1.0, 0.0),
    )
    expected = 0.75 * bake.positions[3] + 0.25 * bake.positions[6 + 4]
    np.testing.assert_allclose(played["position"], expected, atol=1e-5)
