# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes vertex animation textures: a Blender extension, and the Python package `truevat`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    import bpy

    from .core.clips import ClipSettings
    from .core.frames import FrameRange
    from .core.report import Report

_commands: list[object] = []


def bake(
    output: str | PathLike[str],
    objects: Iterable[bpy.types.Object | str] | None = None,
    collection: bpy.types.Collection | str | None = None,
    frames: str | Sequence[float] | FrameRange | None = None,
    profile: str = "truevat",
    address: str = "uv",
    normals: str | None = None,
    dedup: str | None = None,
    max_size: int = 4096,
    name: str | None = None,
    mesh: str = "auto",
    guard: bool = True,
    bounds: bool = True,
    memory: int = 1024,
    *,
    pixel: str = "auto",
    tolerance: float = 0.1,
    openvat_rounding: bool = False,
    rows: str | None = None,
    normal_texture: str | None = None,
    join: bool | None = None,
    engines: Iterable[str] | None = None,
    clips: str | ClipSettings = "scene",
    fps: str | float | Fraction | None = None,
    step: str | float | Fraction | None = None,
    texture_per_clip: bool = False,
) -> Report:
    """Bakes objects of the current scene into the folder `output`.

    objects: objects or their names; else those of `collection`, or else the selected ones.
    frames: "1:120", "1:120:2", (1, 120) or (1, 120, 2), both ends included; else the scene's range.
    profile: "truevat", "nekovat", "bounds" or "openvat". address: "uv" or "vertex-id".
    mesh: "fbx", "glb", "none", or "auto", which writes what the engines play.
    pixel: "float", "half", or "auto", which takes half floats where they move no point by more than
    `tolerance` millimetres. rows: "wrap" or "single". memory: in MiB.
    clips: "scene", "actions", "nla", "markers", or ranges as "Walk=1:24@loop,Jump=30:41", as the
    command has them. fps, step: how densely to bake; one of the two.
    engines: whose import settings are written, of "unity", "godot" and "web"; all by default.
    What is None is as the profile has it: normals "corner" (or "vertex", "face"), dedup
    "trajectory" (or "rest", "none"), normal_texture "packed", join (one playback mesh of all
    objects) True, but not for nekovat.

    Raises truevat.core.errors.BakeError.
    """
    import bpy

    from .blender.bake import bake as run
    from .core.errors import BakeError
    from .core.frames import FrameRange
    from .core.settings import BakeSettings

    if isinstance(frames, str):
        frames = FrameRange.parse(frames)
    elif frames is not None and not isinstance(frames, FrameRange):
        try:
            frames = FrameRange(*map(float, frames))
        except (TypeError, ValueError) as error:
            raise BakeError(
                f"frames is {frames!r}; give '1:120', '1:120:2', (1, 120) or (1, 120, 2)"
            ) from error
    settings = BakeSettings(
        output=Path(output) if isinstance(output, PathLike) else output or "",
        objects=_names(objects),
        collection=None if collection is None else _name(collection),
        frames=frames,
        clips=_clips(clips, fps, step),
        texture_per_clip=texture_per_clip,
        profile=profile,
        address=address,
        normals=normals,
        dedup=dedup,
        max_size=max_size,
        name=name,
        mesh=mesh,
        guard=guard,
        bounds=bounds,
        memory=memory,
        pixel=pixel,
        tolerance=tolerance,
        openvat_rounding=openvat_rounding,
        rows=rows,
        normal_texture=normal_texture,
        join=join,
        **({} if engines is None else {"engines": tuple(engines)}),
    )
    return run(bpy.context, settings)


def _clips(
    clips: str | ClipSettings,
    fps: str | float | Fraction | None,
    step: str | float | Fraction | None,
) -> ClipSettings:
    from .core.clip_text import exact_fps, exact_step, parse_clips
    from .core.errors import BakeError

    if not isinstance(clips, str):
        if (fps, step) != (None, None):
            raise BakeError("ClipSettings have fps and step of their own; leave the others out")
        return clips
    return parse_clips(
        clips, None if fps is None else exact_fps(fps), None if step is None else exact_step(step)
    )


def _names(objects: Iterable[bpy.types.Object | str] | None) -> tuple[str, ...]:
    if objects is None:
        return ()
    if isinstance(objects, str):
        return (objects,)
    names = tuple(_name(item) for item in objects)
    if not names:
        # An empty tuple of names means the selection: not what an empty list says.
        from .core.errors import BakeError

        raise BakeError("'objects' is empty; leave it out to bake the selected objects")
    return names


def _name(item: bpy.types.ID | str) -> str:
    """A linked datablock's full name, which tells it from one of this file."""
    name = item if isinstance(item, str) else getattr(item, "name_full", None)
    if name is None:
        from .core.errors import BakeError

        raise BakeError(f"{item!r} is neither a datablock of Blender nor a name")
    return name


def register() -> None:
    """Called by Blender when the extension is enabled."""
    import bpy

    from . import cli, ui

    ui.register()
    _commands.append(bpy.utils.register_cli_command("truevat", cli.command))


def unregister() -> None:
    """Called by Blender when the extension is disabled."""
    import bpy

    from . import ui

    bpy.utils.unregister_cli_command(_commands.pop())
    ui.unregister()
