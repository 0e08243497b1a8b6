# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bake a mesh file says that it belongs to."""

from __future__ import annotations

import mmap
import re
import struct
from pathlib import Path

from ..errors import BakeError
from .json_file import MOST_BYTES, parse
from .picture import is_there

PROPERTY = "truevat_bake"
IN_FBX = re.compile(PROPERTY.encode() + rb".{0,64}?([0-9a-f]{32})", re.DOTALL)


def beside(texture: Path, suffix: str) -> Path | None:
    """The mesh that has the name of a texture."""
    name = texture.name.removesuffix(suffix)
    paths = [texture.with_name(name + kind) for kind in (".fbx", ".glb")]
    return next((path for path in paths if is_there(path)), None)


def bake_ids(path: Path) -> set[str] | None:
    """Of the objects of a GLB or FBX file that carry one; None for a file of another kind."""
    if path.suffix.lower() == ".glb":
        return _in_glb(path)
    if path.suffix.lower() == ".fbx":
        return _in_fbx(path)
    return None


def _in_glb(path: Path) -> set[str]:
    try:
        with path.open("rb") as file:
            magic, _, _, size, kind = struct.unpack("<4s3I4s", file.read(20))
            if (magic, kind) != (b"glTF", b"JSON") or size > MOST_BYTES:
                raise ValueError
            content = parse(file.read(size), f"'{path}'").values
    except (OSError, struct.error, ValueError) as error:
        raise BakeError(f"'{path}' is no GLB file, or is damaged; export it again") from error
    nodes = content.get("nodes")
    extras = (
        [node.get("extras") for node in nodes or () if isinstance(node, dict)]
        if (isinstance(nodes, list))
        else []
    )
    found = [extra.get(PROPERTY) for extra in extras if isinstance(extra, dict)]
    return {bake_id for bake_id in found if isinstance(bake_id, str)}


def _in_fbx(path: Path) -> set[str]:
    """Text stands as it is in a binary FBX file."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return {match[1].decode() for match in IN_FBX.finditer(data)}
    except (OSError, ValueError) as error:
        raise BakeError(f"'{path}' cannot be read: {error}; export it again") from error
