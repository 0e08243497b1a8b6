# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps the panel's estimate up to date without costing anything while somebody works.

Whatever may change it only (re)starts a timer; the estimate is made once nothing has happened for
a moment. Panels are drawn many times a second, so nothing is ever computed there.
"""

from __future__ import annotations

from pathlib import Path

import bpy
from bpy.app.handlers import persistent

from ..blender.estimate import Estimate, estimate
from ..core.errors import BakeError
from . import clip_rows
from .conversion import bake_settings
from .state import redraw, state

CALM = 0.25  # seconds without a change
LOOK = 1.0  # seconds between two looks at what Blender tells nobody of
_msgbus_owner = object()


def schedule() -> None:
    """Has the estimate made anew once nothing has happened for a moment."""
    if bpy.app.background:
        return
    if bpy.app.timers.is_registered(_estimate_all):
        bpy.app.timers.unregister(_estimate_all)
    bpy.app.timers.register(_estimate_all, first_interval=CALM)


def _look() -> float:
    windows = bpy.context.window_manager.windows
    if not state.running and not any(window.screen.is_animation_playing for window in windows):
        signatures = {w.scene.name: clip_rows.signature(w.scene) for w in windows}
        if signatures != state.signatures:
            state.signatures = signatures
            schedule()
    return LOOK


def _estimate_all() -> None:
    if state.running:
        return
    estimates: dict[tuple[str, str], Estimate | str] = {}
    scenes: set[bpy.types.Scene] = set()
    for window in bpy.context.window_manager.windows:
        # Once for each scene: two windows with different selections would have no end.
        if window.scene not in scenes:
            scenes.add(window.scene)
            with bpy.context.temp_override(window=window):
                clip_rows.refresh(bpy.context)
        key = window.scene.name, window.view_layer.name
        if key not in estimates:
            with bpy.context.temp_override(window=window):
                estimates[key] = _estimate_or_reason(bpy.context)
    state.estimates = estimates
    redraw()


def _estimate_or_reason(context: bpy.types.Context) -> Estimate | str:
    try:
        return estimate(context, bake_settings(context, output=Path()))
    except BakeError as error:
        return str(error)


@persistent
def _on_depsgraph_update(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    # A selection, a frame range or a collection changes the scene; moving an object does not.
    if state.running:
        return
    if any(update.is_updated_geometry for update in depsgraph.updates) or depsgraph.id_type_updated(
        "SCENE"
    ):
        schedule()


@persistent
def _on_undo(_scene: bpy.types.Scene, _unused: object) -> None:
    schedule()


def _subscribe() -> None:
    """Another scene in a window is no update of that scene. Loading a file ends a subscription."""
    bpy.msgbus.clear_by_owner(_msgbus_owner)
    for name in ("scene", "view_layer"):
        key = (bpy.types.Window, name)
        bpy.msgbus.subscribe_rna(key=key, owner=_msgbus_owner, args=(), notify=schedule)


@persistent
def _on_load(_path: str, _unused: object) -> None:
    state.clear_result()
    state.estimates.clear()
    _subscribe()
    schedule()


def _handlers() -> tuple[tuple[list, object], ...]:
    handlers = bpy.app.handlers
    return (
        (handlers.depsgraph_update_post, _on_depsgraph_update),
        (handlers.undo_post, _on_undo),
        (handlers.redo_post, _on_undo),
        (handlers.load_post, _on_load),
    )


def register() -> None:
    for handlers, function in _handlers():
        handlers.append(function)
    _subscribe()
    schedule()
    if not bpy.app.background:
        bpy.app.timers.register(_look, first_interval=LOOK, persistent=True)


def unregister() -> None:
    bpy.msgbus.clear_by_owner(_msgbus_owner)
    for timer in (_estimate_all, _look):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
    for handlers, function in reversed(_handlers()):
        handlers.remove(function)
