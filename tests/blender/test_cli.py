# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command, as a shell runs it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
from truevat import cli

PYTHON_M = [sys.executable, "-m", "truevat"]
SCRIPT = [str(Path(sys.executable).with_name("truevat"))]

MAKE_SCENES = """
import os, sys
import bpy

folder = sys.argv[-1]
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
scene = bpy.context.scene
scene.frame_start, scene.frame_end = 1, 4

def add(name, x):
    bpy.ops.mesh.primitive_cube_add(location=(x, 0, 0))
    cube = bpy.context.object
    cube.name = name
    for frame, turn in ((1, 0.0), (4, 1.0)):
        cube.rotation_euler.z = turn
        cube.keyframe_insert("rotation_euler", frame=frame)

add("A,B", 3)
add("Cube", 0)
image = bpy.data.images.new("Picture", 1, 1)
image.source, image.filepath, image.use_fake_user = "FILE", "//picture.png", True
bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/scene.blend")
bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/small.blend", compress=True)

text = bpy.data.texts.new("run_me.py")
text.use_module = True
bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/scripted.blend", compress=False)
bpy.data.texts.remove(text)

bpy.ops.mesh.primitive_grid_add(x_subdivisions=100, y_subdivisions=100)
bpy.context.object.modifiers.new("Wave", "WAVE")
scene.frame_end = 5000
bpy.ops.wm.save_as_mainfile(filepath=f"{folder}/long.blend")
os._exit(0)
"""


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scenes")
    subprocess.run([sys.executable, "-c", MAKE_SCENES, folder], check=True, capture_output=True)
    (folder / "text.blend").write_text("This is no scene.")
    (folder / "cut.blend").write_bytes((folder / "scene.blend").read_bytes()[:4000])
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def truevat(*words: object, command: list[str] = PYTHON_M) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, *map(str, words)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="surrogateescape",  # Blender prints paths as they are
        timeout=120,
        stdin=subprocess.DEVNULL,
    )


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*")) if folder.exists() else []


# -------------------------------------------------------------------------------------------------
# Success


@pytest.mark.parametrize("command", [PYTHON_M, SCRIPT], ids=["python -m", "script"])
def test_bakes_the_selected_objects(scenes: Path, out: Path, command: list[str]) -> None:
    result = truevat("bake", scenes / "scene.blend", "-o", out, command=command)
    assert result.returncode == 0, result.stderr
    names = ["Cube.truevat.exr", "Cube.fbx", "Cube.glb", "Cube.truevat.json"]
    names += ["Cube.truevat.exr.meta", "Cube.fbx.meta"]  # Unity's
    names += ["Cube.truevat.exr.import", "Cube.glb.import"]  # Godot's
    names += ["Cube.truevat.js"]
    assert files_in(out) == sorted(names)
    first, *files = result.stdout.splitlines()
    assert first.startswith("4 frames, ")
    assert sorted(line.split()[0] for line in files) == sorted(str(out / name) for name in names)


@pytest.mark.parametrize(
    ("engines", "suffixes"),
    [
        ("none", []),
        ("unity", [".truevat.exr.meta"]),
        ("web,godot", [".glb.import", ".truevat.exr.import", ".truevat.js"]),
    ],
)
def test_engines_are_chosen(scenes: Path, out: Path, engines: str, suffixes: list[str]) -> None:
    words = ["--mesh", "glb", "--engine", engines]
    result = truevat("bake", scenes / "scene.blend", "-o", out, *words)
    assert result.returncode == 0, result.stderr
    always = [".glb", ".truevat.exr", ".truevat.json"]
    assert files_in(out) == sorted(f"Cube{suffix}" for suffix in [*always, *suffixes])


def test_why_the_texture_has_floats_or_halves_is_said(scenes: Path, out: Path) -> None:
    words = ["bake", scenes / "scene.blend", "-o", out, "--mesh", "none", "--json"]
    for tolerance, bits, reason in ((0, 32, "would move a point by"), (9, 16, "move no point by")):
        result = truevat(*words, "--tolerance", tolerance)
        (note,) = json.loads(result.stdout)["notes"]
        assert note.startswith(f"The texture has {bits}-bit floats: half floats {reason}")
        assert f"truevat: note: {note}\n" in result.stderr
    result = truevat(*words, "--pixel", "half")
    assert json.loads(result.stdout)["notes"] == []
    assert "note:" not in result.stderr


def test_progress_is_in_plain_lines(scenes: Path, out: Path) -> None:
    result = truevat("bake", scenes / "scene.blend", "-o", out, "--pixel", "float")
    lines = [line for line in result.stderr.splitlines() if line.startswith("truevat:")]
    assert len(lines) >= 3
    assert all(re.fullmatch(r"truevat: +\d+%  \S.*", line) for line in lines)
    assert "Frame 1" in lines[0]
    assert "\r" not in result.stderr


@pytest.mark.parametrize("mesh", ["fbx", "glb", "none"])
def test_json_is_all_there_is(scenes: Path, out: Path, mesh: str) -> None:
    """Exporters talk, and Blender does when it opens a file; standard output is the report's."""
    words = ["--mesh", mesh, "--engine", "none", "--json"]
    result = truevat("bake", scenes / "scene.blend", "-o", out, *words)
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert set(report["files"]) == {"texture", "sidecar"} | ({"mesh"} if mesh != "none" else set())
    for file in report["files"].values():
        assert Path(file["path"]).stat().st_size == file["bytes"]
    assert (report["frames"], report["samples"], report["objects"]) == (4, 24, ["Cube"])
    assert 0 < report["slots"] <= report["samples"]
    assert report["seconds"]["evaluate"] > 0
    assert report["peak_memory_bytes"] > 2**20 or sys.platform == "win32"


def test_options_reach_the_bake(scenes: Path, out: Path, tmp_path: Path) -> None:
    words = "--frames -3:3:0.5 --normals face --dedup none --max-size 64 --name wind --mesh none"
    more = "--no-guard --no-bounds --render-settings --memory 64 --threads 1 --profile nekovat"
    more += " --engine none"
    scene, scratch = scenes / "scene.blend", ["--scratch", tmp_path]
    result = truevat("bake", scene, "-o", out, *words.split(), *more.split(), *scratch, "--json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert (report["frames"], report["slots"]) == (13, 24)
    assert files_in(out) == ["wind.truevat.json", "wind_pos.exr"]
    sidecar = json.loads((out / "wind.truevat.json").read_text("utf-8"))
    assert (sidecar["normals"]["of"], sidecar["normals"]["guard"]) == ("face", False)
    assert (sidecar["frames"]["start"], sidecar["frames"]["step"]) == (-3.0, 0.5)


def test_vertex_id(scenes: Path, out: Path) -> None:
    scene = scenes / "scene.blend"
    result = truevat("bake", scene, "-o", out, "--address", "vertex-id", "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["slots"] == 36


def test_names_may_have_commas(scenes: Path, out: Path) -> None:
    words = ["--objects", r"A\,B,Cube", "--mesh", "none", "--json"]
    result = truevat("bake", scenes / "scene.blend", "-o", out, *words)
    assert result.returncode == 0, result.stderr
    assert sorted(json.loads(result.stdout)["objects"]) == ["A,B", "Cube"]


def test_compressed_scene(scenes: Path, out: Path) -> None:
    result = truevat("bake", scenes / "small.blend", "-o", out, "--mesh", "none")
    assert result.returncode == 0, result.stderr


def test_says_when_python_in_the_scene_was_not_run(scenes: Path, out: Path) -> None:
    result = truevat("bake", scenes / "scripted.blend", "-o", out, "--mesh", "none")
    assert result.returncode == 0, result.stderr
    assert re.search(r"^truevat: warning: .*Python.*run_me.py.* -y ", result.stderr, re.MULTILINE)


def test_inside_blender_the_open_scene_is_the_default(scenes: Path, out: Path) -> None:
    code = (
        "import os, sys, bpy, truevat.cli as cli; "
        "bpy.ops.wm.open_mainfile(filepath=sys.argv[1]); "
        "print('chatter', flush=True); code = cli.command(sys.argv[2:]); "
        "print('Blender quit', flush=True); os._exit(code)"
    )
    words = [scenes / "scene.blend", "bake", "-o", out, "--mesh", "none", "--json"]
    result = truevat(*words, command=[sys.executable, "-c", code])
    assert result.returncode == 0, result.stderr
    before, brace, report = result.stdout.partition("{")
    assert "chatter" in before
    assert json.loads(brace + report)["objects"] == ["Cube"]
    assert "Blender quit" in result.stderr


# -------------------------------------------------------------------------------------------------
# --save-blend

LOOK = """
import json, os, sys
import bpy

bpy.ops.wm.open_mainfile(filepath=sys.argv[-1])
picture = bpy.path.abspath(bpy.data.images["Picture"].filepath)
found = {"objects": sorted(bpy.data.objects.keys()), "picture": os.path.normpath(picture)}
print("FOUND" + json.dumps(found), flush=True)
os._exit(0)
"""


def test_save_blend_has_the_playback_objects(scenes: Path, out: Path, tmp_path: Path) -> None:
    saved = tmp_path / "elsewhere" / "saved.blend"
    saved.parent.mkdir()
    saved.write_text("old")
    result = truevat("bake", scenes / "scene.blend", "-o", out, "--save-blend", saved)
    assert result.returncode == 0, result.stderr
    assert files_in(saved.parent) == ["saved.blend"]
    look = subprocess.check_output([sys.executable, "-c", LOOK, saved], text=True)
    found = json.loads(look.partition("FOUND")[2])
    assert found["objects"] == ["A,B", "Cube", "Cube_VAT"]
    assert Path(found["picture"]) == scenes / "picture.png"


def test_save_blend_into_the_new_output_folder(scenes: Path, out: Path) -> None:
    words = ["--mesh", "none", "--engine", "none", "--save-blend", out / "saved.blend"]
    result = truevat("bake", scenes / "scene.blend", "-o", out, *words)
    assert result.returncode == 0, result.stderr
    assert files_in(out) == ["Cube.truevat.exr", "Cube.truevat.json", "saved.blend"]


def test_output_relative_to_the_scene(scenes: Path, tmp_path: Path) -> None:
    scene, saved = tmp_path / "scene.blend", tmp_path / "vat" / "saved.blend"
    scene.write_bytes((scenes / "scene.blend").read_bytes())
    words = ["-o", "//vat", "--mesh", "none", "--engine", "none", "--save-blend", saved]
    result = truevat("bake", scene, *words)
    assert result.returncode == 0, result.stderr
    assert files_in(tmp_path / "vat") == ["Cube.truevat.exr", "Cube.truevat.json", "saved.blend"]


@pytest.mark.skipif(sys.platform != "linux", reason="names are UTF-8 or UTF-16 elsewhere")
def test_names_that_are_not_utf8(scenes: Path, tmp_path: Path) -> None:
    scene, out = (tmp_path / os.fsdecode(name) for name in (b"gr\xf6\xdfe.blend", b"\xf6ut"))
    scene.write_bytes((scenes / "scene.blend").read_bytes())
    result = truevat("bake", scene, "-o", out, "--mesh", "glb", "--json")
    assert result.returncode == 0, result.stderr
    path = Path(json.loads(result.stdout)["files"]["sidecar"]["path"])
    assert path.parent == out
    assert json.loads(path.read_text("utf-8"))["source"] == "gr??e.blend"


def test_output_is_taken_as_it_was_written() -> None:
    """A Path on Windows would lose what // says."""
    parser = cli._parser(inside=False)
    args = parser.parse_args(["bake", "s.blend", "-o", "//vat"])
    assert cli._bake_settings(args).output == "//vat"


def test_save_blend_is_checked_before_the_bake(scenes: Path, out: Path, tmp_path: Path) -> None:
    saved = tmp_path / "nowhere" / "saved.blend"
    result = truevat("bake", scenes / "scene.blend", "-o", out, "--save-blend", saved)
    assert result.returncode == 1
    assert f"truevat: error: Cannot store '{saved}': there is no folder" in result.stderr
    assert files_in(out) == []


# -------------------------------------------------------------------------------------------------
# Failure


def test_help() -> None:
    result = truevat("bake", "--help")
    assert result.returncode == 0
    assert result.stdout.startswith("usage: truevat bake ")


def test_version() -> None:
    manifest = Path(__file__).resolve().parents[2] / "blender_manifest.toml"
    version = tomllib.loads(manifest.read_text("utf-8"))["version"]
    assert truevat("--version").stdout == f"TrueVAT {version}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "COMMAND"),
        ("fry", "invalid choice: 'fry'"),
        ("bake", "SCENE.blend"),
        ("bake s.blend", "-o"),
        ("bake s.blend -o d --address mail", "invalid choice: 'mail'"),
        ("bake s.blend -o d --profile paper", "invalid choice: 'paper'"),
        ("bake s.blend -o d --frames many", "'many' is no frame range"),
        ("bake s.blend -o d --frames 9:1", "its end 1 is before its start 9"),
        ("bake s.blend -o d --frames 1:9:0", "must be above 0"),
        ("bake s.blend -o d --objects A --collection C", "not allowed with"),
        ("bake s.blend -o d --objects A,,B", "empty name"),
        ("bake s.blend -o d --max-size 1000 --profile nekovat", "power of two"),
        ("bake s.blend -o d --max-size 20000", "from 1 to 16384"),
        ("bake s.blend -o d --pixel png16", "TrueVAT layout has no pixel 'png16'"),
        ("bake s.blend -o d --pixel half --profile nekovat", "nekoVAT layout has no pixel 'half'"),
        ("bake s.blend -o d --normal-texture separate", "has no normal texture 'separate'"),
        ("bake s.blend -o d --openvat-rounding", "has no OpenVAT rounding"),
        ("bake s.blend -o d --tolerance -1", "must not be below 0"),
        ("bake s.blend -o d --engine unity,flash", "engine 'flash' is unknown"),
        ("bake s.blend -o d --no-join --address vertex-id", "one playback mesh"),
        ("bake s.blend -o d --memory 0", "at least 1"),
        ("bake s.blend -o d --memory much", "invalid int value"),
        ("bake s.blend -o d --threads -2", "must not be negative"),
        ("bake s.blend -o d --name a/b", "cannot be a file name"),
        ("bake s.blend -o=", "Choose an output folder"),
        ("bake s.blend -o d --loud", "unrecognized arguments: --loud"),
    ],
)
def test_wrong_usage(words: str, message: str) -> None:
    result = truevat(*words.split())
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("usage: truevat")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        ("nothing.blend", "Cannot open '{}': No such file or directory"),
        (".", "Cannot open '{}': Is a directory"),
        ("text.blend", "'{}' is not a .blend file"),
        ("cut.blend", "Blender cannot open '{}': "),
    ],
)
def test_no_scene(scenes: Path, out: Path, scene: str, message: str) -> None:
    path = scenes / scene
    result = truevat("bake", path, "-o", out, "--json")
    assert (result.returncode, result.stdout) == (1, "")
    assert f"truevat: error: {message.format(path)}" in result.stderr
    assert "Traceback" not in result.stderr
    assert files_in(out) == []


def test_bake_error(scenes: Path, out: Path) -> None:
    result = truevat("bake", scenes / "scene.blend", "-o", out, "--objects", "Ghost", "--json")
    assert (result.returncode, result.stdout) == (1, "")
    assert re.search(r"^truevat: error: .*'Ghost'", result.stderr, re.MULTILINE)
    assert files_in(out) == []


def test_python_without_blender(out: Path) -> None:
    code = "import sys; sys.modules['bpy'] = None; import truevat.cli; truevat.cli.main()"
    result = truevat("bake", "s.blend", "-o", out, command=[sys.executable, "-c", code])
    assert result.returncode == 1
    assert "pip install bpy" in result.stderr
    assert "Traceback" not in result.stderr


# -------------------------------------------------------------------------------------------------
# Signals


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_leaves_nothing(scenes: Path, tmp_path: Path, number: int) -> None:
    out, scratch = tmp_path / "out", tmp_path / "scratch"
    scratch.mkdir()
    words = ["bake", scenes / "long.blend", "-o", out, "--memory", "1", "--scratch", scratch]
    words += ["--max-size", "16384"]
    with subprocess.Popen([*PYTHON_M, *words], stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if "Frame" in line:
                break
        time.sleep(0.5)
        process.send_signal(number)
        sent = time.monotonic()
        rest = process.stderr.read()
        code = process.wait(60)
    assert code == 1, rest
    assert time.monotonic() - sent < 5
    assert re.search(r"^truevat: error: .*cancelled", rest, re.MULTILINE), rest
    assert "Traceback" not in rest
    assert files_in(tmp_path) == ["scratch"]


def test_interrupt_after_the_bake(scenes: Path, out: Path) -> None:
    """Python's own way out would crash or hang once Blender is there."""
    code = (
        "import signal, truevat.cli as cli; "
        "cli._summary = lambda _: signal.raise_signal(signal.SIGINT); cli.main()"
    )
    words = ["bake", scenes / "scene.blend", "-o", out]
    result = truevat(*words, command=[sys.executable, "-c", code])
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.endswith("truevat: error: cancelled\n")
    assert "Traceback" not in result.stderr
