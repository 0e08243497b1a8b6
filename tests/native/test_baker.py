# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames in, texture out: every corner finds what it did, in every frame."""

from __future__ import annotations

import numpy as np
import pytest
import truevat_native as native

import twins
from synthetic import decode, grid, make_baker, part, picture, snapshot, translation, upward

DEDUPS = ["trajectory", "rest", "none"]


def wave(points, frame):
    moved = points.copy()
    moved[:, 2] = np.sin(points[:, 0] + np.float32(frame))
    return moved


@pytest.mark.parametrize("dedup", DEDUPS)
def test_every_corner_finds_its_place_in_every_frame(tmp_path, dedup):
    topology, points = grid(7, 5)
    snap = snapshot(topology, points)
    frames = [[part(snap, wave(points, k))] for k in range(6)]
    baker = make_baker([snap], frames, origins=[[1, 2, 3]], dedup=dedup)
    plan = baker.plan()
    assert plan.samples == topology.corners == 140
    assert plan.slots == (140 if dedup == "none" else 48)
    assert (plan.frames, plan.stored, plan.constant) == (6, 6, True)
    pixels = picture(baker, tmp_path / "a.exr")
    assert pixels[0, 0, 0].view(np.uint32) == plan.layout.rows_per_frame << 16 | 5
    for frame in range(6):
        positions, words = decode(pixels, plan, 0, frame)
        expected = wave(points, frame)[topology.corner_vert] - np.float32([1, 2, 3])
        np.testing.assert_array_equal(positions, expected)
        assert set(words) == {native.NORMAL_GUARD | 0x7F7FFF}


def test_slots_part_where_trajectories_do():
    """Two points in one place that part later, two corners that turn apart later."""
    topology, points = grid(2, 1)
    points[3:] = points[:3]  # the grid starts folded onto its first row
    snap = snapshot(topology, points)
    moved = points.copy()
    moved[3:, 1] += 1
    turned = upward(topology.corners)
    turned[1] = 1, 0, 0
    still = upward(topology.corners)
    together = [[part(snap, normals=still, domain=native.CORNER)] for _ in range(2)]
    apart = [together[0], [part(snap, moved, still, native.CORNER)]]
    turning = [together[0], [part(snap, points, turned, native.CORNER)]]
    slots = [make_baker([snap], frames).plan().slots for frames in (together, apart, turning)]
    assert slots == [3, 6, 4]
    rest = [make_baker([snap], frames, dedup="rest").plan().slots for frames in (together, apart)]
    assert rest == [3, 3]


def test_normals_that_move_to_corners_part_their_slots(tmp_path):
    topology, points = grid(3, 1)
    snap = snapshot(topology, points)
    hard = upward(topology.corners)
    hard[4:8] = 0, 1, 0
    frames = [[part(snap)], [part(snap, points, hard, native.CORNER)], [part(snap)]]
    baker = make_baker([snap], frames)
    plan = baker.plan()
    assert plan.slots == 12  # the middle quad shares none of its four points any more
    pixels = picture(baker, tmp_path / "a.exr")
    for frame, normals in enumerate([upward(12), hard, upward(12)]):
        positions, words = decode(pixels, plan, 0, frame)
        np.testing.assert_array_equal(positions, points[topology.corner_vert])
        np.testing.assert_array_equal(words, twins.pack_normals(normals))


def test_face_normals_part_slots_at_edges(tmp_path):
    topology, points = grid(2, 1)
    snap = snapshot(topology, points)
    normals = np.float32([[0, 0, 1], [1, 0, 0]])
    baker = make_baker([snap], [[part(snap, points, normals, native.FACE)]] * 2)
    plan = baker.plan()
    assert plan.slots == 8
    _, words = decode(picture(baker, tmp_path / "a.exr"), plan, 0, 1)
    np.testing.assert_array_equal(words, twins.pack_normals(np.repeat(normals, 4, axis=0)))


def test_groups_and_parts_lie_one_after_another(tmp_path):
    """Group 0 has two instances of one mesh, group 1 another mesh at another origin."""
    topology, points = grid(3, 3)
    other_topology, other_points = grid(1, 2)
    snaps = [
        snapshot(topology, points),
        snapshot(topology, points, matrix=translation(0, 0, 5)),
        snapshot(other_topology, other_points, group=1, matrix=translation(9, 9, 9)),
    ]
    frames = [[part(snap, wave(snap.points, k)) for snap in snaps] for k in range(3)]
    origins = np.float32([[0, 0, 1], [9, 9, 9]])
    baker = make_baker(snaps, frames, ("A", "B"), origins)
    plan = baker.plan()
    assert plan.slots == 16 + 16 + 6
    assert [int(address.min()) for address in plan.address] == [0, 16, 32]
    np.testing.assert_array_equal(plan.bounds[1, :, 0], [9, 10])
    pixels = picture(baker, tmp_path / "a.exr")
    for frame in range(3):
        for index, snap in enumerate(snaps):
            positions, _ = decode(pixels, plan, index, frame)
            expected = wave(snap.points, frame) + snap.matrix[:3, 3] - origins[snap.group]
            np.testing.assert_array_equal(positions, expected[snap.topology.corner_vert])


def test_instances_in_one_place_share_slots_and_others_do_not():
    topology, points = grid(2, 2)
    for offset, slots in ((0, 9), (1, 18)):
        snaps = [snapshot(topology, points, matrix=translation(0, 0, z)) for z in (0, offset)]
        assert make_baker(snaps, [[part(s) for s in snaps]] * 2).plan().slots == slots


def test_rest_slots_of_instances_are_their_own(tmp_path):
    """Their rest positions are local: equal ones lie in different places."""
    topology, points = grid(2, 2)
    loose = np.concatenate([points, np.float32([[7, 7, 7]])])  # a vertex that no corner uses
    snaps = [
        snapshot(topology, loose),
        snapshot(topology, points + np.float32(7), matrix=translation(0, 0, 5)),
        snapshot(topology, points, matrix=translation(4, 0, 0)),
    ]
    baker = make_baker(snaps, [[part(snap) for snap in snaps]] * 2, dedup="rest")
    plan = baker.plan()
    assert plan.slots == 27
    pixels = picture(baker, tmp_path / "a.exr")
    for index, snap in enumerate(snaps):
        positions, _ = decode(pixels, plan, index, 1)
        expected = (snap.points + snap.matrix[:3, 3])[topology.corner_vert]
        np.testing.assert_array_equal(positions, expected)


def test_rest_slots_are_numbered_by_vertices_and_know_no_negative_zero():
    topology, points = grid(2, 1)
    points[3:] = points[:3]
    points[3:, 2] = -0.0
    snap = snapshot(topology, points)
    plan = make_baker([snap], [[part(snap)]] * 2, dedup="rest").plan()
    np.testing.assert_array_equal(plan.address[0], [0, 1, 1, 0, 1, 2, 2, 1])


def test_a_single_frame_is_stored_twice(tmp_path):
    topology, points = grid(2, 2)
    snap = snapshot(topology, points)
    baker = make_baker([snap], [[part(snap)]])
    plan = baker.plan()
    assert (plan.frames, plan.stored) == (1, 2)
    pixels = picture(baker, tmp_path / "a.exr")
    assert pixels[0, 0, 0].view(np.uint32) == plan.layout.rows_per_frame << 16 | 1
    for frame in range(2):
        positions, _ = decode(pixels, plan, 0, frame)
        np.testing.assert_array_equal(positions, points[topology.corner_vert])


def own_part(size, group=0, count=None):
    """A frame of a grid of another size, sampled triangle by triangle."""
    topology, points = grid(*size)
    corners = topology.triangles.reshape(-1)
    point = topology.corner_vert[corners]
    samples = point, np.int32(np.repeat(topology.triangle_face, 3))
    normals = upward(topology.faces)
    snap = snapshot(topology, points, group)
    return part(snap, points, normals, native.FACE, samples=samples), points[point]


def test_triangles_may_change_from_frame_to_frame(tmp_path):
    topology, points = grid(2, 2)
    snap = snapshot(topology, points)
    few, few_expected = own_part((1, 1))
    many, many_expected = own_part((3, 4))
    frames = [[part(snap)], [few], [many, few], [], [part(snap)]]
    baker = make_baker([snap], frames, origins=[[5, 5, 5]], address="vertex-id")
    plan = baker.plan()
    assert (plan.samples, plan.slots, plan.constant) == (78, 78, False)
    pixels = picture(baker, tmp_path / "a.exr").reshape(-1, 4)
    width, _, rows = plan.layout[:3]
    first = points[topology.corner_vert[topology.triangles.reshape(-1)]]
    expected = [first, few_expected, np.concatenate([many_expected, few_expected]), [], first]
    for k, positions in enumerate(expected):  # in world space: nothing is subtracted
        samples = pixels[width * (1 + k * rows) : width * (1 + (k + 1) * rows)]
        np.testing.assert_array_equal(samples[: len(positions), :3], np.reshape(positions, (-1, 3)))
        assert not samples[len(positions) :].any()


def test_mirrored_triangles_turn_their_front_out():
    topology, points = grid(1, 1)
    mirror = np.diag(np.float32([-1, 1, 1, 1]))
    baker = make_baker(
        [snapshot(topology, points, matrix=mirror)],
        [[part(snapshot(topology, points), matrix=mirror)]] * 2,
        address="vertex-id",
    )
    baker.plan()
    np.testing.assert_array_equal(baker.slots.corner, [0, 2, 1, 0, 3, 2])
    np.testing.assert_array_equal(baker.slots.face, np.zeros(6))


@pytest.mark.parametrize("address", ["uv", "vertex-id"])
def test_a_spilled_bake_has_the_same_bytes_and_the_same_id(tmp_path, address):
    topology, points = grid(300, 100)
    snap = snapshot(topology, points)
    frames = [[part(snap, wave(points, k))] for k in range(8)]
    if address == "vertex-id":
        frames[3] = [own_part((200, 100))[0]]
    results = []
    for memory in (1, 1024):
        baker = make_baker([snap], frames, memory=memory, address=address, threads=memory % 3)
        plan = baker.plan()
        assert bool(baker.track.spilled) == (memory == 1)
        path = tmp_path / f"{memory}.exr"
        for _ in baker.write(lambda suffix, path=path: path):
            pass
        results.append((plan.bake_id, path.read_bytes()))
    assert results[0] == results[1]


def test_the_bake_id_tells_apart_what_is_different():
    topology, points = grid(2, 2)
    snap = snapshot(topology, points)
    frames = [[part(snap, wave(points, k))] for k in range(3)]
    other_topology, _ = grid(2, 2)
    other_topology.corner_vert[:4] = np.roll(other_topology.corner_vert[:4], 1)
    other = snapshot(other_topology, points)
    ids = [
        make_baker(*arguments, **options).plan().bake_id
        for arguments, options in [
            (([snap], frames), {}),
            (([snap], [frames[0], frames[2], frames[1]]), {}),
            (([snap], frames[:2]), {}),
            (([snap], frames), {"times": [0, 2, 4]}),
            (([snap], frames), {"origins": [[1, 0, 0]]}),
            (([snap], frames), {"names": ["B"]}),
            (([snap], frames), {"dedup": "none"}),
            (([snap], frames), {"guard": False}),
            (([snap], frames), {"address": "vertex-id"}),
            (([other], frames), {}),
        ]
    ]
    assert len(set(ids)) == len(ids)
    assert ids[0] == make_baker([snap], frames, memory=1, threads=3).plan().bake_id
    assert all(len(bake_id) == 32 and int(bake_id, 16) for bake_id in ids)


def test_normals_without_direction_are_counted():
    topology, points = grid(1, 1)
    snap = snapshot(topology, points)
    baker = make_baker([snap], [[part(snap, points, np.zeros((4, 3)))]] * 3)
    assert baker.plan().bad_normals == 12
