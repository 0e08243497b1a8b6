# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command `truevat`: in a shell, and as `blender -b SCENE.blend -c truevat …`."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import truevat_native as native

from . import console
from .core import viewer
from .core.clip_text import exact_fps, exact_step, parse_clips
from .core.engines import ENGINES
from .core.errors import BakeError
from .core.frames import FrameRange
from .core.inspect import command as info
from .core.profiles import DEFAULT_PROFILE, PROFILES
from .core.settings import (
    ADDRESSES,
    DEDUPS,
    MESHES,
    NORMAL_TEXTURES,
    NORMALS,
    PIXELS,
    ROWS,
    BakeSettings,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TextIO

    from .core.report import Report

BAKE_ERROR = 1
USAGE_ERROR = 2

DEFAULT = " (default: %(default)s)"


@dataclass(frozen=True)
class Command:
    """`arguments` declares them, given whether this is inside Blender. `check` turns them into what
    `run` needs, and its BakeError is wrong usage. `run` writes to the given standard output."""

    help: str
    arguments: Callable[[argparse.ArgumentParser, bool], None]
    check: Callable[[argparse.Namespace], object]
    run: Callable[[argparse.Namespace, object, TextIO], None]


def main() -> NoReturn:
    """In a shell."""
    try:
        code = run(sys.argv[1:], inside=False)
    except KeyboardInterrupt:  # where no bake is running that would hear of it
        _say("error: cancelled")
        code = BAKE_ERROR
    # Blender as a module crashes (4.2) or hangs (4.5) in Python's own way out when classes are
    # still registered, be it by one of Blender's own exporters.
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = code or BAKE_ERROR
    _remove_session_folder()
    os._exit(code)


def _remove_session_folder() -> None:
    """What Blender as a module would do on the way out that is not taken."""
    bpy = sys.modules.get("bpy")
    if bpy is not None and Path(bpy.app.tempdir).name.startswith("blender_"):
        shutil.rmtree(bpy.app.tempdir, ignore_errors=True)


def command(argv: Sequence[str]) -> int:
    """Inside Blender: for bpy.utils.register_cli_command."""
    return run(argv, inside=True)


def run(argv: Sequence[str], *, inside: bool) -> int:
    """Returns the exit code: 0, 1 (a bake error, or cancelled) or 2 (wrong usage)."""
    parser = _parser(inside)
    try:
        args = parser.parse_args(_join_negative_frames(argv))
        chosen = COMMANDS[args.command]
        try:
            checked = chosen.check(args)
        except BakeError as error:
            args.parser.error(str(error))
    except SystemExit as exit_:
        return exit_.code
    try:
        chosen.run(args, checked, console.own_standard_output())
    except BakeError as error:
        _say(f"error: {error}")
        return BAKE_ERROR
    except Exception:
        traceback.print_exc()
        return BAKE_ERROR
    return 0


def _say(message: str) -> None:
    print(f"truevat: {message}", file=sys.stderr)


def _parser(inside: bool) -> argparse.ArgumentParser:
    prog = "blender -b SCENE.blend -c truevat" if inside else "truevat"
    parser = argparse.ArgumentParser(
        prog=prog, description="Vertex animation textures from Blender scenes."
    )
    parser.add_argument("--version", action="version", version=f"TrueVAT {native.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, each in COMMANDS.items():
        sub = commands.add_parser(name, help=each.help, description=each.help)
        each.arguments(sub, inside)
        sub.set_defaults(parser=sub)
    return parser


def _join_negative_frames(argv: Sequence[str]) -> list[str]:
    """`--frames -5:20` to `--frames=-5:20`: argparse takes a -5:20 of its own for an option."""
    joined: list[str] = []
    for argument in argv:
        if joined and joined[-1] == "--frames" and re.match(r"-[\d.]+:", argument):
            joined[-1] = f"--frames={argument}"
        else:
            joined.append(argument)
    return joined


def _frames(text: str) -> FrameRange:
    try:
        return FrameRange.parse(text)
    except BakeError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _names(text: str) -> list[str]:
    names = [name.replace("\\,", ",") for name in re.split(r"(?<!\\),", text)]
    if not all(names):
        raise argparse.ArgumentTypeError(f"'{text}' has an empty name")
    return names


def _bake_arguments(parser: argparse.ArgumentParser, inside: bool) -> None:
    add = parser.add_argument
    add(
        "scene",
        metavar="SCENE.blend",
        type=Path,
        nargs="?" if inside else None,
        help="the scene to bake" + (" (default: the one that is open)" if inside else ""),
    )
    # Text, for a Path on Windows has no // at its start, which is where the .blend lies.
    add("-o", "--output", metavar="DIR", required=True, help="folder of the new files")
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--objects",
        metavar="A,B",
        type=_names,
        default=[],
        help="what to bake (default: the selected objects); a comma in a name is written \\,",
    )
    source.add_argument("--collection", metavar="C", help="bake the objects of a collection")
    add(
        "--frames",
        metavar="START:END[:STEP]",
        type=_frames,
        help="both ends included (default: the scene's range)",
    )
    add(
        "--clips",
        metavar="scene|actions|nla|markers|NAME=START:END,…",
        default="scene",
        help="what becomes a clip of its own: actions:Walk,Run takes two of them, @loop after a "
        "name has it loop, @60 bakes it at 60 frames per second" + DEFAULT,
    )
    add(
        "--texture-per-clip",
        action="store_true",
        help="a texture and a sidecar for each clip instead of one for all",
    )
    add("--fps", metavar="N", help="bake so many frames per second (default: the scene's)")
    add("--step", metavar="N", help="bake every Nth frame; below 1 there are sub-frames")
    add(
        "--profile",
        choices=tuple(PROFILES),
        default=DEFAULT_PROFILE,
        help="layout of the texture" + DEFAULT,
    )
    add(
        "--address",
        choices=ADDRESSES,
        default="uv",
        help="how a vertex finds its texel" + DEFAULT,
    )
    add(
        "--normals",
        choices=NORMALS,
        help="which normals are stored (default: the layout's, mostly corner)",
    )
    add(
        "--dedup",
        choices=DEDUPS,
        help="which corners share a texel (default: the layout's, mostly trajectory)",
    )
    add(
        "--pixel",
        choices=PIXELS,
        default="auto",
        help="pixel type; auto takes half floats where they are precise enough" + DEFAULT,
    )
    add(
        "--tolerance",
        metavar="MM",
        type=float,
        default=0.1,
        help="how far half floats may move a point, in millimetres" + DEFAULT,
    )
    add("--rows", choices=ROWS, help="may a frame take several rows? (default: the layout's)")
    add(
        "--normal-texture",
        choices=NORMAL_TEXTURES,
        help="where normals are stored (default: the layout's, mostly packed)",
    )
    add(
        "--openvat-rounding",
        action="store_true",
        help="openvat: positions are mapped to bounds of whole decimetres, as OpenVAT does",
    )
    join = parser.add_mutually_exclusive_group()
    join.add_argument(
        "--join",
        action="store_true",
        default=None,
        help="one playback mesh of all objects (default, except for nekovat)",
    )
    join.add_argument(
        "--no-join", dest="join", action="store_false", help="one playback mesh for each object"
    )
    add(
        "--engine",
        metavar="A,B",
        type=_names,
        default=list(ENGINES),
        help=f"whose import settings are written, of {', '.join(ENGINES)}, or none (default: all)",
    )
    add(
        "--max-size",
        metavar="N",
        type=int,
        default=4096,
        help="longest side of the texture" + DEFAULT,
    )
    add("--name", metavar="NAME", help="name of the files (default: the first object's)")
    add(
        "--mesh",
        choices=MESHES,
        default="auto",
        help="format of the mesh file; auto writes what the engines play" + DEFAULT,
    )
    add(
        "--save-blend",
        metavar="FILE",
        type=Path,
        help="store the scene with its playback objects",
    )
    add("--no-guard", action="store_true", help="normals as the original's bare bits")
    add("--no-bounds", action="store_true", help="no triangles that widen the mesh's bounds")
    add("--render-settings", action="store_true", help="modifiers as for a render")
    add("--memory", metavar="MIB", type=int, default=1024, help="budget for frames (default: 1024)")
    add("--scratch", metavar="DIR", type=Path, help="folder of what goes beyond the budget")
    add("--threads", metavar="N", type=int, default=0, help="default: one for each processor")
    add("--json", action="store_true", help="print one JSON report, and nothing else")


def _bake_settings(args: argparse.Namespace) -> BakeSettings:
    return BakeSettings(
        output=args.output,
        objects=tuple(args.objects),
        collection=args.collection,
        frames=args.frames,
        clips=parse_clips(
            args.clips,
            None if args.fps is None else exact_fps(args.fps),
            None if args.step is None else exact_step(args.step),
        ),
        texture_per_clip=args.texture_per_clip,
        profile=args.profile,
        address=args.address,
        normals=args.normals,
        dedup=args.dedup,
        pixel=args.pixel,
        tolerance=args.tolerance,
        openvat_rounding=args.openvat_rounding,
        rows=args.rows,
        normal_texture=args.normal_texture,
        join=args.join,
        engines=() if args.engine == ["none"] else tuple(args.engine),
        max_size=args.max_size,
        name=args.name,
        mesh=args.mesh,
        guard=not args.no_guard,
        bounds=not args.no_bounds,
        render_settings=args.render_settings,
        memory=args.memory,
        scratch=args.scratch,
        threads=args.threads,
    )


def _bake(args: argparse.Namespace, settings: BakeSettings, stdout: TextIO) -> None:
    # From here on, so that a signal while Blender starts or the scene loads is heard, too.
    with console.stop_signals() as should_stop:
        try:
            import bpy
        except ImportError as error:
            raise BakeError(
                f"Blender is not in this Python ({error}); run 'pip install bpy', or bake with "
                "'blender -b SCENE.blend -c truevat bake …'"
            ) from error
        from .blender import scene_file
        from .blender.bake import bake, output_folder

        if args.scene:
            for warning in scene_file.open_scene(args.scene):
                _say(f"warning: {warning}")
        if args.save_blend:
            scene_file.check_target(args.save_blend, output_folder(settings))
        progress = console.ProgressPrinter(sys.stderr)
        try:
            report = bake(bpy.context, settings, on_progress=progress, should_stop=should_stop)
        finally:
            progress.close()
        if args.save_blend:
            scene_file.save_copy(args.save_blend)
            report.files["blend"] = args.save_blend.absolute()
    for warning in report.warnings:
        _say(f"warning: {warning}")
    for note in report.notes:
        _say(f"note: {note}")
    stdout.write(_json(report) if args.json else _summary(report))
    stdout.flush()


def _json(report: Report) -> str:
    return json.dumps(report.to_json(), indent=2, ensure_ascii=False) + "\n"


def _summary(report: Report) -> str:
    width = max(len(str(path)) for path in report.files.values())
    files = [
        f"  {path!s:{width}}  {path.stat().st_size / 1e6:9,.3f} MB"
        for path in report.files.values()
    ]
    return "\n".join([report.summary, *files]) + "\n"


COMMANDS = {
    "bake": Command("bake a vertex animation texture", _bake_arguments, _bake_settings, _bake),
    "info": Command("say what a texture or sidecar is", info.arguments, info.check, info.run),
    "view": Command("play a bake in a browser", viewer.arguments, viewer.check, viewer.run),
}
