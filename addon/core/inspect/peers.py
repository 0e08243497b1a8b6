# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What other tools write beside their textures: OpenVAT, and bakers to bounds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from .json_file import Node
from .picture import Picture, is_there

OPENVAT_SUFFIX = "-remap_info.json"
BOUNDS_SUFFIX = "_info.json"
OPENVAT_TEXTURES = ("_vat.exr", "_vat.png")
OPENVAT_NORMALS = ("_vnrm.exr", "_vnrm.png")
BOUNDS_TEXTURES = ("_pos.exr", "_nml.exr")


def is_openvat(node: Node) -> bool:
    return "os-remap" in node


def is_bounds(node: Node) -> bool:
    return "bounding_box" in node and "frame_count" in node


def json_beside(texture: Path) -> Path | None:
    """The JSON that other tools write for a texture of this name."""
    for suffixes, ending in (
        ((*OPENVAT_TEXTURES, *OPENVAT_NORMALS), OPENVAT_SUFFIX),
        (BOUNDS_TEXTURES, BOUNDS_SUFFIX),
    ):
        for suffix in suffixes:
            if texture.name.endswith(suffix):
                path = texture.with_name(texture.name.removesuffix(suffix) + ending)
                if is_there(path):
                    return path
    return None


def openvat_texture(path: Path) -> Path | None:
    return _first_beside(path, OPENVAT_SUFFIX, OPENVAT_TEXTURES)


def bounds_texture(path: Path, node: Node) -> Path | None:
    if "textures" in node and "position" in node.inner("textures"):
        named = path.with_name(node.inner("textures").file_name("position"))
        return named if is_there(named) else None
    return _first_beside(path, BOUNDS_SUFFIX, BOUNDS_TEXTURES[:1])


def openvat_facts(path: Path, node: Node, picture: Picture | None) -> dict[str, Any]:
    remap = node.inner("os-remap")
    frames = remap.whole("Frames", 1)
    facts: dict[str, Any] = {
        "layout": "openvat",
        "position": {"kind": "remapped"},
        "frames": {"stored": frames},
        "bounds": {"min": remap.vector("Min"), "max": remap.vector("Max")},
        "clips": [],
    }
    animations = node.inner("animations") if "animations" in node else Node({}, "")
    for name in animations.values:
        clip = animations.inner(name)
        # Frames of the scene: which of them is the first stored one, nothing says.
        start, end = (clip.whole(key, -(2**31)) for key in ("startFrame", "endFrame"))
        facts["clips"].append(
            {
                "name": name,
                "start": start,
                "end": end,
                "frames": max(end - start + 1, 0),
                "fps": _fps(clip, "framerate"),
                "loop": bool(clip.take("looping")),
            }
        )
    separate = _first_beside(path, OPENVAT_SUFFIX, OPENVAT_NORMALS)
    if separate:
        facts["normals"] = {"encoding": "xyz", "in": separate.name}
    elif picture and picture.height == 2 * frames:
        facts["normals"] = {"encoding": "xyz", "in": "the lower half of the texture"}
    elif picture and picture.height == frames:
        facts["normals"] = {"encoding": "none"}
    return facts


def bounds_facts(node: Node) -> dict[str, Any]:
    frames = node.whole("frame_count", 1)
    facts: dict[str, Any] = {
        "layout": "bounds",
        "position": {"kind": "remapped"},
        "frames": {"stored": frames},
        "bounds": node.box("bounding_box"),
        "clips": [],
    }
    if "vertex_count" in node:
        facts["slots"] = node.whole("vertex_count", 1)
    if "fps" in node:
        facts["frames"]["fps"] = _fps(node, "fps")
    for clip in _named_clips(node):
        facts["clips"].append(
            {
                "name": clip.text("name"),
                "first_frame": clip.whole("start_frame"),
                "frames": clip.whole("frame_count", 1),
                "fps": _fps(clip, "fps"),
                "loop": None,
            }
        )
    return facts


def _named_clips(node: Node) -> list[Node]:
    """A list with names in it, or an object by name: both are found."""
    if "clips" not in node:
        return []
    if isinstance(node.take("clips"), list):
        return node.items("clips")
    clips = node.inner("clips")
    return [Node({"name": name, **clips.inner(name).values}, clips.where) for name in clips.values]


def _fps(node: Node, key: str) -> Fraction:
    fps = node.number(key)
    if not 0.001 <= fps <= 1e6:
        node.wrong(key, "is no rate")
    return Fraction(fps).limit_denominator(1001)


def _first_beside(path: Path, ending: str, suffixes: tuple[str, ...]) -> Path | None:
    if not path.name.endswith(ending):
        return None
    name = path.name.removesuffix(ending)
    paths = [path.with_name(name + suffix) for suffix in suffixes]
    return next((each for each in paths if is_there(each)), None)
