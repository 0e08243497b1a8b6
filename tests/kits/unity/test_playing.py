# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""TrueVAT/Lit, pass by pass, plays what the bake's source did."""

from __future__ import annotations

import json

import numpy as np
import pytest

import make
import moving
from decoders import angles
from playing import NOBODY, Shader, addresses, unity
from reference_reader import Texture

PASSES = [
    *(("built-in", mode) for mode in ("ForwardBase", "ForwardAdd", "ShadowCaster")),
    *(("urp", mode) for mode in ("UniversalForwardOnly", "ShadowCaster", "DepthOnly")),
    *(("urp", mode) for mode in ("DepthNormalsOnly", "MotionVectors")),
]
EPOCH = 64


class Bake:
    """A synthetic bake, and its playback mesh in an order of its own."""

    def __init__(self, folder, variant):
        make_motion, self.pixel, width = make.VARIANTS[variant]
        self.motion = (source := make_motion()).motion
        files = moving.write(folder, variant, source, self.pixel, width)
        self.texture = Texture(files["texture"], self.motion.rest)
        self.error = json.loads(files["sidecar"].read_text())["position"]["error_m"]
        self.degrees = json.loads(files["sidecar"].read_text())["normals"]["error_degrees"]
        slots = self.motion.positions.shape[1]
        self.slots = np.random.default_rng(9).permutation(np.repeat(np.arange(slots), 2))
        self.rest = unity(self.motion.rest[self.slots])
        self.normal = unity(self.motion.normals[0, self.slots])
        side = np.cross(self.normal, [0.3, 0.5, 0.8])
        self.tangent = side / np.linalg.norm(side, axis=1, keepdims=True)

    def play(self, shader, seconds=0.0, address=None, **uniforms):
        address = addresses(self.slots) if address is None else address
        mesh = address, self.rest, self.normal, self.tangent
        return shader.run({"_VAT": self.texture.pixels}, *mesh, seconds=seconds, **uniforms)

    def shown(self, clip, x):
        """What Blender shows at a stored frame of a clip: positions, normals."""
        frame = self.motion.clips[clip].first_frame + x
        positions, normals = self.motion.positions[frame], self.motion.normals[frame]
        return unity(positions[self.slots]), unity(normals[self.slots])

    def read(self, clip, seconds):
        """What another reader decodes at any time."""
        positions, normals = self.texture.play(clip, seconds)
        return unity(positions[self.slots]), unity(normals[self.slots])


@pytest.fixture(scope="module", params=make.VARIANTS)
def bake(request, tmp_path_factory):
    return Bake(tmp_path_factory.mktemp(request.param), request.param)


@pytest.fixture(scope="module")
def wrapped(tmp_path_factory):
    return {
        pixel: Bake(tmp_path_factory.mktemp(pixel), f"{pixel}_wrapped")
        for pixel in ("float", "half")
    }


@pytest.fixture(scope="module")
def soup(tmp_path_factory):
    return Bake(tmp_path_factory.mktemp("soup"), "float_soup")


@pytest.fixture(scope="session")
def forward(machine):
    return Shader(machine, "Lit", "built-in", "ForwardBase")


@pytest.mark.parametrize("pipeline, mode", PASSES)
def test_frames_are_what_blender_shows(machine, bake, pipeline, mode):
    shader = Shader(machine, "Lit", pipeline, mode)
    for number, clip in enumerate(bake.motion.clips):
        for x in (0, 1, clip.frames - 1):
            played = bake.play(shader, 0.0, _Clip=float(number), _Phase=float(x))
            positions, normals = bake.shown(number, x)
            if bake.pixel == "float32":
                np.testing.assert_array_equal(played["position"], positions)
            away = np.linalg.norm(played["position"].astype(float) - positions, axis=1)
            assert away.max() <= bake.error * 1.0001 + 1e-7 * (bake.pixel == "float16")
            if "normal" in played:
                assert angles(played["normal"], normals).max() <= bake.degrees


def test_between_frames_and_by_time(forward, bake):
    """Played by itself, from the header: in each clip, into its last interval and beyond."""
    for number, clip in enumerate(bake.motion.clips):
        for seconds in (
            0.5 / clip.fps,
            (clip.frames - 0.75) / clip.fps,
            (clip.frames + 3) / clip.fps,
        ):
            seconds = float(np.float32(float(seconds)))
            played = bake.play(forward, seconds, _Clip=float(number))
            positions, normals = bake.read(number, seconds)
            if bake.motion.triangles:
                np.testing.assert_allclose(played["position"], positions, atol=1e-6)
                continue
            np.testing.assert_allclose(played["position"], positions, atol=1e-5)
            assert angles(played["normal"], normals).max() < 0.01


@pytest.mark.parametrize("form", ["half", "unorm16", "upside down"])
def test_addresses_survive_importers(forward, bake, form):
    address = addresses(bake.slots)
    if form == "half":
        address = address.astype(np.float16)
    elif form == "unorm16":
        span = np.maximum(address.max(axis=0), 1)
        address = np.round(address / span * 65535) / 65535 * span
    else:  # where it shows; the importer does it for whole meshes
        address[:, 1] = np.where(address[:, 1] > 1, 1 - address[:, 1], address[:, 1])
    played = bake.play(forward, _Phase=3.0, address=address.astype(np.float32))
    expected = bake.play(forward, _Phase=3.0)
    np.testing.assert_array_equal(played["position"], expected["position"])


@pytest.mark.parametrize("pixel", ["float", "half"])
def test_three_clips_faded_into_each_other(forward, wrapped, pixel):
    bake = wrapped[pixel]
    now = np.array([3.0, 10.0])
    layers = [(0, 1.0, 1.25), (1, 0.5, 0.5), (0, -1.0, 0.3)]  # clip, speed, seconds ago
    since = [None, (0.3, 1.0), (0.2, 0.5)]  # seconds ago, duration
    uniforms, expected = {}, []
    for number, (clip, speed, ago) in enumerate(layers):
        uniforms[f"_Layer{number}"] = (clip, speed, now[0], now[1] - ago)
        fps = float(bake.motion.clips[clip].fps)
        loops = bake.motion.clips[clip].loop
        played = bake.read(clip, speed * ago if loops else max(speed * ago, 0.0) + 2 / fps)
        expected.append(played)
    uniforms["_Phases"] = (0.0, 2.0, 0.0, 0b101)
    position, normal = expected[0]
    for number, (ago, duration) in enumerate(since[1:], 1):
        uniforms[f"_Fade{number}"] = (now[0], now[1] - ago, duration, 0.0)
        weight = ago / duration
        position = position + (expected[number][0] - position) * weight
        normal = normal + (expected[number][1] - normal) * weight
    normal = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    played = bake.play(forward, 999.0, _TrueVATClock=(*now, *now), **uniforms)
    np.testing.assert_allclose(played["position"], position, atol=1e-4)
    assert angles(played["normal"], normal).max() < 0.1


def test_a_changing_topology_is_never_mixed(forward, soup):
    """Half-way through a fade the later clip shows, and always a whole frame."""
    for ago, clip in ((0.4, 0), (0.6, 1)):
        played = soup.play(
            forward,
            _TrueVATClock=(2.0, 5.0, 2.0, 5.0),
            _Layer0=(0.0, 0.0, 2.0, 5.0),
            _Layer1=(1.0, 0.0, 2.0, 5.0),
            _Phases=(2.5, 2.5, 0.0, 0.0),
            _Fade1=(2.0, 5.0 - ago, 1.0, 0.0),
        )
        np.testing.assert_array_equal(played["position"], soup.shown(clip, 2)[0])


def test_a_scripts_clock_is_smooth_after_ten_hours(forward, wrapped):
    """Steps of a sixtieth of a second are as even there as in the first second."""
    bake = wrapped["float"]

    def steps(begin):
        places = []
        for frame in range(8):
            time = begin + frame / 60
            clock = (time // EPOCH, time % EPOCH)
            state = {"_Layer0": (0.0, 0.25, begin // EPOCH, begin % EPOCH), "_Phases": (2, 0, 0, 1)}
            played = bake.play(forward, _TrueVATClock=(*clock, *clock), **state)
            places.append(played["position"].astype(float))
        return np.diff(places, axis=0)

    np.testing.assert_allclose(steps(36000.5), steps(64.5), atol=2e-6)
    assert np.abs(steps(64.5)).max() > 1e-3


def test_motion_vectors_show_a_frame_ago(machine, wrapped):
    shader = Shader(machine, "Lit", "urp", "MotionVectors")
    bake = wrapped["float"]
    clock = (5.0, 1.5, 5.0, 1.4)
    played = bake.play(
        shader, _TrueVATClock=clock, _Layer0=(0.0, 1.0, 5.0, 0.0), _Phases=(0, 0, 0, 1)
    )
    for name, seconds in (("now", 1.5), ("before", 1.4)):
        expected = bake.read(0, seconds)[0]
        np.testing.assert_allclose(played[name][:, :3], expected, atol=1e-5)
    by_itself = bake.play(shader, 1.5, unity_DeltaTime=(0.1, 10.0, 0.1, 10.0))
    np.testing.assert_allclose(by_itself["before"], played["before"], atol=1e-5)


def test_instances_have_their_own_clip_phase_and_speed(machine, wrapped):
    bake = wrapped["float"]
    shader = Shader(machine, "Lit", "built-in", "ForwardBase", "INSTANCING_ON")
    states = [(0, 1.0, 0.0), (1, 0.5, 3.0), (0, -2.0, 7.0), (1, 0.0, 12.0)]  # clip, speed, phase
    uniforms = {
        "_TrueVATClock": (1.0, 2.25, 1.0, 2.2),
        "unity_ObjectToWorldArray": [matrix_at(number) for number in range(8)],
        "unity_WorldToObjectArray": [matrix_at(-number) for number in range(8)],
    }
    for number, (clip, speed, phase) in enumerate(states):
        own = f"TrueVATArray[{number}]."
        uniforms[own + "_Layer0"] = (clip, speed, 1.0, 2.0)
        uniforms[own + "_Layer1"] = uniforms[own + "_Layer2"] = NOBODY
        uniforms[own + "_Phases"] = (phase, 0.0, 0.0, float(clip == 0))
    played = bake.play(shader, instances=len(states), **uniforms)
    found = played["position"].reshape(len(states), -1, 3)
    for number, (clip, speed, phase) in enumerate(states):
        fps = float(bake.motion.clips[clip].fps)
        expected = bake.read(clip, phase / fps + 0.25 * speed)[0] + [number, 0, 0]
        np.testing.assert_allclose(found[number], expected, atol=1e-5)


def matrix_at(x):
    matrix = np.eye(4)
    matrix[0, 3] = x  # columns are rows of HLSL
    return tuple(matrix.reshape(-1))


def test_tangents_follow_the_normal(forward, wrapped):
    bake = wrapped["float"]
    played = bake.play(forward, _Clip=1.0, _Phase=6.0)
    tangents = played["tangent"].astype(float)
    np.testing.assert_allclose(np.linalg.norm(tangents, axis=1), 1, atol=1e-5)
    slope = np.abs((tangents * played["normal"]).sum(axis=1))
    assert np.degrees(np.arcsin(slope)).max() < 0.05
    assert angles(tangents, bake.tangent).max() > 10


@pytest.mark.parametrize("word, value", [(0, 1), (1, 2), (2, 1), (3, 60)])
def test_what_is_not_this_format_leaves_the_rest_pose(forward, wrapped, word, value):
    """Another magic number, a later version, an unknown flag; a texture that was resized."""
    bake = wrapped["half"]
    pixels = bake.texture.pixels.copy()
    pixels.reshape(-1, 4)[word] = (value, 0, 0, 0)
    mesh = addresses(bake.slots), bake.rest, bake.normal, bake.tangent
    played = forward.run({"_VAT": pixels}, *mesh, _Phase=5.0)
    np.testing.assert_array_equal(played["position"], bake.rest)
