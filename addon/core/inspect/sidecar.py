# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""<name>.truevat.json: finding it, and reading what `info` tells of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..errors import BakeError
from .headers import VERSION
from .json_file import Node, load
from .picture import is_there

SUFFIX = ".truevat.json"
LAYOUTS = ("truevat", "nekovat", "bounds", "openvat")
PIXELS = ("float32", "float16", "unorm16")
POSITIONS = ("absolute", "offset", "remapped")
ENCODINGS = ("oct24", "oct16f", "xyz8", "xyz", "none")


@dataclass(frozen=True)
class Sidecar:
    """`facts` are its values as `info` gives them; `files` has (name, bytes) by role."""

    path: Path
    layout: str
    bake_id: str
    files: dict[str, tuple[str, int]]
    facts: dict[str, Any]

    def file(self, role: str) -> Path | None:
        return self.path.parent / self.files[role][0] if role in self.files else None


def find(file: Path) -> tuple[Sidecar | None, list[str]]:
    """The sidecar beside a file that names it; and why others, whose names fit, were left out."""
    notes: list[str] = []
    try:
        beside = sorted(
            (each for each in file.absolute().parent.iterdir() if each.name.endswith(SUFFIX)),
            key=lambda each: (-len(each.name), each.name),
        )
    except OSError as error:
        return None, [f"its folder cannot be read ({error.strerror or error})"]
    for path in beside:
        if not file.name.startswith(path.name.removesuffix(SUFFIX)) or not is_there(path):
            continue
        try:
            sidecar = read(path, load(path))
        except BakeError as error:
            notes.append(str(error))
            continue
        if file.name in {name for name, _ in sidecar.files.values()} | {path.name}:
            return sidecar, notes
    return None, notes


def is_sidecar(node: Node) -> bool:
    return node.values.get("format") == "truevat"


def read(path: Path, node: Node) -> Sidecar:
    """What the schema asks for, as far as it is told; BakeError for what is wrong."""
    version = node.whole("version", 1)
    if version > VERSION:
        raise BakeError(f"'{path}' is of version {version} of the format; get a later TrueVAT")
    layout = node.choice("profile", LAYOUTS)
    bake_id = node.text("bake_id")
    if len(bake_id) != 32 or not set(bake_id) <= set("0123456789abcdef"):
        node.wrong("bake_id", "is not 32 hexadecimal digits")
    files = {}
    listed = node.inner("files")
    for role in listed.values:
        entry = listed.inner(role)
        files[role] = entry.file_name("name"), entry.whole("bytes")
    if "texture" not in files:
        listed.wrong("texture", "is missing")
    return Sidecar(path, layout, bake_id, files, _facts(node))


def _facts(node: Node) -> dict[str, Any]:
    texture, frames = node.inner("texture"), node.inner("frames")
    position, normals = node.inner("position"), node.inner("normals")
    return {
        "texture": {
            "width": texture.whole("width", 1),
            "height": texture.whole("height", 1),
            "pixel": texture.choice("pixel", PIXELS),
            "header_rows": texture.whole("header_rows"),
            "rows_per_frame": texture.whole("rows_per_frame", 1),
        },
        "position": {
            "kind": position.choice("kind", POSITIONS),
            "error_m": position.number("error_m"),
        },
        "normals": {
            "of": normals.choice("of", ("corner", "vertex", "face")),
            "encoding": normals.choice("encoding", ENCODINGS),
            "error_degrees": (
                normals.number("error_degrees") if "error_degrees" in normals else None
            ),
            **({"guard": normals.flag("guard")} if "guard" in normals else {}),
        },
        "address": node.choice("address", ("slot", "uv", "vertex-id")),
        "dedup": node.text("dedup"),
        "samples": node.whole("samples"),
        "slots": node.whole("slots"),
        "frames": {
            "stored": frames.whole("stored", 1),
            **{key: frames.number(key) for key in ("start", "end", "step")},
            "fps": rate(frames),
        },
        "clips": [_clip(clip) for clip in node.items("clips")],
        "constant_topology": node.flag("constant_topology"),
        "space": {key: node.inner("space").text(key) for key in ("axes", "unit", "origin")},
        "bounds": node.box("bounds"),
        "objects": [each.text("name") for each in node.items("objects")],
        "source": node.text("source"),
        "generator": {key: node.inner("generator").text(key) for key in ("name", "version")},
    }


def _clip(clip: Node) -> dict[str, Any]:
    return {
        "name": clip.text("name"),
        "first_frame": clip.whole("first_frame"),
        "frames": clip.whole("frames", 1),
        "fps": rate(clip),
        "loop": clip.flag("loop"),
        **({"seam_error_m": clip.number("seam_error_m")} if "seam_error_m" in clip else {}),
    }


def rate(node: Node) -> Fraction:
    fps = node.inner("fps")
    return Fraction(fps.whole("numerator", 1), fps.whole("denominator", 1))
