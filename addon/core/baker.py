# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames in, textures out. Knows no Blender: a scene feeds it, or anything else that has frames."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import truevat_native as native

from .errors import BakeError
from .mesh import Floats, Ints, MeshSnapshot
from .profiles.base import ClipRows, Contents, Layout, Need, Texture
from .settings import BakeSettings
from .slots import (
    Slots,
    are_final,
    least_slots,
    number_points,
    number_triangles,
    rest_positions,
    share_slots,
)

# A call that writes so much takes well under 0.2 s, so that a bake can be cancelled in between.
WRITE_BYTES = 32 << 20
MEASURED_FRAMES = 16  # between two chances to cancel

PathOf = Callable[[str], Path]  # of the file whose name has this suffix


@dataclass(frozen=True)
class Plan:
    """What the textures will be, known when all frames are in.

    `address` holds for each part the slot of each corner (UV addressing) or of each corner of its
    triangles (vertex-ID addressing), int32. `bounds` is float32 (groups, 2, 3) in world space;
    `extent` (2, 3) and `clip_extents` (clips, 2, 3) are relative to the origins, (groups, 3), in
    the texture's axes. `limits` (2, 3) is what mapped positions are mapped to.
    `samples` is the number of samples before de-duplication, at the frame that has most.
    `triangles`, where the topology changes, counts those of each frame. `reason` says why the pixel
    type is what it is, where that was for the bake to choose.
    """

    layout: Layout
    pixel: str
    reason: str | None
    clips: list[ClipRows]
    frames: int
    stored: int
    samples: int
    slots: int
    address: list[Ints]
    origins: Floats
    bounds: Floats
    clip_extents: Floats
    extent: Floats
    limits: Floats
    bake_id: str
    bad_normals: int
    constant: bool
    triangles: list[int] | None


class _Stream:
    """A texture that is written while frames arrive, and what it was laid out for."""

    def __init__(self, writer: native.TextureWriter, path: Path, slots: Slots, frames: int) -> None:
        self.writer, self.path, self.slots = writer, path, slots
        self.frames_before = frames

    def has_all(self, track: native.Track) -> bool:
        return self.frames_before + track.taken == track.frames


class Baker:
    """begin(), frame() for each frame in order, plan(), then write(); close() when done, however
    it ends. stream_steps(), after the first frame, has later frames written as they arrive.

    Without `clips` all frames are one, of whatever length.
    """

    def __init__(
        self, settings: BakeSettings, groups: Sequence[str], clips: Sequence[ClipRows] = ()
    ) -> None:
        self.settings = settings
        self.profile = settings.layout
        self.groups = list(groups)
        self.clips = list(clips)
        self.times: list[Fraction] = []
        self.triangles: list[int] = []  # of each frame
        # (time, group of each part) of the frames that an error may be about.
        self._recent: deque[tuple[Fraction, list[int]]] = deque(maxlen=native.IN_FLIGHT + 1)
        self.expected = 1
        self.most_samples = 0
        self.constant = True
        self._stream: _Stream | None = None
        self.pixel: str | None = None  # until it is chosen
        self.reason: str | None = None
        self.position_error = 0.0  # in metres; after write()
        self.track = native.Track(
            groups=len(self.groups) * max(len(self.clips), 1),
            memory=min(settings.memory << 20, sys.maxsize),
            directory=str(settings.scratch) if settings.scratch else None,
            normals=self.profile.normal_code(settings),
        )

    def begin(self, snapshots: Sequence[MeshSnapshot], origins: Floats) -> None:
        """Takes the first frame's meshes, sorted by group, and float32 (groups, 3) origins."""
        self.snapshots = list(snapshots)
        self.origins = self.profile.origins(self.settings, np.asarray(origins, np.float32))
        self._part_origins = np.ascontiguousarray(
            self.origins[[snapshot.group for snapshot in self.snapshots]].reshape(-1, 3)
        )

    def expect(self, frames: int) -> None:
        """Refuses at once what cannot fit, be the trajectories as they may; and later frames, as
        soon as one has too many samples."""
        self.expected = frames
        topologies = [snapshot.topology for snapshot in self.snapshots]
        if self._numbers_triangles:
            samples = sum(topology.triangles.size for topology in topologies)
        elif self.profile.numbers_points:
            samples = sum(topology.points for topology in topologies)
        else:
            samples = sum(topology.corners for topology in topologies)
        try:
            self._lay_out(samples, frames)
        except BakeError:
            if self._numbers_triangles or self.settings.dedup == "none":
                raise  # nothing is shared: what is counted is what is stored
            self._lay_out(least_slots(self.snapshots, self.settings.dedup), frames)

    def frame(self, parts: Sequence[native.Part], time: Fraction, clip: int = 0) -> None:
        """One frame; the arrays must stay as they are for native.IN_FLIGHT frames more."""
        own = [part[5] for part in parts if len(part) == 7]
        if own:
            self.constant = False
            samples = sum(map(len, own))
            if samples > self.most_samples:
                self.most_samples = samples
                self._lay_out(samples, self.expected)
        if self._numbers_triangles:
            self.triangles.append(self._count_triangles(own, parts))
        key = len(self.times)
        if not key:
            self._domains = [part[3] for part in parts]
        self.times.append(time)
        self._recent.append((time, [part[0] for part in parts]))
        if clip:  # bounds are kept for each clip
            parts = [(clip * len(self.groups) + part[0], *part[1:]) for part in parts]
        try:
            self.track.append(parts, key)
        except (native.NativeError, OSError, MemoryError) as error:
            raise self._explain(error) from error

    def stream_steps(self, path_of: PathOf) -> Iterator[None]:
        """After the first frame: if that one decides the layout, later frames go to the texture as
        they come, and take neither memory nor time at the end. Yields in between."""
        profile, settings = self.profile, self.settings
        if not profile.streams or self._numbers_triangles or self.expected <= len(self.times):
            return
        if settings.pixel == "auto" and len(profile.pixels) > 1:
            return  # only the last frame decides what the texture holds
        try:
            self.track.settle()
            if not are_final(self.snapshots, self._domains, settings.dedup, self.track):
                return
            yield
            slots = yield from share_slots(self.snapshots, settings.dedup, self.track)
            self.pixel = profile.pixel(settings)
            self.layout = self._lay_out(slots.count, self.expected)
            self.stored = profile.stored_frames(self.expected)
            (texture,) = profile.textures(settings, self.pixel)
            path = path_of(texture.suffix + ".part")
            writer = self._writer(path, texture, slots, slots.count)
            self._stream = _Stream(writer, path, slots, len(self.times))
            writer.divert(settings.dedup != "trajectory")
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
            yield
            if self._stream and self._stream.has_all(self.track):
                self.slots = self._stream.slots
            elif self._numbers_triangles:
                self.slots = number_triangles(self.snapshots)
            elif self.profile.numbers_points:
                self.slots = number_points(self.snapshots)
            else:
                self.slots = yield from share_slots(self.snapshots, self.settings.dedup, self.track)
            yield from self._choose_pixel()
            offsets = yield from self._measure_limits()
        except (native.NativeError, OSError, MemoryError) as error:
            raise self._explain(error) from error
        self.slot_count = max(self.slots.count, self.most_samples)
        frames = len(self.times)
        if not self.clips:
            self.clips = [ClipRows("Clip", 0, frames, Fraction(24), False)]
        self.layout = self._lay_out(self.slot_count, frames)
        self.stored = self.profile.stored_frames(frames)
        boxes = self._boxes()
        relative = self.profile.turned(boxes - self.origins[:, None])
        extent = _union(relative, (0, 1))
        self.result = Plan(
            layout=self.layout,
            pixel=self.pixel,
            reason=self.reason,
            clips=self.clips,
            frames=frames,
            stored=len(self.stored),
            samples=max(self.slots.corners, self.most_samples),
            slots=self.slot_count,
            address=self.slots.address,
            origins=self.origins,
            bounds=_union(boxes, 0),
            clip_extents=_union(relative, 1),
            extent=extent,
            limits=self.profile.limits(self.settings, extent if offsets is None else offsets),
            bake_id=self._bake_id(),
            bad_normals=self.track.bad_normals,
            constant=self.constant,
            triangles=None if self.constant else self.triangles,
        )
        return self.result

    def write(self, path_of: PathOf) -> Generator[tuple[int, int], None, dict[str, Path]]:
        """Writes the textures, or what of them is not yet written; yields (rows done, rows in all)
        and returns the files by role. Unfinished ones are the caller's to remove."""
        textures = self.profile.textures(self.settings, self.pixel)
        height, done, files = self.layout.height, 0, {}
        for texture in textures:
            path = files[texture.role] = path_of(texture.suffix)
            for rows in self._write_one(texture, path):
                yield done + rows, height * len(textures)
            done += height
        self.position_error += self._rest_rounding() if textures[0].offsets else 0.0
        if self.pixel == "unorm16":
            low, high = self.result.limits.astype(np.float64)
            self.position_error += float(np.linalg.norm(high - low)) / (2 * 0xFFFF)
        return files

    def close(self) -> None:
        """Lets go of a texture that was written as frames came."""
        self._stream = None

    def contents(self, files: dict[str, str]) -> Contents:
        """What headers and documents tell of the bake; after plan()."""
        return Contents(
            layout=self.layout,
            pixel=self.pixel,
            slots=self.slot_count,
            clips=self.clips,
            bounds=self.result.limits,
            bake_id=self.result.bake_id,
            constant=self.constant,
            normals=self.settings.normal_texture != "none",
            files=files,
        )

    # ---------------------------------------------------------------------------------------------

    @property
    def _numbers_triangles(self) -> bool:
        return self.settings.address == "vertex-id" or self.profile.numbers_triangles

    def _count_triangles(self, own: Sequence[Ints], parts: Sequence[native.Part]) -> int:
        if own or len(parts) != len(self.snapshots):
            return sum(map(len, own)) // 3
        return sum(len(snapshot.topology.triangles) for snapshot in self.snapshots)

    def _lay_out(self, slots: int, frames: int) -> Layout:
        settings = self.settings
        pixel = self.pixel or self.profile.pixel(settings)
        return self.profile.layout(
            Need(
                slots=slots,
                frames=frames,
                clips=max(len(self.clips), 1),
                pixel=pixel,
                max_size=settings.max_size,
                rows=settings.rows,
                normals=settings.normal_texture,
            )
        )

    def _boxes(self) -> Floats:
        """(clips, groups, 2, 3), world space."""
        count = len(self.clips) * len(self.groups)
        boxes = np.stack([self.track.bounds(i) for i in range(count)])
        return boxes.reshape(len(self.clips), len(self.groups), 2, 3)

    def _choose_pixel(self) -> Iterator[None]:
        """Half floats, if they lose no more than the user lets them."""
        settings, profile = self.settings, self.profile
        self.pixel = profile.pixel(settings)
        if settings.pixel != "auto" or not profile.measures:
            return
        if not self.constant:
            self.reason = "the topology changes, so that nothing is near its rest position"
            return
        error, _ = yield from self._measure_offsets()
        lost = 1000 * (error + self._rest_rounding())
        if lost > settings.tolerance:
            self.reason = (
                f"half floats would move a point by {lost:.2g} mm, more than the "
                f"{settings.tolerance:g} mm allowed"
            )
            return
        try:
            self.pixel = "float16"
            self._lay_out(self.slots.count, len(self.times))
        except BakeError:
            self.pixel = "float32"
            self.reason = "half floats need more rows than the texture may have"
            return
        self.reason = (
            f"half floats move no point by more than {lost:.2g} mm, of {settings.tolerance:g} mm "
            "allowed"
        )

    def _measure_offsets(self) -> Generator[None, None, tuple[float, Floats]]:
        """See native.Track.offsets(), of all frames."""
        errors, boxes = [], []
        for first in range(0, len(self.times), MEASURED_FRAMES):
            last = min(first + MEASURED_FRAMES, len(self.times))
            error, box = self.track.offsets(self._part_origins, first, last)
            errors.append(error)
            boxes.append(box)
            yield
        return max(errors), _union(np.stack(boxes), 0)

    def _measure_limits(self) -> Generator[None, None, Floats | None]:
        """(2, 3) of the offsets that are mapped; None where none are."""
        texture = self.profile.textures(self.settings, self.pixel)[0]
        if texture.texel != "mapped" or not texture.offsets:
            return None
        return self.profile.turned((yield from self._measure_offsets())[1])

    def _rest_rounding(self) -> float:
        """What an engine may lose of a rest position, in metres: a step of float32."""
        boxes = self._boxes() - self.origins[:, None]
        finite = np.abs(boxes[np.isfinite(boxes)])
        return float(np.spacing(np.float32(finite.max(initial=0.0))))

    # ---------------------------------------------------------------------------------------------

    def _write_one(self, texture: Texture, path: Path) -> Iterator[int]:
        """Yields the rows done."""
        height = self.layout.height
        rows = max(WRITE_BYTES // (self.layout.width * 16), 1)
        stream, writer = self._stream, None
        try:
            if stream and stream.has_all(self.track):
                writer, written = stream.writer, stream.path
            else:
                writer = self._writer(path, texture, self.slots, self.slot_count, stream)
                written = path
            writer.set_header(self.profile.header(self.contents({})))
            left = height
            while left:
                left = writer.write(rows)
                yield height - left
            size = writer.close()
            if written.stat().st_size != size:
                raise BakeError(f"{written} is incomplete; look at its disk, and bake again")
            self.position_error = max(self.position_error, writer.error)
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

    def _writer(
        self,
        path: Path,
        texture: Texture,
        slots: Slots,
        count: int,
        earlier: _Stream | None = None,
    ) -> native.TextureWriter:
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
            frames=np.array(self.stored, np.int32),
            part_start=slots.part_start,
            point=slots.point,
            face=slots.face,
            corner=slots.corner,
            origin=self._part_origins,
            slots=count,
            texel=texture.texel,
            half=texture.half,
            pad=texture.pad,
            rest=self._rest(slots, count) if texture.offsets else None,
            mapping=self._mapping(texture),
            threads=self.settings.threads,
            earlier=earlier.writer if earlier else None,
            earlier_sample=sample,
        )

    def _rest(self, slots: Slots, count: int) -> Floats:
        """(count, 3): where slots are in the first frame, relative to their origins."""
        points, _ = self.track.frame(0)
        rest = rest_positions(slots, points, self.snapshots, self._part_origins)
        nowhere = rest[:1] if len(rest) else np.zeros((1, 3), np.float32)
        missing = np.repeat(nowhere, count - len(rest), axis=0)
        return np.ascontiguousarray(np.concatenate([rest, missing]))

    def _mapping(self, texture: Texture) -> Floats | None:
        if texture.texel not in ("mapped", "normals"):
            return None
        limits = self.result.limits
        return self.profile.mapping(np.where(np.isfinite(limits), limits, 0))

    def _bake_id(self) -> str:
        """128 bits of what was baked and how, as 32 hexadecimal digits."""
        settings = self.settings
        how = {
            "profile": settings.profile,
            "address": settings.address,
            "normals": settings.normals,
            "dedup": settings.dedup,
            "guard": settings.guard,
            "normal_texture": settings.normal_texture,
            "openvat_rounding": settings.openvat_rounding,
            "pixel": self.pixel,
            "join": settings.join,
            "clips": [(c.name, c.first_frame, c.frames, str(c.fps), c.loop) for c in self.clips],
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


def _union(boxes: Floats, axis: int | tuple[int, ...]) -> Floats:
    """Of boxes (..., 2, 3), over some of the first axes."""
    return np.stack([boxes[..., 0, :].min(axis), boxes[..., 1, :].max(axis)], axis=-2)
