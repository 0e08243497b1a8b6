# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file of a bake is, as facts that `info` prints or gives as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import BakeError
from . import checks, mesh_file, peers, sidecar
from .checks import Check
from .headers import NekovatHeader, TrueVatHeader, nekovat_header, truevat_header
from .json_file import Node, load
from .picture import Picture, is_there, read_picture

TEXTURE_SUFFIX = ".truevat.exr"
# Layouts whose textures say nothing about themselves.
SILENT = ("bounds", "openvat")


def describe(path: Path) -> dict[str, Any]:
    """Of an EXR, PNG or JSON file, or any other that a sidecar beside it names.

    BakeError for a file that cannot be read or is none of these.
    """
    picture = read_picture(path)
    if picture is None and path.name.lower().endswith(".json"):
        node = load(path)
        if sidecar.is_sidecar(node):
            return _of_sidecar(path, sidecar.read(path, node), [])
    else:
        node = None
    found, notes = sidecar.find(path)
    if found:
        return _of_sidecar(path, found, notes)
    if picture:
        return _of_picture(path, picture, notes)
    if node:
        return _of_peer(path, node, None, notes)
    raise BakeError(
        f"'{path}' is no EXR, PNG or JSON file, and no sidecar beside it names it; "
        "give a bake's texture or its .truevat.json"
    )


def _of_sidecar(path: Path, found: sidecar.Sidecar, notes: list[str]) -> dict[str, Any]:
    texture = found.file("texture")
    made = checks.files_of(found)
    facts = found.facts | {
        "layout": found.layout,
        "version": 1,
        "bake_id": found.bake_id,
        "mesh": found.files.get("mesh", (None, 0))[0],
    }
    picture = None
    try:
        picture = read_picture(texture) if is_there(texture) else None
    except BakeError as error:
        made.append(Check("texture", False, str(error)))
    if picture:
        facts["texture"] = found.facts["texture"] | _picture_facts(picture)
        made += checks.texture_of(found, picture)
        try:
            header = _header(picture)
        except BakeError as error:
            made.append(Check("header of the texture", False, str(error)))
        else:
            made += checks.headers_of(found, header)
            if isinstance(header, TrueVatHeader):
                made += checks.truevat_in(picture, header)
    mesh = checks.mesh_of(found.file("mesh"), found.bake_id)
    made.append(mesh)
    return _facts(path, facts, made, found.path.name, notes, pair=bool(picture and mesh.ok))


def _of_picture(path: Path, picture: Picture, notes: list[str]) -> dict[str, Any]:
    """With no sidecar."""
    beside = peers.json_beside(path)
    header = _header(picture)
    if not isinstance(header, TrueVatHeader) and beside:
        try:
            return _of_peer(path, load(beside), picture, notes, beside)
        except BakeError as error:
            notes = [*notes, str(error)]
    made: list[Check] = []
    pair = False
    facts: dict[str, Any] = {"texture": _picture_facts(picture)}
    if isinstance(header, TrueVatHeader):
        made = checks.truevat_in(picture, header)
        mesh = mesh_file.beside(path, TEXTURE_SUFFIX)
        if mesh:
            made.append(checks.mesh_of(mesh, header.bake_id))
            facts["mesh"] = mesh.name
            pair = bool(made[-1].ok)
        facts |= _truevat_facts(header)
        facts["texture"] |= {
            "header_rows": header.header_rows,
            "rows_per_frame": header.rows_per_frame,
        }
    elif header:
        facts |= {
            "layout": "nekovat",
            "frames": {"stored": header.stored},
            "position": {"kind": "absolute"},
            "normals": {"encoding": "xyz8", "guard": header.guard},
        }
        facts["texture"] |= {"header_rows": 1, "rows_per_frame": header.rows_per_frame}
    else:
        facts |= {"layout": None, "may_be": list(_candidates(picture))}
    return _facts(path, facts, made, None, notes, pair)


def _of_peer(
    path: Path,
    node: Node,
    picture: Picture | None,
    notes: list[str],
    beside: Path | None = None,
) -> dict[str, Any]:
    """`node` is what another tool, or ours for other tools, wrote at `beside`, or at `path`."""
    source = beside or path
    openvat = peers.is_openvat(node)
    if not openvat and not peers.is_bounds(node):
        raise BakeError(
            f'{node.where} is no sidecar: it has neither "format": "truevat", nor "os-remap" as '
            'OpenVAT\'s, nor "frame_count" and "bounding_box"'
        )
    texture = peers.openvat_texture(source) if openvat else peers.bounds_texture(source, node)
    if texture and (picture is None or texture.name != path.name):
        picture = read_picture(texture)
    facts = peers.openvat_facts(source, node, picture) if openvat else peers.bounds_facts(node)
    made = []
    if picture:
        facts["texture"] = _picture_facts(picture)
        made = checks.peers_frames(picture, facts["frames"]["stored"], facts.get("slots"))
    else:
        made.append(Check("texture", False, "there is none beside this file"))
    return _facts(path, facts, made, source.name, notes, pair=False)


def _header(picture: Picture) -> TrueVatHeader | NekovatHeader | None:
    return truevat_header(picture) or nekovat_header(picture)


def _candidates(picture: Picture) -> tuple[str, ...]:
    """The layouts that such a picture may have, when it has no header."""
    if picture.channels not in ("RGB", "RGBA"):
        return ()
    if picture.exr is None:
        return ("openvat",) if picture.pixel in ("unorm8", "unorm16") else ()
    return SILENT if picture.pixel in ("float32", "float16") else ()


def _picture_facts(picture: Picture) -> dict[str, Any]:
    return {
        "file": picture.path.name,
        "bytes": picture.bytes,
        "width": picture.width,
        "height": picture.height,
        "pixel": picture.pixel,
        "channels": picture.channels,
        "compression": picture.compression,
    }


def _truevat_facts(header: TrueVatHeader) -> dict[str, Any]:
    return {
        "layout": "truevat",
        "version": 1,
        "bake_id": header.bake_id,
        "position": {"kind": header.position},
        "normals": {"encoding": header.normals},
        "address": "slot",
        "slots": header.slots,
        "frames": {"stored": header.stored, "fps": header.fps},
        "clips": [clip._asdict() for clip in header.clips],
        "constant_topology": header.constant_topology,
        "bounds": header.bounds,
    }


def _facts(
    path: Path,
    facts: dict[str, Any],
    made: list[Check],
    beside: str | None,
    notes: list[str],
    pair: bool,
) -> dict[str, Any]:
    return {
        "file": path.name,
        **facts,
        "sidecar": beside,
        "checks": [check._asdict() for check in made],
        "belong_together": checks.verdict(made, pair),
        "notes": notes,
    }
