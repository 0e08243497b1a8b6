# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning in steps: a bake can be cancelled between them, and nothing of it stays."""

from __future__ import annotations

import gc
import os
import sys

import numpy as np
import pytest
import truevat_native as native

from synthetic import grid, make_baker, part, snapshot, translation

GROUPS = [0, 0, 0, 1, 2, 2]  # of the parts


def filled(folder, **settings):
    """A baker of three objects and six parts, whose larger part of the frames is in its file."""
    snaps = [
        snapshot(*grid(20 + i, 30), group=group, matrix=translation(i, 0, 0))
        for i, group in enumerate(GROUPS)
    ]
    frames = [[part(s, s.points + np.float32(k)) for s in snaps] for k in range(30)]
    return make_baker(snaps, frames, ("A", "B", "C"), memory=1, scratch=folder, **settings)


def drain(steps):
    """(how many steps, what the generator returns)."""
    count = 0
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return count, end.value
        count += 1


def same(plan, other):
    assert (plan.layout, plan.slots, plan.bake_id) == (other.layout, other.slots, other.bake_id)
    for mine, its in zip(plan.address, other.address, strict=True):
        np.testing.assert_array_equal(mine, its)


@pytest.mark.parametrize(
    ("settings", "least"),
    [
        ({}, len(GROUPS)),
        ({"dedup": "rest"}, len(set(GROUPS))),
        ({"dedup": "none"}, len(set(GROUPS))),
        ({"address": "vertex-id"}, 1),
    ],
    ids=["trajectory", "rest", "none", "vertex-id"],
)
def test_there_is_a_step_for_each_part_or_object(tmp_path, settings, least):
    steps, plan = drain(filled(tmp_path, **settings).plan_steps())
    assert steps >= least
    same(plan, filled(tmp_path, **settings).plan())


def test_no_step_shares_the_corners_of_two_objects(tmp_path, monkeypatch):
    """However many objects there are, only one of them is worked on between two questions."""
    baker = filled(tmp_path)
    calls = []
    assign = native.assign_slots
    monkeypatch.setattr(native, "assign_slots", lambda keys: calls.append(keys) or assign(keys))
    steps = baker.plan_steps()
    before = 0
    for _ in steps:
        assert len(calls) - before <= 1
        before = len(calls)
    assert len(calls) == len(set(GROUPS))


def test_closing_it_anywhere_leaves_nothing(tmp_path):
    count, plan = drain(filled(tmp_path).plan_steps())
    for stop in range(count + 1):
        gc.collect()
        opened = os.listdir("/proc/self/fd") if sys.platform.startswith("linux") else []
        baker = filled(tmp_path)
        steps = baker.plan_steps()
        for _ in range(stop):
            next(steps)
        steps.close()
        assert not list(tmp_path.iterdir())
        same(baker.plan(), plan)  # as if nobody had begun
        assert baker.track.spilled
        del baker, steps
        gc.collect()
        if opened:
            assert len(os.listdir("/proc/self/fd")) == len(opened)
    assert not list(tmp_path.iterdir())
