# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens and stores .blend files for the command."""

from __future__ import annotations

import os
from pathlib import Path

import bpy

from ..core.errors import BakeError

# How a .blend starts: as it is, or compressed by Zstandard (since 3.0) or gzip (before).
MAGIC = (b"BLENDER", b"\x28\xb5\x2f\xfd", b"\x1f\x8b")


def open_scene(path: Path) -> list[str]:
    """Loads a .blend, without its window layout. Returns warnings."""
    try:
        with path.open("rb") as file:
            start = file.read(7)
    except OSError as error:
        raise BakeError(f"Cannot open '{path}': {error.strerror}") from error
    if not start.startswith(MAGIC):
        raise BakeError(f"'{path}' is not a .blend file")
    try:
        bpy.ops.wm.open_mainfile(filepath=str(path.absolute()), load_ui=False)
    except RuntimeError as error:
        raise BakeError(f"Blender cannot open '{path}': {_reason(error)}") from error
    if bpy.app.autoexec_fail:
        return [
            f"'{path}' has Python code that was not run ({bpy.app.autoexec_fail_message}): what it "
            "drives stands still. If you trust the file, bake it with "
            f"blender -b -y '{path}' -c truevat bake …"
        ]
    return []


def check_target(path: Path, output: Path) -> None:
    """Before hours are spent: can a file be stored there? The bake makes `output`, an absolute
    path."""
    if path.suffix != ".blend":
        raise BakeError(f"Cannot store '{path}': give it a name that ends in .blend")
    folder = path.absolute().parent
    if folder == output and not folder.exists():
        return
    if not folder.is_dir():
        raise BakeError(f"Cannot store '{path}': there is no folder '{folder}'")
    if path.is_dir():
        raise BakeError(f"Cannot store '{path}': it is a folder")
    if not os.access(folder, os.W_OK):
        raise BakeError(f"Cannot store '{path}': the folder '{folder}' is read-only")


def save_copy(path: Path) -> None:
    """Stores the whole file as it now is; paths relative to the .blend lead to the same files."""
    path = path.absolute()
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.blend")
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(unfinished), copy=True, relative_remap=True)
        os.replace(unfinished, path)
    except (RuntimeError, OSError) as error:
        unfinished.unlink(missing_ok=True)
        raise BakeError(f"Cannot store '{path}': {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error).strip().removeprefix("Error: ")
