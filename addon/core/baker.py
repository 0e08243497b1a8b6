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
from pathlib import Path

import numpy as np
import truevat_native as native

from .errors import BakeError
from .mesh import Floats, Ints, MeshSnapshot
from .playback import world_triangles
from .profiles import PROFILES, Layout
from .samples import Samples, join_samples, share_by_rest_position
from .settings import BakeSettings

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


class Baker:
    """begin(), frame() for each frame in order, plan(), then write()."""

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
            self.profile.layout(self._least_slots(), frames, self.settings.max_size)

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
        self.times.append(time)
        self._recent.append((time, [part[0] for part in parts]))
        try:
            self.track.append(parts, key)
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
        if self.settings.address == "uv":
            corners, self.samples, address = yield from self._share_slots()
        else:
            corners, self.samples, address = self._number_triangles()
        slots = max(int(self.samples.part_start[-1]), self.most_samples)
        frames = len(self.times)
        self.layout = self.profile.layout(slots, frames, self.settings.max_size)
        self.stored = self.profile.stored_frames(frames)
        return Plan(
            layout=self.layout,
            frames=frames,
            stored=len(self.stored),
            samples=max(corners, self.most_samples),
            slots=slots,
            address=address,
            bounds=np.stack([self.track.bounds(group) for group in range(len(self.groups))]),
            bake_id=self._bake_id(),
            bad_normals=self.track.bad_normals,
            constant=self.constant,
        )

    def write(self, path: Path) -> Iterator[tuple[int, int]]:
        """Writes the texture; yields (rows done, rows in all). An unfinished file is the caller's
        to remove."""
        groups = [snapshot.group for snapshot in self.snapshots]
        height = self.layout.height
        rows = max(WRITE_BYTES // (self.layout.width * 16), 1)
        writer = None
        try:
            writer = native.TextureWriter(
                self.track,
                str(path),
                layout=tuple(self.layout),
                header=self.profile.header(self.layout, len(self.times)),
                frames=np.array(self.stored, np.int32),
                part_start=self.samples.part_start,
                point=self.samples.point,
                face=self.samples.face,
                corner=self.samples.corner,
                origin=np.ascontiguousarray(self.origins[groups]),
                threads=self.settings.threads,
            )
            left = height
            while left:
                left = writer.write(rows)
                yield height - left, height
            size = writer.close()
            if path.stat().st_size != size:
                raise BakeError(f"{path} is incomplete; look at its disk, and bake again")
        except (native.NativeError, OSError, MemoryError) as error:
            raise self._explain(error) from error
        finally:
            del writer  # closes the file, which a traceback would keep open

    # ---------------------------------------------------------------------------------------------
    # Samples and slots

    def _share_slots(self) -> Generator[None, None, tuple[int, Samples, list[Ints]]]:
        """One slot for all corners of an object that the settings call the same."""
        starts, point, face, corner, address = [0], [], [], [], []
        used = corners = 0
        for group in range(len(self.groups)):
            parts = [i for i, part in enumerate(self.snapshots) if part.group == group]
            slots, first = yield from self._assign(parts)
            yield
            sizes = [self.snapshots[i].topology.corners for i in parts]
            begin = np.concatenate(([0], np.cumsum(sizes)))
            for k, i in enumerate(parts):
                mine = first[(first >= begin[k]) & (first < begin[k + 1])] - np.int32(begin[k])
                topology = self.snapshots[i].topology
                corner.append(mine)
                point.append(topology.corner_vert[mine])
                face.append(topology.corner_face[mine])
                starts.append(starts[-1] + len(mine))
                address.append(slots[begin[k] : begin[k + 1]] + np.int32(used))
            used += len(first)
            corners += int(begin[-1])
        return corners, join_samples(starts, point, face, corner), address

    def _assign(self, parts: Sequence[int]) -> Generator[None, None, tuple[Ints, Ints]]:
        """(slot of each corner, first corner of each slot) over the corners of all the parts."""
        snapshots = [self.snapshots[i] for i in parts]
        corners = sum(snapshot.topology.corners for snapshot in snapshots)
        if self.settings.dedup == "none" or not corners:
            every = np.arange(corners, dtype=np.int32)
            return every, every
        if self.settings.dedup == "rest":
            return share_by_rest_position(snapshots)
        keys = []
        for i in parts:
            topology = self.snapshots[i].topology
            keys.append(self.track.keys(i, topology.corner_vert, topology.corner_face))
            yield
        return native.assign_slots(keys[0] if len(keys) == 1 else np.concatenate(keys))

    def _least_slots(self) -> int:
        """Corners that are in different places at the first frame cannot share a slot."""
        least = 0
        for group in {snapshot.group for snapshot in self.snapshots}:
            parts = [snapshot for snapshot in self.snapshots if snapshot.group == group]
            if self.settings.dedup == "rest":
                least += len(share_by_rest_position(parts)[1])
                continue
            places = [
                native.transform_points(part.points, part.matrix)[0][
                    np.unique(part.topology.corner_vert)
                ]
                for part in parts
            ]
            least += len(np.unique(np.concatenate(places), axis=0))
        return least

    def _number_triangles(self) -> tuple[int, Samples, list[Ints]]:
        """Every corner of every triangle is a sample, in order."""
        starts, point, face, corner, address = [0], [], [], [], []
        for snapshot in self.snapshots:
            topology = snapshot.topology
            corners = world_triangles(snapshot).reshape(-1)
            corner.append(corners)
            point.append(topology.corner_vert[corners])
            face.append(np.repeat(topology.triangle_face, 3))
            address.append(np.arange(starts[-1], starts[-1] + len(corners), dtype=np.int32))
            starts.append(starts[-1] + len(corners))
        return starts[-1], join_samples(starts, point, face, corner), address

    # ---------------------------------------------------------------------------------------------

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
