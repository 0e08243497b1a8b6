# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake's textures will be, known when all frames are in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import truevat_native as native

from .errors import BakeError
from .mesh import Floats, Ints, MeshSnapshot
from .names import safe_file_name
from .profiles.base import ClipRows, Layout, Need
from .settings import BakeSettings


@dataclass(frozen=True)
class Book:
    """One set of textures: of all clips, or of one.

    `suffix` goes between the bake's name and a file's own suffix. `clips` count their frames from
    the book's first one, which is the bake's frame `first`. `stored` are the bake's frames that the
    texture's frames show. Boxes are float32, relative to the origins, in the texture's axes:
    `clip_extents` (clips, 2, 3), `extent` (2, 3) of them all, and `limits` (2, 3), what mapped
    positions are mapped to.
    """

    suffix: str
    first: int
    clips: list[ClipRows]
    layout: Layout
    stored: list[int]
    clip_extents: Floats
    extent: Floats
    limits: Floats

    @property
    def frames(self) -> int:
        return sum(clip.frames for clip in self.clips)


@dataclass(frozen=True)
class Plan:
    """`address` holds for each part the slot of each corner (UV addressing) or of each corner of
    its triangles (vertex-ID addressing), int32. `bounds` is float32 (groups, 2, 3) in world space;
    `origins` (groups, 3) is what positions are relative to. `samples` is the number of samples
    before de-duplication, at the frame that has most. `triangles`, where the topology changes,
    counts those of each frame. `reason` says why the pixel type is what it is, where that was for
    the bake to choose.
    """

    books: list[Book]
    pixel: str
    reason: str | None
    frames: int
    samples: int
    slots: int
    address: list[Ints]
    origins: Floats
    bounds: Floats
    bake_id: str
    bad_normals: int
    constant: bool
    triangles: list[int] | None

    @property
    def layout(self) -> Layout:
        """By which slots are addressed, the same in all books."""
        return self.books[0].layout

    @property
    def stored(self) -> int:
        return sum(len(book.stored) for book in self.books)

    @property
    def extent(self) -> Floats:
        return union(np.stack([book.extent for book in self.books]), 0)


def union(boxes: Floats, axis: int | tuple[int, ...]) -> Floats:
    """Of boxes (..., 2, 3), over some of the first axes."""
    return np.stack([boxes[..., 0, :].min(axis), boxes[..., 1, :].max(axis)], axis=-2)


def lay_out(settings: BakeSettings, pixel: str, slots: int, frames: int, clips: int) -> Layout:
    """BakeError if no texture holds it."""
    return settings.layout.layout(
        Need(
            slots=slots,
            frames=frames,
            clips=clips,
            pixel=pixel,
            max_size=settings.max_size,
            rows=settings.rows,
            normals=settings.normal_texture,
        )
    )


def bind(
    settings: BakeSettings, pixel: str, slots: int, clips: Sequence[ClipRows], extents: Floats
) -> list[Book]:
    """The books of a bake, with the extents (clips, 2, 3) for their limits."""
    profile = settings.layout
    together = [list(clips)]
    groups = [[clip] for clip in clips] if settings.texture_per_clip else together
    books, first = [], 0
    for group in groups:
        frames = sum(clip.frames for clip in group)
        mine = extents[len(books) : len(books) + 1] if settings.texture_per_clip else extents
        books.append(
            Book(
                suffix=clip_suffix(group[0].name) if settings.texture_per_clip else "",
                first=first,
                clips=[replace(clip, first_frame=clip.first_frame - first) for clip in group],
                layout=lay_out(settings, pixel, slots, frames, len(group)),
                stored=[first + frame for frame in profile.stored_frames(frames)],
                clip_extents=mine,
                extent=union(mine, 0),
                limits=profile.limits(settings, union(mine, 0)),
            )
        )
        first += frames
    check_suffixes([book.suffix for book in books])
    return books if _one_address(settings, books) else _of_one_layout(settings, pixel, slots, books)


def clip_suffix(name: str) -> str:
    """Of the files of a clip that has its own."""
    return f"_{safe_file_name(name)}"


def check_suffixes(suffixes: Sequence[str]) -> None:
    """Files that some system takes for one cannot be two."""
    if len({suffix.casefold() for suffix in suffixes}) != len(suffixes):
        raise BakeError(
            "Two clips would have files of one name; rename a clip, or bake them into one texture"
        )


def _one_address(settings: BakeSettings, books: Sequence[Book]) -> bool:
    """Do the same UVs find the same slots in all textures?"""
    some = np.array([0, 1, 1023, 1 << 16], np.int32)
    first, *others = (
        settings.layout.address(some, book.layout, len(book.stored)) for book in books
    )
    return all(np.array_equal(first, other) for other in others)


def _of_one_layout(
    settings: BakeSettings, pixel: str, slots: int, books: Sequence[Book]
) -> list[Book]:
    frames = max(book.frames for book in books)
    layout = lay_out(settings, pixel, slots, frames, 1)
    return [replace(book, layout=layout) for book in books]


def bake_id(
    settings: BakeSettings,
    books: Sequence[Book],
    pixel: str,
    times: Sequence[Fraction],
    groups: Sequence[str],
    snapshots: Sequence[MeshSnapshot],
    origins: Floats,
    track: native.Track,
) -> str:
    """128 bits of what was baked and how, as 32 hexadecimal digits."""
    how = {
        "profile": settings.profile,
        "address": settings.address,
        "normals": settings.normals,
        "dedup": settings.dedup,
        "guard": settings.guard,
        "normal_texture": settings.normal_texture,
        "openvat_rounding": settings.openvat_rounding,
        "pixel": pixel,
        "join": settings.join,
        "clips": [
            (clip.name, clip.first_frame, clip.frames, str(clip.fps), clip.loop)
            for book in books
            for clip in book.clips
        ],
        "layouts": [book.layout for book in books],
        "frames": [str(time) for time in times],
        "objects": list(groups),
    }
    digest = hashlib.blake2b(track.digest(), digest_size=16)
    digest.update(json.dumps(how, sort_keys=True).encode())
    for snapshot in snapshots:
        digest.update(snapshot.topology.corner_vert)
        digest.update(snapshot.topology.face_start)
    digest.update(np.ascontiguousarray(origins))
    return digest.hexdigest()
