# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the files of a bake belong together."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..errors import BakeError
from .headers import NekovatHeader, TrueVatHeader
from .mesh_file import bake_ids
from .picture import Picture, is_there
from .sidecar import Sidecar


class Check(NamedTuple):
    """`ok` is None where nothing in the files tells."""

    what: str
    ok: bool | None
    says: str


def same(what: str, found: object, expected: object) -> Check:
    """`what` names both sides, the found one first."""
    if found == expected:
        return Check(what, True, f"{_words(found)}, both")
    return Check(what, False, f"{_words(found)}, but {_words(expected)} in the other")


def verdict(checks: list[Check], pair: bool) -> bool | None:
    """Whether mesh and texture belong together; `pair`: both are there and say whose they are."""
    if any(check.ok is False for check in checks):
        return False
    return True if pair and all(check.ok for check in checks) else None


def files_of(sidecar: Sidecar) -> list[Check]:
    checks = []
    for role, (name, size) in sidecar.files.items():
        path = sidecar.path.parent / name
        found = path.stat().st_size if is_there(path) else None
        what = f"file '{name}' ({role})"
        if found is None:
            checks.append(Check(what, False, "is missing"))
        elif found != size:
            checks.append(Check(what, False, f"has {found:,} bytes, not {size:,}"))
        else:
            checks.append(Check(what, True, f"has its {size:,} bytes"))
    return checks


def texture_of(sidecar: Sidecar, picture: Picture) -> list[Check]:
    said = sidecar.facts["texture"]
    return [
        same(
            "size and pixels of the texture, and in the sidecar",
            f"{picture.width} x {picture.height} {picture.pixel}",
            f"{said['width']} x {said['height']} {said['pixel']}",
        )
    ]


def truevat_in(picture: Picture, header: TrueVatHeader) -> list[Check]:
    """Does the texture hold what its own header says?"""
    rows = header.header_rows + header.stored * header.rows_per_frame
    if header.normals == "oct16f":
        rows = max(rows, header.normal_row + header.stored * header.normal_rows_per_frame)
    return [
        same(
            "size of the texture, and in its header",
            f"{picture.width} x {picture.height}",
            f"{header.width} x {header.height}",
        ),
        _fits("frames in the texture", rows <= header.height),
        _fits("slots in a frame", header.slots <= header.width * header.rows_per_frame),
        _fits(
            "clips in the stored frames",
            all(
                clip.frames and clip.first_frame + clip.frames <= header.stored
                for clip in header.clips
            ),
        ),
    ]


def headers_of(sidecar: Sidecar, header: TrueVatHeader | NekovatHeader | None) -> list[Check]:
    """Does the header say what the sidecar says?"""
    if sidecar.layout not in ("truevat", "nekovat"):
        return []
    facts = sidecar.facts
    if header is None or isinstance(header, TrueVatHeader) != (sidecar.layout == "truevat"):
        return [Check("header of the texture", False, f"is not that of a {sidecar.layout} texture")]
    pairs: dict[str, tuple[object, object]] = {
        "rows per frame": (header.rows_per_frame, facts["texture"]["rows_per_frame"]),
        "stored frames": (header.stored, facts["frames"]["stored"]),
    }
    if isinstance(header, TrueVatHeader):
        pairs = {
            "bake id": (header.bake_id, sidecar.bake_id),
            **pairs,
            "header rows": (header.header_rows, facts["texture"]["header_rows"]),
            "slots": (header.slots, facts["slots"]),
            "positions": (header.position, facts["position"]["kind"]),
            "normals": (header.normals, facts["normals"]["encoding"]),
            "topology": (
                _topology(header.constant_topology),
                _topology(facts["constant_topology"]),
            ),
            "clips": (
                [(c.first_frame, c.frames, c.fps, c.loop) for c in header.clips],
                [(c["first_frame"], c["frames"], c["fps"], c["loop"]) for c in facts["clips"]],
            ),
        }
    return [
        same(f"{what} in the texture, and in the sidecar", *values)
        for what, values in pairs.items()
    ]


def mesh_of(path: Path | None, bake_id: str) -> Check:
    """Does the mesh say that it is of this bake?"""
    what = "bake id in the mesh, and in the rest"
    if path is None:
        return Check("mesh", None, "no mesh file was written")
    if not is_there(path):
        return Check(what, None, "there is no mesh")
    try:
        found = bake_ids(path)
    except BakeError as error:
        return Check(what, None, str(error))
    if not found:
        return Check(what, None, f"'{path.name}' carries none")
    return same(what, " and ".join(sorted(found)), bake_id)


def peers_frames(picture: Picture, frames: int, slots: int | None) -> list[Check]:
    texels = picture.width * picture.height
    least = frames * (slots or 1)
    if picture.height < frames and slots is None:
        least = texels + 1
    return [_fits("frames in the texture", least <= texels)]


def _fits(what: str, fits: bool) -> Check:
    return Check(what, fits, "fit" if fits else "do not fit")


def _topology(constant: bool) -> str:
    return "constant" if constant else "changing"


def _words(value: object) -> str:
    if not isinstance(value, list):
        return str(value)
    return "; ".join(
        f"{frames} frames from {first} at {fps} fps{', loop' if loop else ''}"
        for first, frames, fps, loop in value
    )
