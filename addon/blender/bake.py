# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole bake, as a generator: a click drains it bit by bit, a script at once.

However it ends, the scene is as it was before, and no half-written file stays.
"""

from __future__ import annotations

import math
import os
import time as clock
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

import bpy

from ..core import sidecar
from ..core.baker import Baker
from ..core.clips import Clip
from ..core.errors import BakeError, Cancelled
from ..core.files import Workplace
from ..core.mesh import mesh_content_hash
from ..core.meshes import PlaybackObject, check_uv_maps, object_names, playback_objects
from ..core.names import check_file_name, safe_file_name
from ..core.outputs import write_documents
from ..core.plan import Plan, check_suffixes, clip_suffix
from ..core.profiles.base import ClipRows
from ..core.report import Progress, Report, peak_memory
from ..core.settings import BakeSettings
from . import render_settings, timeline
from .capture import Capture
from .clips import SceneClips
from .export import check_export, export_mesh
from .instances import instances
from .playback import kept, place_playback, playback_conflicts
from .png import png_of
from .seams import settle_steps
from .sources import find_sources

Step, Result = TypeVar("Step"), TypeVar("Result")

# How much of a bake each stage is, for the progress bar.
SHARES = {
    "evaluate": (0.0, 0.85),
    "slots": (0.85, 0.86),
    "texture": (0.86, 0.95),
    "files": (0.95, 1.0),
}


def bake(
    context: bpy.types.Context,
    settings: BakeSettings,
    on_progress: Callable[[Progress], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Report:
    """Bakes at once. When should_stop() says so between two steps, ends with Cancelled."""
    with closing(steps(context, settings)) as running:
        while True:
            try:
                progress = next(running)
            except StopIteration as end:
                return end.value
            if on_progress:
                on_progress(progress)
            if should_stop and should_stop():
                raise Cancelled("The bake was cancelled; nothing was written")


def steps(context: bpy.types.Context, settings: BakeSettings) -> Generator[Progress, None, Report]:
    """Yields after each frame and each piece of the texture; closing it cancels the bake."""
    try:
        return (yield from _Bake(context, settings).run())
    except MemoryError as error:
        raise BakeError("Not enough memory; bake fewer frames or objects at once") from error
    except OSError as error:
        file = error.filename or "A file"
        raise BakeError(f"{file} could not be written: {error.strerror or error}") from error


def _relayed(
    steps: Generator[Step, None, Result], progress: Callable[[Step], Progress]
) -> Generator[Progress, None, Result]:
    """Runs other steps as part of these, and returns what they do; they end with these."""
    with closing(steps):
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                return end.value
            yield progress(step)


class _Bake:
    def __init__(self, context: bpy.types.Context, settings: BakeSettings) -> None:
        self.context = context
        self.scene = context.scene
        self.settings = settings
        self.seconds: dict[str, float] = {}
        self.warnings: list[str] = []
        self.baker: Baker | None = None
        self.stage = ""
        self.stage_began = clock.perf_counter()

    def run(self) -> Generator[Progress, None, Report]:
        self._enter("prepare")
        folder = output_folder(self.settings)
        self.sources = find_sources(self.context, self.settings)
        self.groups = [obj.name for obj in self.sources]
        self.name = self.settings.name or safe_file_name(self.groups[0])
        self.unit_scale = self.scene.unit_settings.scale_length
        playback_conflicts(object_names(self.settings, self.name, self.groups))
        for kind in self.settings.mesh_files.values():
            check_export(kind)
        check_scratch(self.settings.scratch)

        with Workplace(folder) as workplace, ExitStack() as stack:

            def path_of(suffix: str) -> Path:
                return workplace.path(self.name + suffix)

            self.scene_clips = SceneClips(
                self.scene, self.sources, self.settings.clips, self.settings.frames
            )
            stack.callback(self._close)
            self._enter("evaluate")
            yield from self._evaluate(path_of)
            self._enter("slots")
            yield from self._plan()
            self._enter("texture")
            sets = yield from self._write(path_of)
            contents = [
                self.baker.contents(book, {role: path.name for role, path in files.items()})
                for book, files in zip(self.plan.books, sets, strict=True)
            ]
            self.position_error = self.baker.position_error
            stack.close()
            self.baker = None  # its frames are written; playback meshes take their memory
            self._enter("mesh")
            placements = self._playback(for_file=False)
            yield self._progress("files", 1, 4, "Making the playback object")
            meshes: dict[str, Path] = {}
            yield from self._export(workplace, meshes)
            files = dict(meshes)
            for index, texts in enumerate(contents):
                written = write_documents(
                    workplace,
                    self.name,
                    self.settings,
                    self.plan,
                    index,
                    texts,
                    self._facts(),
                    sets[index] | meshes,
                    self.warnings,
                )
                suffix = self.plan.books[index].suffix
                files |= {
                    role + suffix: path for role, path in written.items() if role not in meshes
                }
            yield self._progress("files", 3, 4, "Moving the files to their names")
            self._enter("finish")
            final = workplace.commit(files)
            # A failure here takes the files back too.
            self.warnings += kept(
                place_playback(
                    self.scene, placements, self.plan.bake_id, unit_scale=self.unit_scale
                )
            )
            workplace.keep()
        self._enter("")
        return self._report(folder, final)

    # ---------------------------------------------------------------------------------------------

    def _close(self) -> None:
        if self.baker is not None:
            self.baker.close()

    def _evaluate(self, path_of: Callable[[str], Path]) -> Iterator[Progress]:
        settings, scene = self.settings, self.scene
        others = render_settings.differences(self._evaluated_objects())
        with ExitStack() as stack:
            stack.enter_context(timeline.frame_restored(scene))
            if settings.render_settings:
                stack.enter_context(render_settings.applied(others))
            else:
                self.warnings += render_settings.warnings(others)
            yield from self._settle_clips()
            capture = Capture(self.context, self.sources, settings, self.unit_scale)
            self.baker = Baker(settings, self.groups, self.rows)
            for index, (clip, _) in enumerate(self.clips):
                with self.scene_clips.alone(clip):
                    yield from self._evaluate_clip(capture, index, path_of)
            capture.require_meshes("in any baked frame")

    def _settle_clips(self) -> Iterator[Progress]:
        """Which frames clips have, and which rows of the texture."""
        clips = self.scene_clips.clips
        self.settings.layout.check_clips(self.settings, len(clips))
        if self.settings.texture_per_clip:  # before hours are spent
            suffixes = [clip_suffix(clip.name) for clip in clips]
            for suffix in suffixes:
                check_file_name(self.name + suffix)
            check_suffixes(suffixes)
        steps = settle_steps(
            self.context, self.scene_clips, self.sources, self.settings, self.unit_scale
        )
        self.clips: list[tuple[Clip, float | None]] = yield from _relayed(
            steps, lambda text: self._progress("evaluate", 0, 1, text)
        )
        self.rows: list[ClipRows] = []
        first = 0
        for clip, _ in self.clips:
            self.rows.append(ClipRows(clip.name, first, clip.count, clip.fps, clip.loop))
            first += clip.count
        self.warnings += [clip.warning for clip, _ in self.clips if clip.warning]
        self.times = [time for clip, _ in self.clips for time in clip.times]
        if len(self.clips) > 1 and self.settings.clips.kind in ("actions", "nla"):
            self._warn_of_baked_caches()

    def _warn_of_baked_caches(self) -> None:
        caches = timeline.baked_caches(self.context.evaluated_depsgraph_get())
        if caches:
            self.warnings.append(
                f"The baked cache of {', '.join(caches)} plays the same in every clip; delete the "
                "cache's bake to have it simulated for each"
            )

    def _evaluate_clip(
        self, capture: Capture, index: int, path_of: Callable[[str], Path]
    ) -> Iterator[Progress]:
        scene, clip = self.scene, self.clips[index][0]
        simulated = timeline.simulation_start(scene, self.context.evaluated_depsgraph_get())
        played = self._played(index)
        where = f"{clip.name}, frame" if len(self.clips) > 1 else "Frame"
        for time, baked in timeline.schedule(clip.times, simulated, played):
            timeline.set_frame(scene, time)
            if baked:
                self._take(capture, time, index)
            text = f"{where} {float(time):g}" if baked else f"Simulating frame {float(time):g}"
            done = len(self.baker.times)
            yield self._progress("evaluate", done, len(self.times), text)
            if baked and done == 1:
                for _ in self.baker.stream_steps(path_of):
                    yield self._progress("evaluate", done, len(self.times), text)

    def _played(self, index: int) -> int | None:
        """The last whole frame that a simulation has, if the clip before had the same animation."""
        if not index or self.settings.clips.kind in ("actions", "nla"):
            return None
        return math.floor(self.clips[index - 1][0].times[-1])

    def _plan(self) -> Iterator[Progress]:
        text = "Looking for corners that move together"
        self.plan: Plan = yield from _relayed(
            self.baker.plan_steps(), lambda _: self._progress("slots", 0, 1, text)
        )

    def _take(self, capture: Capture, time: Fraction, clip: int) -> None:
        if self.baker.times:
            self.baker.frame(capture.frame(time), time, clip)
            return
        self.snapshots, self.origins, parts = capture.first(time)
        check_uv_maps(self.settings, self.groups, self.snapshots)  # before hours are spent
        self.baker.begin(self.snapshots, self.origins)
        self.baker.expect(len(self.times))
        self.baker.frame(parts, time)

    def _evaluated_objects(self) -> list[bpy.types.Object]:
        """The sources, and all that they show instances of, however deep."""
        objects = dict.fromkeys(self.sources)
        depsgraph = self.context.evaluated_depsgraph_get()
        for _, obj, _ in instances(depsgraph, self.sources, set(range(len(self.sources)))):
            objects[obj.original] = None
        return list(objects)

    # ---------------------------------------------------------------------------------------------

    def _write(
        self, path_of: Callable[[str], Path]
    ) -> Generator[Progress, None, list[dict[str, Path]]]:
        sets = yield from _relayed(
            self.baker.write(path_of),
            lambda rows: self._progress("texture", *rows, "Writing the texture"),
        )
        if self.plan.pixel == "unorm16":
            for files in sets:
                for role, path in files.items():
                    yield self._progress("texture", 1, 1, "Writing the PNG")
                    files[role] = path.with_suffix(".png")
                    png_of(path, files[role])
        return sets

    def _playback(self, *, for_file: bool) -> list[PlaybackObject]:
        return playback_objects(
            self.settings, self.plan, self.snapshots, self.name, self.groups, for_file=for_file
        )

    def _export(self, workplace: Workplace, files: dict[str, Path]) -> Iterator[Progress]:
        self.mesh_hash, self.exported = None, []
        for role, kind in self.settings.mesh_files.items():
            path = workplace.path(f"{self.name}.{kind}")
            yield self._progress("files", 2, 4, f"Writing {path.name}")
            if not self.exported:
                self.exported = self._playback(for_file=True)
                self.mesh_hash = mesh_content_hash(each.mesh for each in self.exported)
            export_mesh(path, self.exported, kind, self.plan.bake_id)
            files[role] = path

    def _facts(self) -> sidecar.Facts:
        return sidecar.Facts(
            times=self.times,
            clips=[sidecar.SceneClip(clip.start, clip.end, seam) for clip, seam in self.clips],
            objects=self.groups,
            own_origins=self.origins,
            position_error=self.position_error,
            mesh_hash=self.mesh_hash,
            meshes=self.exported,
            source=Path(bpy.data.filepath).name,
            blender=bpy.app.version_string,
        )

    # ---------------------------------------------------------------------------------------------

    def _enter(self, stage: str) -> None:
        now = clock.perf_counter()
        if self.stage:
            self.seconds[self.stage] = now - self.stage_began
        self.stage, self.stage_began = stage, now

    def _progress(self, stage: str, done: int, total: int, text: str) -> Progress:
        low, high = SHARES[stage]
        return Progress(stage, done, total, text, low + (high - low) * done / max(total, 1))

    def _report(self, folder: Path, files: dict[str, Path]) -> Report:
        plan = self.plan
        if plan.bad_normals:
            self.warnings.append(
                f"{plan.bad_normals:,} normals had no direction and became (0, 0, 1)"
            )
        return Report(
            directory=folder,
            files=files,
            bake_id=plan.bake_id,
            objects=self.groups,
            layout=plan.layout,
            pixel=plan.pixel,
            frames=plan.frames,
            samples=plan.samples,
            slots=plan.slots,
            seconds=self.seconds,
            peak_memory=peak_memory(),
            warnings=self.warnings,
            notes=[_pixel_note(plan)] if plan.reason else [],
        )


def _pixel_note(plan: Plan) -> str:
    name = {"float32": "32-bit floats", "float16": "16-bit floats"}[plan.pixel]
    return f"The texture has {name}: {plan.reason}"


def output_folder(settings: BakeSettings) -> Path:
    """The absolute output folder; `//` is where the .blend lies."""
    text = str(settings.output)
    if not text.startswith("//"):
        return Path(text).expanduser().absolute()
    if not bpy.data.filepath:
        raise BakeError(
            f"The output folder '{text}' is relative to the .blend, which is not saved yet; save "
            "it, or choose another folder"
        )
    return Path(bpy.path.abspath(text)).absolute()


def check_scratch(folder: Path | None) -> None:
    """It is used only when the memory budget is spent, which may be hours away."""
    if folder is not None and not (folder.is_dir() and os.access(folder, os.W_OK)):
        raise BakeError(
            f"The folder {folder} for temporary files does not exist or cannot be written to; "
            "choose another one"
        )
