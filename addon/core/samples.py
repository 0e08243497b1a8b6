# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which point and which normal each sample of a texture takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import truevat_native as native

from .mesh import Ints, MeshSnapshot


@dataclass(frozen=True)
class Samples:
    """Which point and normal each sample takes. Samples are sorted by part; int32, part's own."""

    part_start: np.ndarray  # int64 (parts + 1,)
    point: Ints
    face: Ints
    corner: Ints


def join_samples(starts: list[int], *indices: list[Ints]) -> Samples:
    joined = [np.concatenate(arrays) if arrays else np.empty(0, np.int32) for arrays in indices]
    return Samples(np.array(starts, np.int64), *(np.ascontiguousarray(a, np.int32) for a in joined))


def share_by_rest_position(snapshots: Sequence[MeshSnapshot]) -> tuple[Ints, Ints]:
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
