# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Has the list of clips say what the scene offers, and keeps by name what was set in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import bpy

from ..blender.clips import offered
from ..core.clips import NOUNS, Span
from ..core.errors import BakeError
from .conversion import sources

if TYPE_CHECKING:
    from .clip_properties import TrueVATClip, TrueVATClipList

FIELDS = ("source", "name", "use", "loop", "source_loop", "use_fps", "fps", "frames")

Values = dict[str, Any]


def refresh(context: bpy.types.Context) -> None:
    """Changes nothing where nothing has changed. Walks the whole file: not for drawing."""
    settings = context.scene.truevat
    kind = settings.clips
    if kind not in NOUNS:
        return
    try:
        objects = sources(context)
    except BakeError:
        if kind != "markers":
            return  # for a moment nothing is selected; then no other list is better
        objects = []
    try:
        spans = offered(context.scene, objects, kind)
    except BakeError:
        spans = []
    _merge(getattr(settings, kind), spans)


def signature(scene: bpy.types.Scene) -> tuple:
    """What differs if the list may differ, at little cost. Blender tells nobody of markers that are
    moved, nor of actions that are renamed or removed."""
    kind = scene.truevat.clips
    if kind == "markers":
        return tuple((marker.name, marker.frame) for marker in scene.timeline_markers)
    if kind == "actions":
        return tuple(
            (action.name, *action.frame_range, action.use_frame_range, action.use_cyclic)
            for action in bpy.data.actions
        )
    if kind == "nla":
        return tuple(
            (data.use_nla, track.mute, track.is_solo)
            + tuple((s.name, s.frame_start, s.frame_end, s.mute) for s in track.strips)
            for owner in (*bpy.data.objects, *bpy.data.shape_keys)
            if (data := owner.animation_data) is not None
            for track in data.nla_tracks
        )
    return ()


def _merge(clips: TrueVATClipList, spans: Sequence[Span]) -> None:
    known: dict[str, list[Values]] = {}
    for row in (*clips.rows, *clips.absent):
        known.setdefault(row.source, []).append(_values(row))
    wanted = []
    for span in spans:
        same_name = known.get(span.name)
        wanted.append(_updated(span, same_name.pop(0) if same_name else None))
    active = clips.active_row.source if clips.active_row else None
    _write(clips.absent, [row for rows in known.values() for row in rows if _is_set(row)])
    if _write(clips.rows, wanted):
        names = [row["source"] for row in wanted]
        clips.active = names.index(active) if active in names else 0


def _updated(span: Span, before: Values | None) -> Values:
    frames = f"{float(span.start):g} to {float(span.end):g}"
    if before is None:
        return {
            "source": span.name,
            "name": span.name,
            "loop": span.loop,
            "source_loop": span.loop,
            "frames": frames,
        }
    # A source that changes its mind is followed, unless the user has said otherwise.
    followed = before["loop"] == before["source_loop"]
    loop = span.loop if followed else before["loop"]
    return before | {"loop": loop, "source_loop": span.loop, "frames": frames}


def _is_set(row: Values) -> bool:
    """Has the user changed anything?"""
    plain = row["use"] and row["name"] == row["source"] and row["loop"] == row["source_loop"]
    return not plain or row["use_fps"]


def _values(row: TrueVATClip) -> Values:
    return {field: getattr(row, field) for field in FIELDS}


def _write(rows: bpy.types.bpy_prop_collection, wanted: Sequence[Values]) -> bool:
    """Whether there was anything to write."""
    if [_values(row) for row in rows] == list(wanted):
        return False
    rows.clear()
    for values in wanted:
        row = rows.add()
        for field, value in values.items():
            setattr(row, field, value)
    return True
