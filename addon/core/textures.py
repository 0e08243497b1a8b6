# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A track into texture files, at the end or while its frames arrive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import truevat_native as native

from .errors import BakeError
from .mesh import Floats, MeshSnapshot
from .profiles.base import Layout, Texture
from .settings import BakeSettings
from .slots import Slots, rest_positions

# A call that writes so much takes well under 0.2 s, so that a bake can be cancelled in between.
WRITE_BYTES = 32 << 20


@dataclass(frozen=True)
class Recording:
    """What textures are written from. `origins`: float32 (parts, 3). `count`: slots of a frame."""

    settings: BakeSettings
    track: native.Track
    snapshots: Sequence[MeshSnapshot]
    origins: Floats
    slots: Slots
    count: int


class Stream:
    """A texture that is written while frames arrive, and what it was laid out for."""

    def __init__(
        self, recording: Recording, texture: Texture, layout: Layout, stored: list[int], path: Path
    ) -> None:
        self.slots, self.path = recording.slots, path
        self.frames_before = recording.track.frames
        self.writer: native.TextureWriter | None = open_writer(
            recording, texture, layout, stored, path
        )
        try:
            self.writer.divert(recording.settings.dedup != "trajectory")
        except (native.NativeError, OSError):
            self.writer = None  # closes the file, which a traceback would keep open
            raise

    def has_all(self, track: native.Track) -> bool:
        return self.frames_before + track.taken == track.frames


class TextureFile:
    """One texture: write() yields the rows done, then `error` is the farthest that its channels
    move a point, in metres."""

    def __init__(self, height: int, width: int, header: Floats) -> None:
        self.error = 0.0
        self._height = height
        self._rows = max(WRITE_BYTES // (width * 16), 1)
        self._header = header

    def write(self, writer: native.TextureWriter, path: Path) -> Iterator[int]:
        try:
            writer.set_header(self._header)
            left = self._height
            while left:
                left = writer.write(self._rows)
                yield self._height - left
            size = writer.close()
            self.error = writer.error
        finally:
            del writer  # closes the file, which a traceback would keep open
        if path.stat().st_size != size:
            raise BakeError(f"{path} is incomplete; look at its disk, and bake again")


def open_writer(
    recording: Recording,
    texture: Texture,
    layout: Layout,
    stored: Sequence[int],
    path: Path,
    *,
    limits: Floats | None = None,
    earlier: Stream | None = None,
) -> native.TextureWriter:
    """`stored`: the track's frame that each stored frame shows. `limits` (2, 3) is what mapped
    positions are mapped to. `earlier` has frames that the track has not."""
    slots = recording.slots
    return native.TextureWriter(
        recording.track,
        str(path),
        layout=tuple(layout),
        frames=np.array(stored, np.int32),
        part_start=slots.part_start,
        point=slots.point,
        face=slots.face,
        corner=slots.corner,
        origin=recording.origins,
        slots=recording.count,
        texel=texture.texel,
        half=texture.half,
        pad=texture.pad,
        rest=_rest(recording) if texture.offsets else None,
        mapping=_mapping(recording.settings, texture, limits),
        threads=recording.settings.threads,
        earlier=earlier.writer if earlier else None,
        earlier_sample=_earlier_samples(slots, earlier.slots) if earlier else None,
    )


def _earlier_samples(slots: Slots, earlier: Slots) -> np.ndarray:
    """(slots,) which slot of the earlier texture each one was."""
    return np.concatenate(
        [
            earlier.address[i][slots.corner[start:end]]
            for i, (start, end) in enumerate(pairwise(slots.part_start))
        ]
    )


def _rest(recording: Recording) -> Floats:
    """(3, count): where slots are in the first frame, relative to their origins."""
    points, _ = recording.track.frame(0)
    rest = rest_positions(recording.slots, points, recording.snapshots, recording.origins)
    nowhere = rest[:1] if len(rest) else np.zeros((1, 3), np.float32)
    missing = np.repeat(nowhere, recording.count - len(rest), axis=0)
    return np.ascontiguousarray(np.concatenate([rest, missing]).T)


def _mapping(settings: BakeSettings, texture: Texture, limits: Floats | None) -> Floats | None:
    if texture.texel not in ("mapped", "normals"):
        return None
    return settings.layout.mapping(np.where(np.isfinite(limits), limits, 0))
