# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake says when it cannot be done, and that it leaves nothing behind."""

from __future__ import annotations

import os
from fractions import Fraction

import numpy as np
import pytest
from truevat.core.errors import BakeError
from truevat.core.files import Workplace
from truevat.core.profiles import PROFILES, Layout, Need

from synthetic import grid, make_baker, part, snapshot


def small():
    topology, points = grid(2, 2)
    return snapshot(topology, points)


@pytest.mark.parametrize("where", range(5))
def test_a_position_that_is_not_finite_names_object_vertex_and_frame(where):
    snaps = [small(), snapshot(*grid(3, 1), group=1)]
    frames = [[part(snap) for snap in snaps] for _ in range(5)]
    bad = snaps[1].points.copy()
    bad[6, 1] = np.inf
    frames[where][1] = part(snaps[1], bad)
    times = [Fraction(1000001, 2) + k for k in range(5)]
    with pytest.raises(BakeError) as caught:
        make_baker(snaps, frames, ("Foo", "Bar"), times=times).plan()
    assert str(caught.value).startswith(f"Object 'Bar', frame {500000.5 + where}: vertex 6 has")
    assert "modifiers" in str(caught.value)


def test_a_position_of_a_part_that_came_later_is_named_too():
    snap, bar = small(), snapshot(*grid(1, 1), group=1)
    sample = np.zeros(3, np.int32)
    good = part(bar, samples=(sample, sample))
    bad = part(bar, np.full((4, 3), np.nan), samples=(sample, sample))
    with pytest.raises(BakeError, match="^Object 'Bar', frame 1: vertex 0 "):
        make_baker(
            [snap], [[part(snap)], [good, good, bad]], ("Foo", "Bar"), address="vertex-id"
        ).plan()


def test_too_many_samples_names_counts_limit_and_what_would_fit():
    topology, points = grid(20, 10)
    snap = snapshot(topology, points)
    baker = make_baker([snap], [[part(snap)]] * 40, max_size=64, dedup="none")
    with pytest.raises(BakeError) as caught:
        baker.plan()
    assert str(caught.value) == (
        "800 samples x 40 frames do not fit into a texture of 64 x 64; what would fit: "
        "at most 4 frames, or at most 64 samples a frame, or a max size of 256"
    )


NEKOVAT = PROFILES["nekovat"]


def need(slots, frames, max_size):
    return Need(slots, frames, 1, "float32", max_size)


@pytest.mark.parametrize(
    ("samples", "frames", "max_size", "advice"),
    [
        (800, 40, 64, "at most 4 frames, or at most 64 samples a frame, or a max size of 256"),
        (10, 4096, 4096, "at most 4,095 frames, or a max size of 8192"),
        (0, 5000, 4096, "at most 4,095 frames, or a max size of 8192"),
        (16384 * 9000, 2, 16384, "at most 134,201,344 samples a frame"),
        (16384 * 20000, 20000, 16384, "fewer frames and samples"),
    ],
)
def test_the_advice_fits(samples, frames, max_size, advice):
    with pytest.raises(BakeError) as caught:
        NEKOVAT.layout(need(samples, frames, max_size))
    assert str(caught.value).endswith(f"what would fit: {advice}")
    for text in advice.replace(",", "").split(" or "):
        number = [int(word) for word in text.split() if word.isdigit()]
        if not number:
            continue
        if "frames" in text:
            NEKOVAT.layout(need(samples, number[0], max_size))
        elif "a frame" in text:
            NEKOVAT.layout(need(number[0], frames, max_size))
        elif "size" in text:
            NEKOVAT.layout(need(samples, frames, number[0]))


def test_the_largest_numbers_of_the_header():
    assert NEKOVAT.layout(need(1, 16383, 16384)) == Layout(1, 16384, 1)
    layout = NEKOVAT.layout(need(16384 * 8191, 2, 16384))
    assert layout == Layout(16384, 16384, 8191)
    assert NEKOVAT.stored_frames(1) == [0, 0]
    assert NEKOVAT.stored_frames(3) == [0, 1, 2]


def moving(frames=4, **settings):
    topology, points = grid(300, 100)
    snap = snapshot(topology, points)
    return make_baker([snap], [[part(snap)]] * frames, **settings)


def test_a_folder_for_the_spill_that_is_not_there(tmp_path):
    folder = tmp_path / "no"
    with pytest.raises(BakeError, match="No such file") as caught:
        moving(memory=1, scratch=folder).plan()
    assert str(folder) in str(caught.value) and "choose another folder" in str(caught.value)


def test_a_disk_that_is_full_while_spilling(full_disk):
    with pytest.raises(BakeError, match="No space left") as caught:
        moving(frames=8, memory=1, scratch=full_disk).plan()
    assert str(full_disk) in str(caught.value)
    assert not list(full_disk.iterdir())


def bake_into(folder, baker):
    with Workplace(folder) as workplace:
        texture = workplace.path("a.exr")
        baker.plan()
        for _ in baker.write(lambda suffix: texture):
            pass
        workplace.commit({"texture": texture})
        workplace.keep()


def test_a_disk_that_is_full_leaves_the_old_file_and_nothing_else(full_disk):
    old = full_disk / "a.exr"
    old.write_text("old")
    with pytest.raises(BakeError, match="^Writing .*a.exr failed: No space left on device"):
        bake_into(full_disk, moving())
    assert old.read_text() == "old"
    assert list(full_disk.iterdir()) == [old]


def test_a_folder_that_cannot_be_written_to(read_only_folder):
    with pytest.raises(BakeError, match="cannot be written to .Permission denied") as caught:
        bake_into(read_only_folder, moving())
    assert str(read_only_folder) in str(caught.value)


@pytest.mark.parametrize("after", [0, 1])
def test_a_bake_given_up_while_writing_leaves_the_old_file(tmp_path, after):
    old = tmp_path / "a.exr"
    old.write_text("old")
    topology, points = grid(300, 300)
    snap = snapshot(topology, points)
    baker = make_baker([snap], [[part(snap)]] * 20, dedup="none")
    baker.plan()
    with pytest.raises(KeyboardInterrupt), Workplace(tmp_path) as workplace:
        writing = baker.write(lambda suffix: workplace.path("a.exr"))
        for _ in range(after + 1):
            done, total = next(writing)
            assert done < total
        raise KeyboardInterrupt
    assert old.read_text() == "old"
    assert list(tmp_path.iterdir()) == [old]


def test_a_file_that_lost_something_is_noticed(tmp_path):
    baker = moving()
    baker.plan()
    path = tmp_path / "a.exr"
    writing = baker.write(lambda suffix: path)
    for done, total in writing:
        if done == total:
            os.truncate(path, 0)
            break
    with pytest.raises(BakeError, match="is incomplete") as caught:
        next(writing)
    assert str(path) in str(caught.value)


def test_a_texture_whose_path_is_a_folder(tmp_path):
    baker = moving()
    baker.plan()
    with pytest.raises(BakeError, match="failed: Is a directory") as caught:
        next(baker.write(lambda suffix: tmp_path))
    assert str(tmp_path) in str(caught.value)


def test_a_budget_beyond_all_numbers_is_no_limit():
    assert moving(memory=10**15).plan().stored == 4


def expecting(frames, max_size, **settings):
    """A baker that knows its first frame's 231 points and 800 corners, and how many will come."""
    snap = snapshot(*grid(20, 10))
    baker = make_baker([snap], [], max_size=max_size, **settings)
    baker.expect(frames)
    return baker, snap


def test_what_cannot_fit_is_refused_before_a_frame_is_baked():
    # 231 places take 4 rows a frame at 64, 2 at 128
    for settings in ({"dedup": "trajectory"}, {"dedup": "rest"}):
        with pytest.raises(BakeError, match="231 samples x 20 frames do not fit"):
            expecting(20, 64, **settings)
        expecting(20, 128, **settings)  # 800 corners would not fit, but they may share slots
    with pytest.raises(BakeError, match="800 samples x 20 frames"):
        expecting(20, 128, dedup="none")
    with pytest.raises(BakeError, match="1,200 samples x 20 frames"):
        expecting(20, 128, address="vertex-id")


def test_a_frame_with_too_many_samples_is_refused_when_it_comes():
    baker, snap = expecting(20, 256, address="vertex-id")
    some = np.zeros(256 * 12, np.int32)
    baker.frame([part(snap, samples=(some, some))], Fraction(0))
    more = np.zeros(256 * 13, np.int32)
    with pytest.raises(BakeError, match="3,328 samples x 20 frames"):
        baker.frame([part(snap, samples=(more, more))], Fraction(1))
