# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What Godot draws of a bake, held against the same Godot drawing the true mesh of that time."""

from __future__ import annotations

import shutil
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import moving
from godot_engine import OUT, RENDERERS
from godot_pictures import ORIGIN, Jobs, Pose, Shown, change_shaders, difference, picture, player
from godot_subjects import SUBJECTS, WITHOUT_NORMALS

# Shares of the object's pixels. Edges of triangles may fall on the other side of a pixel's middle.
SAME = {"float32": 0.002, "float16": 0.005}
OTHER = 0.04

SOLID = ["float_wrapped", "float_narrow", "float_many_slots", "half_wrapped", "half_single_row"]
SOUP = ["float_soup", "half_soup"]
POSES = {
    **dict.fromkeys(
        SOLID, [Pose("wave", 6), Pose("wave", 23.5), Pose("fall", 7.25), Pose("fall", 12)]
    ),
    **dict.fromkeys(
        SOUP, [Pose("grow", 2), Pose("grow", 6.9), Pose("splash", 2), Pose("splash", 5)]
    ),
}
PICTURES = [(name, pose) for name, poses in POSES.items() for pose in poses]
# What must not look the same: the shaders' text, changed.
FAULTS = {
    "v_flipped": ("textureSize(vat, 0).y - 1 - texel.y", "texel.y"),
    "axes_swapped": ("vec3(v.x, v.z, -v.y)", "vec3(v.x, v.y, v.z)"),
    "x_mirrored": ("vec3(v.x, v.z, -v.y)", "vec3(-v.x, v.z, -v.y)"),
    "v_as_in_gltf": ("truevat_slot(address, true)", "truevat_slot(address, false)"),
}
FADE = {"from": Pose("wave", 6), "to": Pose("fall", 0), "seconds": 0.4, "after": 0.25}
SHADOW = {"from": [3, 9, 5], "target": [0.5, -2.0, 0.25], "size": 9, "ground": -2.6, "shadow": True}
LONG = 36000
STEP = 0.37
CROWD = [
    {
        "place": [1.6 * (index % 4) - 2.4, 0, 1.6 * (index // 4) - 1.6],
        "clip": ["wave", "fall"][index % 2],
        "start": index * 0.13,
        "speed": [1.0, 0.71, -1.3, 2.0, 0.0][index % 5],
    }
    for index in range(12)
]


@pytest.fixture(scope="module", params=RENDERERS)
def drawn(request, engine, project):
    """(the project, what was counted): all pictures, from one run of Godot."""
    renderer = request.param
    jobs = Jobs(project)
    for name, pose in PICTURES:
        subject = SUBJECTS[name]
        jobs.add(f"{name}_{pose}", player(subject, pose))
        jobs.add(f"{name}_{pose}_true", jobs.truth(subject, pose))
        jobs.add(f"{name}_{pose}_before", player(subject, Pose(pose.clip, pose.x - 1)))
    add_live(jobs)
    add_flat(jobs)
    add_fade(jobs)
    add_shadows(jobs)
    add_bounds(jobs)
    add_crowds(jobs)
    counted = engine.draw(project, renderer, list(jobs.jobs.values()))
    kept = OUT / "pictures" / renderer
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    for path in (project / "pictures").glob("*.png"):
        shutil.copy(path, kept)
    return project, counted


def test_the_compared_poses_are_far_apart():
    for name, poses in POSES.items():
        motion = SUBJECTS[name].moving.motion
        size = (motion.rest.max(axis=0) - motion.rest.min(axis=0)).max()
        for a, b in pairwise(poses):
            moved = (
                SUBJECTS[name].slots_at(a.clip, a.x)[0] - SUBJECTS[name].slots_at(b.clip, b.x)[0]
            )
            assert np.linalg.norm(moved, axis=1).max() > 0.2 * size, (name, a, b)


@pytest.mark.parametrize(("name", "pose"), PICTURES, ids=lambda value: str(value))
def test_a_picture_is_that_of_the_mesh(drawn, name, pose):
    project, _ = drawn
    found = picture(project, f"{name}_{pose}")
    true = picture(project, f"{name}_{pose}_true")
    assert difference(found, true) <= SAME[SUBJECTS[name].pixel]


@pytest.mark.parametrize(("name", "pose"), PICTURES, ids=lambda value: str(value))
def test_one_frame_off_is_seen(drawn, name, pose):
    project, _ = drawn
    found = picture(project, f"{name}_{pose}_before")
    true = picture(project, f"{name}_{pose}_true")
    assert difference(found, true) > OTHER


@pytest.fixture(scope="module")
def faulty(engine, project):
    """With one renderer: what is at fault is the same in both, and Vulkan compiles for minutes."""
    for fault, (text, changed) in FAULTS.items():
        change_shaders(project, fault, text, changed)
    jobs = Jobs(project)
    pose = Pose("wave", 6)
    for name in ("float_wrapped", "half_wrapped"):
        jobs.add(f"{name}_faultless", player(SUBJECTS[name], pose))
        jobs.add(f"{name}_faultless_true", jobs.truth(SUBJECTS[name], pose))
        for fault in FAULTS:
            thing = player(SUBJECTS[name], pose, shaders=f"res://faults/{fault}/")
            jobs.add(f"{name}_{fault}", thing)
    engine.draw(project, "compatibility", list(jobs.jobs.values()))
    return project


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", ["float_wrapped", "half_wrapped"])
def test_a_fault_is_seen(faulty, name, fault):
    true = picture(faulty, f"{name}_faultless_true")
    assert difference(picture(faulty, f"{name}_faultless"), true) <= SAME[SUBJECTS[name].pixel]
    assert difference(picture(faulty, f"{name}_{fault}"), true) > OTHER


# -------------------------------------------------------------------------------------------------
# As it comes; without normals


def add_live(jobs):
    subject = SUBJECTS["float_wrapped"]
    jobs.add("live", {"scene": subject.resource, "live": True}, seconds=0.3)
    jobs.add("live_start", jobs.truth(subject, Pose("wave", 0)))


def test_it_plays_by_itself(drawn):
    project, counted = drawn
    assert difference(picture(project, "live"), picture(project, "live_start")) > OTHER
    assert counted["live"]["numbers"][0] > 0.1


def add_flat(jobs):
    subject, pose = SUBJECTS["float_wrapped"], Pose("fall", 9)
    jobs.add("flat", {**player(subject, pose), "scene": WITHOUT_NORMALS})
    shown = Shown(*subject.slots_at(pose.clip, pose.x), ORIGIN)
    jobs.add(
        "flat_true", {"soup": subject.write_soup(jobs.project / "soups", "flat", shown, flat=True)}
    )
    jobs.add("flat_smooth", jobs.truth(subject, pose))


def test_without_normals_it_is_flat(drawn):
    project, _ = drawn
    true = picture(project, "flat_true")
    assert difference(picture(project, "flat"), true) <= SAME["float32"]
    assert difference(picture(project, "flat_smooth"), true) > OTHER


# -------------------------------------------------------------------------------------------------
# Fades


def add_fade(jobs):
    subject = SUBJECTS["float_wrapped"]
    clips = {clip.name: float(clip.fps) for clip in subject.moving.motion.clips}
    begin, end = FADE["from"], FADE["to"]
    actions = [
        ["play", begin.clip],
        ["seek", begin.x / clips[begin.clip]],
        ["play", end.clip, FADE["seconds"]],
        ["advance", FADE["after"]],
    ]
    jobs.add("fade", {"scene": subject.resource, "actions": actions})
    weight = FADE["after"] / FADE["seconds"]
    a = subject.slots_at(begin.clip, begin.x + FADE["after"] * clips[begin.clip])
    b = subject.slots_at(end.clip, end.x + FADE["after"] * clips[end.clip])
    positions, normals = (p * (1 - weight) + q * weight for p, q in zip(a, b, strict=True))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    jobs.add("fade_true", jobs.soup(subject, "fade", Shown(positions, normals, ORIGIN)))
    jobs.add("fade_without", jobs.soup(subject, "fade_without", Shown(*b, ORIGIN)))


def test_a_fade(drawn):
    project, _ = drawn
    true = picture(project, "fade_true")
    assert difference(picture(project, "fade"), true) <= SAME["float32"]
    assert difference(picture(project, "fade_without"), true) > OTHER


# -------------------------------------------------------------------------------------------------
# Shadows and bounds


def add_shadows(jobs):
    subject, pose = SUBJECTS["float_wrapped"], Pose("fall", 9)
    jobs.add("shadow", player(subject, pose), **SHADOW)
    jobs.add("shadow_true", jobs.truth(subject, pose), **SHADOW)
    resting = jobs.truth(subject, Pose("fall", 0), cast=3)
    jobs.add("shadow_of_the_rest_pose", jobs.truth(subject, pose, cast=0), resting, **SHADOW)


def test_shadows_move_with_the_mesh(drawn):
    project, _ = drawn
    true = picture(project, "shadow_true")
    assert difference(picture(project, "shadow"), true) <= SAME["float32"]
    assert difference(picture(project, "shadow_of_the_rest_pose"), true) > OTHER


def add_bounds(jobs):
    subject, pose = SUBJECTS["float_wrapped"], Pose("fall", 12)
    rest = moving.gltf_axes(subject.moving.motion.rest)
    far = ORIGIN + moving.gltf_axes(subject.slots_at(pose.clip, pose.x)[0])
    # Level, around the lowest vertex: nothing is seen of where the mesh rests.
    view = {"from": [0, 0, 20], "target": far[far[:, 1].argmin()].tolist(), "size": 1.2}
    jobs.add("bounds", player(subject, pose), **view)
    jobs.add("bounds_true", jobs.truth(subject, pose), **view)
    small = [rest.min(axis=0).tolist(), rest.max(axis=0).tolist()]
    jobs.add("bounds_of_the_rest_pose", player(subject, pose, bounds=small), **view)


def test_it_is_not_culled_where_it_goes(drawn):
    project, _ = drawn
    true = picture(project, "bounds_true")
    assert difference(picture(project, "bounds"), true) <= SAME["float32"]
    culled = picture(project, "bounds_of_the_rest_pose")
    assert (culled == culled[0, 0]).all(), "the control sees nothing of the matter"


# -------------------------------------------------------------------------------------------------
# Crowds


def add_crowds(jobs):
    for name in ("float_wrapped", "half_wrapped"):
        subject = SUBJECTS[name]
        thing = {"scene": subject.resource, "crowd": CROWD}
        for label, seconds in (("now", 0.37), ("after_ten_hours", LONG)):
            steps = round(seconds / STEP)
            actions = [["advance_many", steps, STEP]]
            jobs.add(f"{name}_crowd_{label}", {**thing, "actions": actions}, size=9)
            shown = [
                Shown(*subject.slots_at(one["clip"], x), np.add(one["place"], 0.0))
                for one, x in zip(CROWD, crowd_frames(subject, steps * STEP), strict=True)
            ]
            true = jobs.soup(subject, f"{name}_crowd_{label}", *shown)
            jobs.add(f"{name}_crowd_{label}_true", true, size=9)
    many = [
        {
            "place": [2.6 * (index % 40) - 51, 0, 2.6 * (index // 40) - 32],
            "clip": ["wave", "fall"][index % 2],
            "start": -0.01 * index,
            "speed": 0.5 + index % 17 / 10,
        }
        for index in range(1000)
    ]
    thing = {"scene": SUBJECTS["float_wrapped"].resource, "crowd": many}
    actions = [["advance", 3.0]]
    view = {"size": 110, "from": [80, 120, 80], "far": 400, "ground": -3.0, "shadow": True}
    jobs.add("thousand", {**thing, "actions": actions}, **view)
    one = {**thing, "crowd": many[:1], "actions": actions}
    jobs.add("thousand_but_one", one, **view)


def crowd_frames(subject, seconds):
    """Frame numbers by exact arithmetic; speeds as the kit says that it rounds them."""
    clips = {clip.name: clip for clip in subject.moving.motion.clips}
    for one in CROWD:
        clip = clips[one["clip"]]
        speed = Fraction(float(np.float16(one["speed"])))
        x = (Fraction(one["start"]) + Fraction(seconds) * speed) * clip.fps
        yield float(x % clip.frames if clip.loop else min(max(x, 0), clip.frames - 1))


def apart(subject, one, a, b):
    """Frames between two frame numbers; round the end of a loop, if that is shorter."""
    (clip,) = [clip for clip in subject.moving.motion.clips if clip.name == one["clip"]]
    away = abs(a - b)
    return min(away, clip.frames - away) if clip.loop else away


@pytest.mark.parametrize("label", ["now", "after_ten_hours"])
@pytest.mark.parametrize("name", ["float_wrapped", "half_wrapped"])
def test_a_crowd(drawn, name, label):
    project, counted = drawn
    steps = round({"now": 0.37, "after_ten_hours": LONG}[label] / STEP)
    found = counted[f"{name}_crowd_{label}"]["numbers"]
    for one, x, expected in zip(
        CROWD, found, crowd_frames(SUBJECTS[name], steps * STEP), strict=True
    ):
        assert apart(SUBJECTS[name], one, x, expected) < 1e-3, one
    true = picture(project, f"{name}_crowd_{label}_true")
    same = SAME[SUBJECTS[name].pixel]
    assert difference(picture(project, f"{name}_crowd_{label}"), true) <= same
    other = {"now": "after_ten_hours", "after_ten_hours": "now"}[label]
    assert difference(picture(project, f"{name}_crowd_{other}"), true) > OTHER


def test_a_thousand_take_as_many_draw_calls_as_one(drawn):
    _, counted = drawn
    many, one = (counted[name]["calls"] for name in ("thousand", "thousand_but_one"))
    assert many == one
    # Two materials and the ground; Compatibility counts the shadow pass with the visible one.
    assert many["visible"] + many["shadow"] == 6, many
