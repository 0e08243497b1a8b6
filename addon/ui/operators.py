# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`truevat.bake`: a click runs it beside Blender's window, a script waits for it."""

from __future__ import annotations

import time
from collections.abc import Generator

import bpy

from ..blender import bake
from ..core.errors import BakeError
from ..core.report import Progress, Report
from . import clip_rows, watch
from .conversion import bake_settings
from .state import redraw, state

TICK = 0.01  # seconds between two turns, in which Blender draws and hears the keyboard
# Seconds of baking in a turn. Each turn's end has the 3D view drawn, which may take as long as some
# frames of the bake; more would break the promise that Esc is answered within 0.2 s.
TURN = 0.15


def obstacle(context: bpy.types.Context) -> str:
    """Why a bake cannot start, as far as that costs nothing to know; empty if it can."""
    settings = context.scene.truevat
    if state.running:
        return "A bake is running. Press Esc in its window to cancel it"
    if context.mode.startswith("EDIT"):
        return "Leave Edit Mode first"
    if settings.source == "selected" and not context.view_layer.objects.selected:
        return "Select the objects to bake"
    try:
        bake.output_folder(bake_settings(context))
    except BakeError as error:
        return str(error)
    return ""


class TRUEVAT_OT_bake(bpy.types.Operator):
    """Bake the animation to a vertex animation texture, with a mesh that plays it"""

    bl_idname = "truevat.bake"
    bl_label = "Bake VAT"
    # One undo step for the whole bake. Not REGISTER: there is nothing to adjust after a bake, and
    # Repeat Last should not start another one.
    bl_options = {"UNDO"}

    _steps: Generator[Progress, None, Report]
    _timer: bpy.types.Timer | None

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        reason = obstacle(context)
        if reason:
            cls.poll_message_set(reason)
        return not reason

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if bpy.app.background:
            return self.execute(context)
        self._timer = None
        if not self._begin(context):
            return {"CANCELLED"}
        manager, going = context.window_manager, False
        try:
            self._timer = manager.event_timer_add(TICK, window=context.window)
            going = manager.modal_handler_add(self)
        finally:
            if not going:  # as when a script's context has no window
                self._end(context)
        return {"RUNNING_MODAL"} if going else {"CANCELLED"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        # Every event ends here: an edit in the middle of a bake would end up in the texture.
        if event.type == "ESC" and event.value == "PRESS":
            self._end(context)
            self.report({"INFO"}, "Bake cancelled. Nothing was written")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        result = self._turn(context, TURN)
        if result == {"RUNNING_MODAL"}:
            context.workspace.status_text_set(f"{state.progress.text}    Esc: Cancel")
            redraw()
        return result

    def execute(self, context: bpy.types.Context) -> set[str]:
        self._timer = None
        if not self._begin(context):
            return {"CANCELLED"}
        return self._turn(context, float("inf"))

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender quits, or loads another file, in the middle of a bake."""
        self._end(context)

    def _begin(self, context: bpy.types.Context) -> bool:
        state.clear_result()
        clip_rows.refresh(context)  # nothing else does without a window
        try:
            self._steps = bake.steps(context, bake_settings(context))
        except BakeError as error:
            self._fail(error)
            return False
        state.running = True
        return True

    def _turn(self, context: bpy.types.Context, seconds: float) -> set[str]:
        """Bakes for that long. Whatever else than a next turn follows, the bake has ended."""
        until = time.perf_counter() + seconds
        going = False
        try:
            while time.perf_counter() < until:
                state.progress = next(self._steps)
            going = True
        except StopIteration as stop:
            self._finish(stop.value)
            return {"FINISHED"}
        except BakeError as error:
            self._fail(error)
            return {"CANCELLED"}
        finally:
            if not going:
                self._end(context)
        return {"RUNNING_MODAL"}

    def _finish(self, report: Report) -> None:
        state.report = report
        for warning in report.warnings:
            self.report({"WARNING"}, warning)
        self.report({"INFO"}, report.summary)

    def _fail(self, error: BakeError) -> None:
        state.error = str(error)
        self.report({"ERROR"}, state.error)

    def _end(self, context: bpy.types.Context) -> None:
        """Restores the scene, which closing the generator does, and Blender's window."""
        try:
            self._steps.close()
        finally:
            if self._timer is not None:
                context.window_manager.event_timer_remove(self._timer)
                self._timer = None
                if context.workspace:  # there is none without a window
                    context.workspace.status_text_set(None)
            state.running = False
            state.progress = None
            watch.schedule()
            redraw()


def register() -> None:
    bpy.utils.register_class(TRUEVAT_OT_bake)


def unregister() -> None:
    bpy.utils.unregister_class(TRUEVAT_OT_bake)
