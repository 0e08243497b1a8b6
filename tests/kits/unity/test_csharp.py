# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The package's C#: it compiles against Unity's signatures, and what needs no Unity runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import bpy
import numpy as np
import pytest

import make
import moving
from compilers import run, tool
from playing import Shader, addresses, unity
from reference_reader import Texture
from shaderlab import ROOT, STUBS

# Blender's exporter, with a newer NumPy than its own
pytestmark = pytest.mark.filterwarnings("ignore:Setting the shape:DeprecationWarning")

PACKAGE = ROOT / "kits" / "unity"
HERE = Path(__file__).resolve().parent
# These two lists know nothing of Unity.
LOGIC = [PACKAGE / "Runtime" / f"{name}.cs" for name in ("Clip", "Layer", "ClipPlayer", "Clock")]
CHECKS = [
    PACKAGE / "Editor" / f"{name}.cs" for name in ("Sidecar", "BakeCheck", "ExrHeader", "SlotMap")
]
TESTS = sorted((HERE / "csharp").glob("*.cs"))
NAMES = [
    name
    for file in TESTS
    for name in re.findall(r"public static void (Test\w+)\(\)", file.read_text("utf-8"))
]


def compiled(target: Path, sources: list[Path], *references: Path) -> Path:
    kind = "exe" if target.suffix == ".exe" else "library"
    options = [f"-target:{kind}", f"-out:{target}", "-warn:4", "-warnaserror"]
    # Unity sets fields that only its inspector writes.
    options += ["-nowarn:649"] + [f"-r:{reference}" for reference in references]
    run([tool("mcs"), *options, *map(str, sources)])
    return target


@pytest.fixture(scope="session")
def program(tmp_path_factory) -> Path:
    target = tmp_path_factory.mktemp("csharp") / "tests.exe"
    return compiled(target, LOGIC + CHECKS + TESTS)


@pytest.fixture(scope="session")
def results(program) -> dict[str, str]:
    lines = run([tool("mono"), str(program)]).splitlines()
    return {re.match(r"\w+ (\w+)", line)[1]: line for line in lines}


def test_everything_compiles(tmp_path):
    engine = compiled(tmp_path / "UnityEngine.dll", sorted(STUBS.glob("*.cs")))
    player = compiled(
        tmp_path / "TrueVAT.Player.dll", sorted((PACKAGE / "Runtime").glob("*.cs")), engine
    )
    for folder in ("Editor", "Samples~/Demo"):
        sources = sorted((PACKAGE / folder).glob("*.cs"))
        assert sources
        compiled(tmp_path / f"{Path(folder).name}.dll", sources, engine, player)


@pytest.mark.parametrize("name", NAMES)
def test_logic(results, name):
    assert results[name] == f"passed {name}"


# -------------------------------------------------------------------------------------------------
# Player and shader agree


def test_a_shader_shows_what_the_player_means(machine, program, tmp_path):
    """Packed states of one scenario: fades in fades, a pause, ten hours."""
    source = moving.solid_parts()
    files = moving.write(tmp_path, "bake", source, "float32", 61)
    texture = Texture(files["texture"])
    motion = source.motion
    slots = np.arange(motion.positions.shape[1])
    rest, normal = unity(motion.rest), unity(motion.normals[0])
    shader = Shader(machine, "Lit", "built-in", "ForwardBase")
    lines = run([tool("mono"), str(program), "states"]).splitlines()
    assert len(lines) == 8
    for line in lines:
        numbers = [float(word) for word in line.split()]
        clock, state, layers = numbers[:2], numbers[2:30], numbers[30:]
        names = ("_Layer0", "_Layer1", "_Layer2", "_Phases", "_Fade1", "_Fade2")
        uniforms = {name: tuple(state[4 * i : 4 * i + 4]) for i, name in enumerate(names)}
        played = shader.run(
            {"_VAT": texture.pixels}, addresses(slots), rest, normal, normal,
            _TrueVATClock=(*clock, *clock), **uniforms,
        )  # fmt: skip
        shown = 0.0
        for number, (clip, frame, weight) in enumerate(zip(*[iter(layers)] * 3, strict=True)):
            pose = positions_at(motion, int(clip), frame, int(state[15]) >> number & 1)
            shown = shown + (pose - shown) * weight
        np.testing.assert_allclose(played["position"], unity(shown), atol=2e-4)


def positions_at(motion, number, x, loops):
    clip = motion.clips[number]
    a = int(x)
    b = (a + 1) % clip.frames if loops else min(a + 1, clip.frames - 1)
    ends = motion.positions[[clip.first_frame + a, clip.first_frame + b]].astype(float)
    return ends[0] + (ends[1] - ends[0]) * (x - a)


# -------------------------------------------------------------------------------------------------
# Pairs that do not belong together


@pytest.fixture(params=["float_wrapped", "half_narrow"])
def bake(request, tmp_path):
    """A folder, and what the sidecar says: with an FBX that Blender has written."""
    make_motion, pixel, width = make.VARIANTS[request.param]
    files = moving.write(tmp_path, "bake", make_motion(), pixel, width)
    sidecar = json.loads(files["sidecar"].read_text())
    write_fbx(tmp_path / "bake.fbx", sidecar["bake_id"])
    return tmp_path, {
        **{key: sidecar[key] for key in ("format", "version", "profile", "bake_id")},
        **{key: sidecar["texture"][key] for key in ("width", "height", "pixel")},
        "texture": "bake.truevat.exr",
        "bytes": sidecar["files"]["texture"]["bytes"],
        "mesh": "bake.fbx",
        "stored": sidecar["frames"]["stored"],
        "first_frame": 0,
        "frames": 24,
        "fps": 24,
        "axes": 3,
    }


def write_fbx(path, bake_id):
    import addon_utils

    addon_utils.enable("io_scene_fbx")
    mesh = bpy.data.meshes.new("Mesh")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    obj = bpy.data.objects.new("Object", mesh)
    bpy.context.scene.collection.objects.link(obj)
    if bake_id:
        obj["truevat_bake"] = bake_id
    bpy.ops.export_scene.fbx(filepath=str(path), use_custom_props=True)


def verdict(program, bake, **changes):
    folder, values = bake
    words = [f"{key}={value}" for key, value in {**values, **changes}.items()]
    return run([tool("mono"), str(program), str(folder), *words]).strip()


def test_a_bake_is_accepted(program, bake):
    assert verdict(program, bake) == "fine"


def test_a_mesh_without_an_id_is_accepted(program, bake):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    write_fbx(bake[0] / "bake.fbx", None)
    assert verdict(program, bake) == "fine"


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"format": "openvat"}, "no sidecar of TrueVAT"),
        ({"version": 2}, "update the package"),
        ({"profile": "openvat"}, "players of its own"),
        ({"texture": "../bake.truevat.exr"}, "outside its own folder"),
        ({"mesh": "..\\bake.fbx"}, "outside its own folder"),
        ({"texture": ""}, "names no texture"),
        ({"mesh": ""}, "names no mesh"),
        ({"mesh": "bake.glb"}, "is no FBX"),
        ({"width": 16385}, "fewer frames"),
        ({"frames": 99}, "clip 'wave'"),
        ({"fps": 0}, "clip 'wave'"),
        ({"axes": 2}, "no bounds"),
        ({"texture": "gone.exr"}, "'gone.exr' is missing"),
        ({"mesh": "gone.fbx"}, "'gone.fbx' is missing"),
        ({"bytes": 5}, "of another bake"),
        ({"width": 62}, "of another bake"),
        ({"pixel": "unorm16"}, None),
        ({"bake_id": "0" * 32}, "of another bake"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_is_wrong_is_said(program, bake, changes, said):
    found = verdict(program, bake, **changes)
    if said is None:
        said = "of another bake" if bake[1]["pixel"] == "float16" else "fine"
    assert said in found


def test_another_bakes_mesh_is_refused(program, bake):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    write_fbx(bake[0] / "bake.fbx", "f" * 32)
    found = verdict(program, bake)
    assert "'bake.fbx' is of another bake" in found and "f" * 32 in found


@pytest.mark.parametrize(
    "word, value, said",
    [(0, 7, "no header"), (1, 2, "update"), (2, 1, "update"), (24, 9, "another bake")],
)
def test_a_texture_of_another_version_is_refused(program, bake, word, value, said):
    from plain_exr import read_exr, write_exr

    path = bake[0] / "bake.truevat.exr"
    pixels = read_exr(path)
    pixels.reshape(-1, 4)[word] = (value, 0, 0, 0)
    write_exr(path, pixels)
    assert said in verdict(program, bake, bytes=path.stat().st_size)


def test_a_damaged_texture_is_refused(program, bake):
    """Cut anywhere, or with any byte of its header changed, it is an answer and never a crash."""
    path = bake[0] / "bake.truevat.exr"
    whole = path.read_bytes()
    random = np.random.default_rng(12)
    for length in [0, 3, 20, 100, 300, 400, len(whole) // 2]:
        path.write_bytes(whole[:length])
        assert verdict(program, bake, bytes=length) != "fine"
    for _ in range(15):
        damaged = bytearray(whole)
        damaged[random.integers(0, 330)] ^= 1 << random.integers(0, 8)
        path.write_bytes(damaged)
        verdict(program, bake)
