# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames in, textures out. Knows no Blender: a scene feeds it, or anything else that has frames."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import truevat_native as native

from .errors import BakeError
from .mesh import Floats, Ints, MeshSnapshot
from .plan import Book, Plan, bake_id, bind, lay_out, union
from .precision import measure_offsets, rest_rounding, verdict
from .profiles.base import ClipRows, Contents, Texture
from .settings import BakeSettings
from .slots import (
    Slots,
    are_final,
    least_slots,
    number_points,
    number_triangles,
    share_slots,
)
from .textures import Recording, Stream, TextureFile, open_writer

PathOf = Callable[[str], Path]  # of the file whose name has this suffix


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
        self._stream: Stream | None = None
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
        if self.settings.by_triangle:
            samples = sum(topology.triangles.size for topology in topologies)
        elif self.profile.numbers_points:
            samples = sum(topology.points for topology in topologies)
        else:
            samples = sum(topology.corners for topology in topologies)
        try:
            self._check_size(samples)
        except BakeError:
            if self.settings.by_triangle or self.settings.dedup == "none":
                raise  # nothing is shared: what is counted is what is stored
            self._check_size(least_slots(self.snapshots, self.settings.dedup))

    def frame(self, parts: Sequence[native.Part], time: Fraction, clip: int = 0) -> None:
        """One frame; the arrays must stay as they are for native.IN_FLIGHT frames more."""
        own = [part[5] for part in parts if len(part) == 7]
        if own:
            self.constant = False
            samples = sum(map(len, own))
            if samples > self.most_samples:
                self.most_samples = samples
                self._check_size(samples)
        if self.settings.by_triangle:
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
        if not profile.streams or self.settings.by_triangle or self.expected <= len(self.times):
            return
        if settings.texture_per_clip or (settings.pixel == "auto" and profile.measures):
            return  # only the last frame decides what the texture holds
        try:
            self.track.settle()
            if not are_final(self.snapshots, self._domains, settings.dedup, self.track):
                return
            yield
            slots = yield from share_slots(self.snapshots, settings.dedup, self.track)
            self.pixel = profile.pixel(settings)
            clips = max(len(self.clips), 1)
            layout = lay_out(settings, self.pixel, slots.count, self.expected, clips)
            (texture,) = profile.textures(settings, self.pixel)
            self._stream = Stream(
                self._recording(slots, slots.count),
                texture,
                layout,
                profile.stored_frames(self.expected),
                path_of(texture.suffix + ".part"),
            )
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
            elif self.settings.by_triangle:
                self.slots = number_triangles(self.snapshots)
            elif self.profile.numbers_points:
                self.slots = number_points(self.snapshots)
            else:
                self.slots = yield from share_slots(self.snapshots, self.settings.dedup, self.track)
            yield from self._choose_pixel()
            self.slot_count = max(self.slots.count, self.most_samples)
            if not self.clips:
                self.clips = [ClipRows("Clip", 0, len(self.times), Fraction(24), False)]
            books = yield from self._bind()
        except (native.NativeError, OSError, MemoryError) as error:
            raise self._explain(error) from error
        self.result = Plan(
            books=books,
            pixel=self.pixel,
            reason=self.reason,
            frames=len(self.times),
            samples=max(self.slots.corners, self.most_samples),
            slots=self.slot_count,
            address=self.slots.address,
            origins=self.origins,
            bounds=union(self._boxes(), 0),
            bake_id=bake_id(
                self.settings,
                books,
                self.pixel,
                self.times,
                self.groups,
                self.snapshots,
                self.origins,
                self.track,
            ),
            bad_normals=self.track.bad_normals,
            constant=self.constant,
            triangles=None if self.constant else self.triangles,
        )
        return self.result

    def write(self, path_of: PathOf) -> Generator[tuple[int, int], None, list[dict[str, Path]]]:
        """Writes the textures, or what of them is not yet written; yields (rows done, rows in all)
        and returns the files by role, for each book. Unfinished ones are the caller's to remove."""
        textures = self.profile.textures(self.settings, self.pixel)
        books = self.result.books
        total = sum(book.layout.height for book in books) * len(textures)
        done, written = 0, []
        for book in books:
            files: dict[str, Path] = {}
            for texture in textures:
                path = files[texture.role] = path_of(book.suffix + texture.suffix)
                for rows in self._write_one(book, texture, path):
                    yield done + rows, total
                done += book.layout.height
            written.append(files)
        self.position_error += self._rest_rounding() if textures[0].offsets else 0.0
        if self.pixel == "unorm16":
            low, high = union(np.stack([book.limits for book in books]), 0).astype(np.float64)
            self.position_error += float(np.linalg.norm(high - low)) / (2 * 0xFFFF)
        return written

    def close(self) -> None:
        """Lets go of a texture that was written as frames came."""
        self._stream = None

    def contents(self, book: Book, files: dict[str, str]) -> Contents:
        """What headers and documents tell of a book; after plan()."""
        return Contents(
            layout=book.layout,
            pixel=self.pixel,
            slots=self.slot_count,
            clips=book.clips,
            bounds=book.limits,
            bake_id=self.result.bake_id,
            constant=self.constant,
            normals=self.settings.normal_texture != "none",
            files=files,
        )

    # ---------------------------------------------------------------------------------------------

    def _count_triangles(self, own: Sequence[Ints], parts: Sequence[native.Part]) -> int:
        if own or len(parts) != len(self.snapshots):
            return sum(map(len, own)) // 3
        return sum(len(snapshot.topology.triangles) for snapshot in self.snapshots)

    def _check_size(self, slots: int) -> None:
        """BakeError if so many slots do not fit into the textures."""
        pixel = self.pixel or self.profile.pixel(self.settings)
        frames, clips = self.expected, max(len(self.clips), 1)
        if self.settings.texture_per_clip and self.clips:
            frames, clips = max(clip.frames for clip in self.clips), 1
        lay_out(self.settings, pixel, slots, frames, clips)

    def _recording(self, slots: Slots, count: int) -> Recording:
        return Recording(
            self.settings, self.track, self.snapshots, self._part_origins, slots, count
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
        error, _ = yield from measure_offsets(self.track, self._part_origins, 0, len(self.times))
        good, self.reason = verdict(error + self._rest_rounding(), settings.tolerance)
        if not good:
            return
        try:
            self.pixel = "float16"
            self._check_size(self.slots.count)
        except BakeError:
            self.pixel = "float32"
            self.reason = "half floats need more rows than the texture may have"

    def _bind(self) -> Generator[None, None, list[Book]]:
        relative = self.profile.turned(self._boxes() - self.origins[:, None])
        books = bind(self.settings, self.pixel, self.slot_count, self.clips, union(relative, 1))
        texture = self.profile.textures(self.settings, self.pixel)[0]
        if texture.texel != "mapped" or not texture.offsets:
            return books
        measured = []
        for book in books:
            _, offsets = yield from measure_offsets(
                self.track, self._part_origins, book.first, book.first + book.frames
            )
            limits = self.profile.limits(self.settings, self.profile.turned(offsets))
            measured.append(replace(book, limits=limits))
        return measured

    def _rest_rounding(self) -> float:
        return rest_rounding(self._boxes() - self.origins[:, None])

    # ---------------------------------------------------------------------------------------------

    def _write_one(self, book: Book, texture: Texture, path: Path) -> Iterator[int]:
        """Yields the rows done."""
        layout, stream, writer = book.layout, self._stream, None
        header = self.profile.header(self.contents(book, {}))
        file = TextureFile(layout.height, layout.width, header)
        try:
            if stream and stream.has_all(self.track):
                writer, written = stream.writer, stream.path
            else:
                recording = self._recording(self.slots, self.slot_count)
                written = path
                writer = open_writer(
                    recording,
                    texture,
                    layout,
                    book.stored,
                    path,
                    limits=book.limits,
                    earlier=stream,
                )
            yield from file.write(writer, written)
            writer = None
            self.close()
            if written != path:
                written.replace(path)
            elif stream:
                file.error = max(file.error, stream.writer.error)
                stream.writer = None  # closes the file, which Windows would not delete
                stream.path.unlink()
        except (native.NativeError, OSError, MemoryError) as error:
            raise self._explain(error) from error
        finally:
            writer = stream = None  # closes the file, which a traceback would keep open
        self.position_error = max(self.position_error, file.error)

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
