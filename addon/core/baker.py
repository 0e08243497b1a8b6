# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames in, texture out. Knows no Blender: a scene feeds it, or anything else that has frames."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import truevat_native as native

from .errors import BakeError
from .mesh import Floats, Ints, MeshSnapshot
from .profiles import PROFILES, Layout
from .settings import BakeSettings
from .slots import Slots, are_final, least_slots, number_triangles, share_slots

# A call that writes so much takes well under 0.2 s, so that a bake can be cancelled in between.
WRITE_BYTES = 32 << 20


@dataclass(frozen=True)
class Plan:
    """What the texture will be, known when all frames are in.

    `address` holds for each part the slot of each corner (UV addressing) or of each corner of its
    triangles (vertex-ID addressing), int32. `bounds` is float32 (groups, 2, 3), world space.
    `samples` is the number of samples before de-duplication, at the frame that has most.
    """

    layout: Layout
    frames: int
    stored: int
    samples: int
    slots: int
    address: list[Ints]
    bounds: Floats
    bake_id: str
    bad_normals: int
    constant: bool


class _Stream:
    """A texture that is written while frames arrive, and what it was laid out for."""

    def __init__(self, writer: native.TextureWriter, path: Path, slots: Slots, frames: int) -> None:
        self.writer, self.path, self.slots = writer, path, slots
        self.frames_before = frames

    def has_all(self, track: native.Track) -> bool:
        return self.frames_before + track.taken == track.frames


class Baker:
    """begin(), frame() for each frame in order, plan(), then write(); close() when done, however
    it ends. stream_steps(), after the first frame, has later frames written as they arrive."""

    def __init__(self, settings: BakeSettings, groups: Sequence[str]) -> None:
        self.settings = settings
        self.profile = PROFILES[settings.profile]
        self.groups = list(groups)
        self.times: list[Fraction] = []
        # (time, group of each part) of the frames that an error may be about.
        self._recent: deque[tuple[Fraction, list[int]]] = deque(maxlen=native.IN_FLIGHT + 1)
        self.expected = 1
        self.most_samples = 0
        self.constant = True
        self._stream: _Stream | None = None
        self.track = native.Track(
            groups=len(self.groups),
            memory=min(settings.memory << 20, sys.maxsize),
            directory=str(settings.scratch) if settings.scratch else None,
            guard=settings.guard,
        )

    def begin(self, snapshots: Sequence[MeshSnapshot], origins: Floats) -> None:
        """Takes the first frame's meshes, sorted by group, and float32 (groups, 3) origins."""
        self.snapshots = list(snapshots)
        by_uv = self.settings.address == "uv"
        self.origins = origins if by_uv else np.zeros_like(origins)

    def expect(self, frames: int) -> None:
        """Refuses at once what cannot fit, be the trajectories as they may; and later frames, as
        soon as one has too many samples."""
        self.expected = frames
        by_id = self.settings.address == "vertex-id"
        topologies = [snapshot.topology for snapshot in self.snapshots]
        samples = sum(each.triangles.size if by_id else each.corners for each in topologies)
        try:
            self.profile.layout(samples, frames, self.settings.max_size)
        except BakeError:
            if by_id or self.settings.dedup == "none":
                raise  # nothing is shared: what is counted is what is stored
            least = least_slots(self.snapshots, self.settings.dedup)
            self.profile.layout(least, frames, self.settings.max_size)

    def frame(self, parts: Sequence[native.Part], time: Fraction) -> None:
        """One frame; the arrays must stay as they are for native.IN_FLIGHT frames more."""
        own = [part[5] for part in parts if len(part) == 7]
        if own:
            self.constant = False
            samples = sum(map(len, own))
            if samples > self.most_samples:
                self.most_samples = samples
                self.profile.layout(samples, self.expected, self.settings.max_size)
        key = len(self.times)
        if not key:
            self._domains = [part[3] for part in parts]
        self.times.append(time)
        self._recent.append((time, [part[0] for part in parts]))
        try:
            self.track.append(parts, key)
        except (native.NativeError, OSError, MemoryError) as error:
            raise self._explain(error) from error

    def stream_steps(self, path: Path) -> Iterator[None]:
        """After the first frame: if that one decides the layout, later frames go to `path` as they
        come, and take neither memory nor time at the end. Yields in between."""
        if self.settings.address != "uv" or self.expected <= len(self.times):
            return
        try:
            self.track.settle()
            if not are_final(self.snapshots, self._domains, self.settings.dedup, self.track):
                return
            yield
            slots = yield from share_slots(self.snapshots, self.settings.dedup, self.track)
            self._lay_out(slots.count, self.expected)
            writer = self._writer(path, slots)
            self._stream = _Stream(writer, path, slots, len(self.times))
            writer.divert(self.settings.dedup != "trajectory")
        except (native.NativeError, OSError, MemoryError) as error:
            raise self._explain(error) from error

    def plan(self) -> Plan:
        """plan_steps() at once."""
        steps = self.plan_steps()
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value

    def plan_steps(self) -> Generator[None, None, Plan]:
        """Waits for the worker, then gives every sample its place; yields in between."""
        try:
            self.track.finish()
        except (native.NativeError, OSError, MemoryError) as error:
            raise self._explain(error) from error
        yield
        if self._stream and self._stream.has_all(self.track):
            self.slots = self._stream.slots
        elif self.settings.address == "uv":
            self.slots = yield from share_slots(self.snapshots, self.settings.dedup, self.track)
        else:
            self.slots = number_triangles(self.snapshots)
        slots = max(self.slots.count, self.most_samples)
        frames = len(self.times)
        self._lay_out(slots, frames)
        return Plan(
            layout=self.layout,
            frames=frames,
            stored=len(self.stored),
            samples=max(self.slots.corners, self.most_samples),
            slots=slots,
            address=self.slots.address,
            bounds=np.stack([self.track.bounds(group) for group in range(len(self.groups))]),
            bake_id=self._bake_id(),
            bad_normals=self.track.bad_normals,
            constant=self.constant,
        )

    def write(self, path: Path) -> Iterator[tuple[int, int]]:
        """Writes the texture, or what of it is not yet written; yields (rows done, rows in all).
        An unfinished file is the caller's to remove."""
        height = self.layout.height
        rows = max(WRITE_BYTES // (self.layout.width * 16), 1)
        stream, writer = self._stream, None
        try:
            if stream and stream.has_all(self.track):
                writer, written = stream.writer, stream.path
            else:
                writer, written = self._writer(path, self.slots, stream), path
            left = height
            while left:
                left = writer.write(rows)
                yield height - left, height
            size = writer.close()
            if written.stat().st_size != size:
                raise BakeError(f"{written} is incomplete; look at its disk, and bake again")
            del writer
            self.close()
            if written != path:
                written.replace(path)
            elif stream:
                stream.path.unlink()
        except (native.NativeError, OSError, MemoryError) as error:
            raise self._explain(error) from error
        finally:
            writer = stream = None  # closes the file, which a traceback would keep open

    def close(self) -> None:
        """Lets go of a texture that was written as frames came."""
        self._stream = None

    # ---------------------------------------------------------------------------------------------

    def _lay_out(self, slots: int, frames: int) -> None:
        self.layout = self.profile.layout(slots, frames, self.settings.max_size)
        self.header = self.profile.header(self.layout, frames)
        self.stored = self.profile.stored_frames(frames)

    def _writer(
        self, path: Path, slots: Slots, earlier: _Stream | None = None
    ) -> native.TextureWriter:
        groups = [snapshot.group for snapshot in self.snapshots]
        sample = None
        if earlier:
            sample = np.concatenate(
                [
                    earlier.slots.address[i][slots.corner[start:end]]
                    for i, (start, end) in enumerate(pairwise(slots.part_start))
                ]
            )
        return native.TextureWriter(
            self.track,
            str(path),
            layout=tuple(self.layout),
            header=self.header,
            frames=np.array(self.stored, np.int32),
            part_start=slots.part_start,
            point=slots.point,
            face=slots.face,
            corner=slots.corner,
            origin=np.ascontiguousarray(self.origins[groups]),
            threads=self.settings.threads,
            earlier=earlier.writer if earlier else None,
            earlier_sample=sample,
        )

    def _bake_id(self) -> str:
        """128 bits of what was baked and how, as 32 hexadecimal digits."""
        settings = self.settings
        how = {
            "profile": settings.profile,
            "address": settings.address,
            "normals": settings.normals,
            "dedup": settings.dedup,
            "guard": settings.guard,
            "layout": self.layout,
            "frames": [str(time) for time in self.times],
            "objects": self.groups,
        }
        digest = hashlib.blake2b(self.track.digest(), digest_size=16)
        digest.update(json.dumps(how, sort_keys=True).encode())
        for snapshot in self.snapshots:
            digest.update(snapshot.topology.corner_vert)
            digest.update(snapshot.topology.face_start)
        digest.update(np.ascontiguousarray(self.origins))
        return digest.hexdigest()

    def _explain(self, error: Exception) -> BakeError:
        if isinstance(error, MemoryError):
            return BakeError("Not enough memory; lower the memory budget or bake fewer frames")
        if isinstance(error, OSError) and error.filename is None:
            folder = self.settings.scratch or "the system's temporary folder"
            return BakeError(
                f"The temporary file in {folder} failed: {error.strerror}; choose another folder "
                "for it, or raise the memory budget"
            )
        if isinstance(error, OSError):
            return BakeError(f"Writing {error.filename} failed: {error.strerror}")
        if error.code == "not_finite":
            time, groups = self._recent[error.frame - len(self.times)]
            name = self.groups[groups[error.part]]
            return BakeError(
                f"Object '{name}', frame {float(time):.10g}: vertex {error.vertex} has a position "
                "that is not a finite number; look at its modifiers, drivers and simulation there"
            )
        return BakeError(f"The texture cannot be made: {error}")
