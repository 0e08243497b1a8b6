# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The clips of a scene, and each of them evaluated alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import bpy

from ..core.clips import Clip, ClipSettings, Span, choose, frame_span, range_spans
from ..core.errors import BakeError
from ..core.frames import FrameRange
from .actions import Relations, Share, action_range, strips
from .animation_state import assign, lent, playable, restart_simulations, to_rest
from .timeline import frames_per_second


@dataclass(frozen=True)
class _Found(Span):
    """A span of the scene's timeline, and what plays there: shares of an action, or strips."""

    shares: tuple[Share, ...] = ()
    strips: tuple[tuple[bpy.types.ID, bpy.types.NlaStrip], ...] = ()


class SceneClips:
    """The clips that settings ask for. BakeError says what is wrong with them.

    >>> for clip in scene_clips.clips:
    >>>     with scene_clips.alone(clip):
    >>>         ...  # set the scene to each of clip.times
    """

    def __init__(
        self,
        scene: bpy.types.Scene,
        sources: Sequence[bpy.types.Object],
        settings: ClipSettings,
        frames: FrameRange | None = None,
    ) -> None:
        settings.check_frames(frames)
        self._scene = scene
        self._kind = settings.kind
        self._sources = sources
        found = _found(scene, lambda: self._relations, settings, frames)
        if not found:
            raise BakeError(_why_none(settings.kind, self._relations))
        chosen = choose(settings, found, frames_per_second(scene))
        self.clips = [clip for clip, _ in chosen]
        self._of = {clip.name: span for clip, span in chosen}
        self._shares = {
            (s.owner, s.action, s.slot) for span in self._of.values() for s in span.shares
        }

    @cached_property
    def _relations(self) -> Relations:
        """Which walks the whole file: only for clips that need it."""
        return Relations(self._sources)

    @contextmanager
    def alone(self, clip: Clip) -> Iterator[None]:
        """Until the block ends, the scene plays the clip and none of the others.

        What other clips' actions and strips move is at rest, as far as bones and shape keys go.
        Animation that is not one of the clips goes on. The scene's frame may change.
        """
        with ExitStack() as stack:
            if self._kind in ("actions", "nla"):
                stack.callback(restart_simulations, self._scene)
                if self._kind == "actions":
                    self._act(stack, self._of[clip.name].shares)
                else:
                    self._play_strips(stack, self._of[clip.name].strips)
                restart_simulations(self._scene)
            yield

    def _act(self, stack: ExitStack, shares: Sequence[Share]) -> None:
        mine = {share.owner: share for share in shares}
        owners = {owner for owner, *_ in self._shares}
        actions = {action for _, action, _ in self._shares}
        for owner in self._relations.datablocks:
            if owner not in owners:
                continue
            share = mine.get(owner)
            if share is not None:
                share = stack.enter_context(playable(share))
            channels = self._channels(owner)
            data = stack.enter_context(lent(owner, channels))
            if share is not None or data.action in actions:
                assign(data, share)
            if share is not None or any(strip.action in actions for strip in strips(data)):
                data.use_nla = False
            if share is not None:
                channels -= self._relations.channels(share.action, share.slot)
            to_rest(owner, channels)

    def _play_strips(
        self, stack: ExitStack, mine: Sequence[tuple[bpy.types.ID, bpy.types.NlaStrip]]
    ) -> None:
        for owner in self._relations.datablocks:
            if not any(strips(owner.animation_data)):
                continue
            channels = self._channels(owner)
            data = stack.enter_context(lent(owner, channels))
            assign(data, None)
            playing = [strip for each, strip in mine if each == owner]
            # Where all strips are muted, Blender would move the object to the world's origin.
            data.use_nla = bool(playing)
            for track in data.nla_tracks:
                _mute_others(track, playing)
            to_rest(owner, channels)

    def _channels(self, owner: bpy.types.ID) -> set:
        """Whatever the datablock's animation, or one of the clips, moves."""
        channels = self._relations.known_channels(owner)
        for each, action, slot in self._shares:
            if each == owner:
                channels |= self._relations.channels(action, slot)
        return channels


def offered(
    scene: bpy.types.Scene, sources: Sequence[bpy.types.Object], kind: str
) -> Sequence[Span]:
    """All that a scene has of one kind, to choose from; of kind ranges, nothing."""
    if kind == "ranges":
        return []
    return _found(scene, lambda: Relations(sources), ClipSettings(kind), None)


def _found(
    scene: bpy.types.Scene,
    relations: Callable[[], Relations],
    settings: ClipSettings,
    frames: FrameRange | None,
) -> list[_Found]:
    if settings.kind == "actions":
        return _actions(relations(), [pick.name for pick in settings.picks])
    if settings.kind == "nla":
        return _strips(relations())
    if settings.kind == "markers":
        spans = _markers(scene)
    elif settings.kind == "ranges":
        spans = range_spans(settings)
    else:
        dense = (settings.fps, settings.step) != (None, None)
        step = 1 if dense else scene.frame_step
        frames = frames or FrameRange(scene.frame_start, scene.frame_end, step)
        spans = [frame_span(scene.name, frames)]
    return [_Found(span.name, span.start, span.end, step=span.step) for span in spans]


def _actions(relations: Relations, names: Sequence[str]) -> list[_Found]:
    found = []
    for action in bpy.data.actions:
        asked_for = action.name in names
        shares = relations.shares(action, asked_for)
        extent = action_range(action)
        if asked_for and not shares:
            raise BakeError(
                f"The action '{action.name}' fits none of the baked objects, nor what they depend "
                "on; choose another"
            )
        if asked_for and extent is None:
            raise BakeError(
                f"The action '{action.name}' has no keyframes; key it, or set its frame range by "
                "hand"
            )
        if shares and extent is not None and (asked_for or not _is_pose(action, extent)):
            start, end, loop = extent
            found.append(_Found(action.name, start, end, loop, False, shares=tuple(shares)))
    return found


def _is_pose(action: bpy.types.Action, extent: tuple[Fraction, Fraction, bool]) -> bool:
    """Whether it is one of a pose library."""
    return action.asset_data is not None and extent[0] == extent[1]


def _strips(relations: Relations) -> list[_Found]:
    """One for all strips that have the same name and span."""
    together: dict[tuple[float, float, str], list[tuple[bpy.types.ID, bpy.types.NlaStrip]]] = {}
    for owner in relations.datablocks:
        for strip in strips(owner.animation_data):
            if strip.type in ("CLIP", "META") and not strip.mute:
                key = (strip.frame_start, strip.frame_end, strip.name)
                together.setdefault(key, []).append((owner, strip))
    return [
        _Found(
            name,
            Fraction(start),
            Fraction(end),
            all(strip.action is not None and _cyclic(strip.action) for _, strip in each),
            False,
            strips=tuple(each),
        )
        for (start, end, name), each in sorted(together.items(), key=lambda item: item[0])
    ]


def _cyclic(action: bpy.types.Action) -> bool:
    return action.use_frame_range and action.use_cyclic


def _mute_others(track: bpy.types.NlaTrack, playing: Sequence[bpy.types.NlaStrip]) -> None:
    for strip in track.strips:
        if strip in playing:
            continue
        strip.mute = True
        # A strip, even a muted one, has the frame at which it ends; the next begins right there.
        if any(strip.frame_end == other.frame_start for other in playing):
            strip.frame_end_raw = strip.frame_start_raw


def _markers(scene: bpy.types.Scene) -> list[Span]:
    """From each marker up to the frame before the next one. The last ends with the scene; if it
    stands there or beyond, it has no span, and its frame is the end of the one before."""
    markers = sorted(scene.timeline_markers, key=lambda marker: marker.frame)
    if len(markers) < 2:
        raise BakeError(
            f"The scene '{scene.name}' has {len(markers)} timeline markers; clips begin at "
            "markers, so set at least two (M in the timeline)"
        )
    spans = [
        Span(marker.name, Fraction(marker.frame), Fraction(after.frame - 1))
        for marker, after in zip(markers[:-1], markers[1:], strict=True)
    ]
    last = markers[-1]
    if last.frame < scene.frame_end:
        spans.append(Span(last.name, Fraction(last.frame), Fraction(scene.frame_end)))
    else:
        before = spans[-1]
        spans[-1] = Span(before.name, before.start, Fraction(last.frame))
    return spans


def _why_none(kind: str, relations: Relations) -> str:
    first = relations.sources[0].name
    if kind == "actions":
        return (
            f"No action with keyframes fits '{first}', the other baked objects or what they depend "
            "on; name the actions, or bake the scene's range (--clips scene)"
        )
    off = [
        owner.name
        for owner in relations.datablocks
        if (data := owner.animation_data) is not None and len(data.nla_tracks) and not data.use_nla
    ]
    hint = f"; the NLA of '{off[0]}' is switched off" if off else ""
    return (
        f"Neither '{first}', the other baked objects nor what they depend on has NLA strips that "
        f"are not muted{hint}; unmute some, or bake the scene's range (--clips scene)"
    )
