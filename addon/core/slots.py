# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which slot each corner has, and which point and normal each slot takes."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import truevat_native as native

from .mesh import Floats, Ints, MeshSnapshot
from .playback import world_triangles


class Slots(NamedTuple):
    """A slot is one sample of each frame; slots are sorted by part.

    part_start: int64 (parts + 1,), the first slot of each part, then their number. point, face,
    corner: int32 (slots,), what each takes where normals live there; the part's own indices.
    address: for each part int32 (corners,), the slot of each corner (of its triangles, with
    vertex-ID addressing). corners: how many there were.
    """

    part_start: np.ndarray
    point: Ints
    face: Ints
    corner: Ints
    address: list[Ints]
    corners: int

    @property
    def count(self) -> int:
        return int(self.part_start[-1])


def share_slots(
    snapshots: Sequence[MeshSnapshot], dedup: str, track: native.Track
) -> Generator[None, None, Slots]:
    """One slot for all corners of an object that `dedup` calls the same; yields in between."""
    starts, point, face, corner = [0], [], [], []
    address: list[Ints] = []
    for group in sorted({snapshot.group for snapshot in snapshots}):
        parts = [i for i, part in enumerate(snapshots) if part.group == group]
        slots, first = yield from _assign(snapshots, parts, dedup, track)
        yield
        used = starts[-1]
        begin = np.cumsum([0, *(snapshots[i].topology.corners for i in parts)])
        for k, i in enumerate(parts):
            mine = first[(first >= begin[k]) & (first < begin[k + 1])] - np.int32(begin[k])
            topology = snapshots[i].topology
            corner.append(mine)
            point.append(topology.corner_vert[mine])
            face.append(topology.corner_face[mine])
            starts.append(starts[-1] + len(mine))
            address.append(slots[begin[k] : begin[k + 1]] + np.int32(used))
    return _joined(starts, point, face, corner, address)


def number_triangles(snapshots: Sequence[MeshSnapshot]) -> Slots:
    """Every corner of every triangle has a slot of its own, in order."""
    starts, point, face, corner, address = [0], [], [], [], []
    for snapshot in snapshots:
        topology = snapshot.topology
        corners = world_triangles(snapshot).reshape(-1)
        corner.append(corners)
        point.append(topology.corner_vert[corners])
        face.append(np.repeat(topology.triangle_face, 3))
        address.append(np.arange(starts[-1], starts[-1] + len(corners), dtype=np.int32))
        starts.append(starts[-1] + len(corners))
    return _joined(starts, point, face, corner, address)


def number_points(snapshots: Sequence[MeshSnapshot]) -> Slots:
    """Every point has a slot of its own, the last one of each mesh first."""
    starts, point, address = [0], [], []
    for snapshot in snapshots:
        topology = snapshot.topology
        point.append(np.arange(topology.points, dtype=np.int32)[::-1])
        address.append(np.int32(starts[-1] + topology.points - 1) - topology.corner_vert)
        starts.append(starts[-1] + topology.points)
    nowhere = [np.zeros(len(points), np.int32) for points in point]
    return _joined(starts, point, nowhere, nowhere, address)._replace(corners=starts[-1])


def rest_positions(
    slots: Slots, points: Floats, snapshots: Sequence[MeshSnapshot], origins: Floats
) -> Floats:
    """(slots, 3) of a frame's world-space points, all parts' after each other; relative to the
    origins (parts, 3)."""
    first = np.cumsum([0, *(len(snapshot.points) for snapshot in snapshots)])
    rest = [
        points[first[i] + slots.point[start:end]] - origins[i]
        for i, (start, end) in enumerate(pairwise(slots.part_start))
    ]
    return np.concatenate([np.zeros((0, 3), np.float32), *rest])


def least_slots(snapshots: Sequence[MeshSnapshot], dedup: str) -> int:
    """Corners that are in different places at the first frame cannot share a slot."""
    least = 0
    for group in {snapshot.group for snapshot in snapshots}:
        parts = [snapshot for snapshot in snapshots if snapshot.group == group]
        if dedup == "rest":
            least += len(_share_by_rest_position(parts)[1])
            continue
        places = [
            native.transform_points(part.points, part.matrix)[0][_used(part)] for part in parts
        ]
        least += len(np.unique(np.concatenate(places), axis=0))
    return least


def are_final(
    snapshots: Sequence[MeshSnapshot], domains: Sequence[int], dedup: str, track: native.Track
) -> bool:
    """Whether the frames so far decide which corners share a slot, as long as normals live where
    they do now: trajectories that differ never become one again, so nothing can change once those
    of all points do."""
    if dedup != "trajectory":
        return True
    if any(domain != native.POINT for domain in domains):
        return False
    for group in {snapshot.group for snapshot in snapshots}:
        keys = []
        for i, snapshot in enumerate(snapshots):
            if snapshot.group == group:
                points = _used(snapshot)
                keys.append(track.keys(i, points, np.zeros_like(points)))
        joined = np.concatenate(keys)
        if len(native.assign_slots(joined)[1]) != len(joined):
            return False
    return True


def _used(snapshot: MeshSnapshot) -> Ints:
    """The points that a corner has, in their order."""
    used = np.zeros(len(snapshot.points), np.bool_)
    used[snapshot.topology.corner_vert] = True
    return np.flatnonzero(used).astype(np.int32)


def _joined(
    starts: list[int],
    point: list[Ints],
    face: list[Ints],
    corner: list[Ints],
    address: list[Ints],
) -> Slots:
    indices = (
        np.ascontiguousarray(np.concatenate(arrays) if arrays else [], np.int32)
        for arrays in (point, face, corner)
    )
    return Slots(np.array(starts, np.int64), *indices, address, sum(map(len, address)))


def _assign(
    snapshots: Sequence[MeshSnapshot], parts: Sequence[int], dedup: str, track: native.Track
) -> Generator[None, None, tuple[Ints, Ints]]:
    """(slot of each corner, first corner of each slot) over the corners of all the parts."""
    corners = sum(snapshots[i].topology.corners for i in parts)
    if dedup == "none" or not corners:
        every = np.arange(corners, dtype=np.int32)
        return every, every
    if dedup == "rest":
        return _share_by_rest_position([snapshots[i] for i in parts])
    keys = []
    for i in parts:
        topology = snapshots[i].topology
        keys.append(track.keys(i, topology.corner_vert, topology.corner_face))
        yield
    return native.assign_slots(keys[0] if len(keys) == 1 else np.concatenate(keys))


def _share_by_rest_position(snapshots: Sequence[MeshSnapshot]) -> tuple[Ints, Ints]:
    """The original script's rule: vertices that start in one place share a slot, numbered in the
    order of vertices, whatever they do later. Places are local: each instance has its own."""
    keys = [np.zeros((len(snapshot.points), 2), np.uint64) for snapshot in snapshots]
    for part, (sums, snapshot) in enumerate(zip(keys, snapshots, strict=True)):
        points = snapshot.points + np.float32(0)  # -0 is where 0 is
        native.hash_words(sums, points.view(np.uint32), part)
    slot_of_point, _ = native.assign_slots(np.concatenate(keys))

    offsets = np.cumsum([0, *(len(snapshot.points) for snapshot in snapshots)])
    slots = slot_of_point[
        np.concatenate(
            [s.topology.corner_vert + o for s, o in zip(snapshots, offsets, strict=False)]
        )
    ]
    # Loose vertices have no corner: number what corners use, in the same order.
    used, slots = np.unique(slots, return_inverse=True)
    first = np.full(len(used), len(slots), np.int32)
    np.minimum.at(first, slots, np.arange(len(slots), dtype=np.int32))
    return slots.astype(np.int32), first
