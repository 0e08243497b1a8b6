# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips: what `--clips` means, and which frames a clip stores."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from truevat.core.clip_text import exact_fps, exact_step, parse_clips
from truevat.core.clips import Clip, ClipSettings, Pick, Span, choose, frame_span, range_spans
from truevat.core.errors import BakeError
from truevat.core.frames import FrameRange
from truevat.core.seam import seam_error, world_points

FPS = Fraction(24)
WALK = Span("Walk", Fraction(1), Fraction(25), open_end=False)
RUN = Span("Run", Fraction(30), Fraction(47), loop=True, open_end=False)


def refused(message: str):
    return pytest.raises(BakeError, match=f"^{re.escape(message)}")


def clip(start, end, scene_fps=FPS, open_end=False, **options) -> Clip:
    span = Span("It", Fraction(start), Fraction(end), open_end=open_end)
    ((made, _),) = choose(ClipSettings("actions", **options), [span], Fraction(scene_fps))
    return made


# -------------------------------------------------------------------------------------------------
# As text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("scene", ClipSettings()),
        ("nla", ClipSettings("nla")),
        ("markers@loop", ClipSettings("markers", loop=True)),
        (
            " actions @ 29.97 @ once ",
            ClipSettings("actions", (), Fraction(30000, 1001), None, False),
        ),
        ("scene:Boom@60", ClipSettings("scene", (Pick("Boom", fps=Fraction(60)),))),
        (
            "actions@loop:Walk,Run=Sprint@12.5@once, Jump ",
            ClipSettings(
                "actions",
                (Pick("Walk"), Pick("Run", "Sprint", None, Fraction(25, 2), False), Pick("Jump")),
                loop=True,
            ),
        ),
        (
            r"""nla:"a,b=c@d","say \"x\"",'it\'s',a\,b\=c\@d\\,Rig|Walk:1,Bob's,".\n" """,
            ClipSettings(
                "nla",
                tuple(
                    map(
                        Pick,
                        ["a,b=c@d", 'say "x"', "it's", "a,b=c@d\\", "Rig|Walk:1", "Bob's", ".n"],
                    )
                ),
            ),
        ),
        (
            'Walk=1:24, Run = -3.5:50:.5@loop,scene=1:2@60,"nla:x"=7:9',
            ClipSettings(
                "ranges",
                (
                    Pick("Walk", frames=FrameRange(1, 24)),
                    Pick("Run", frames=FrameRange(-3.5, 50, 0.5), loop=True),
                    Pick("scene", frames=FrameRange(1, 2), fps=Fraction(60)),
                    Pick("nla:x", frames=FrameRange(7, 9)),
                ),
            ),
        ),
    ],
)
def test_text(text, expected):
    assert parse_clips(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no clip; write scene, actions, nla, markers, or ranges as Walk=1:24"),
        ("walk", "'walk' is no clip; write scene, actions, nla, markers, or ranges as Walk=1:24"),
        ("Walk=1:2,Run", "'Run' is no clip; write scene,"),
        ("Walk=1", "'1' is no frame range; write START:END"),
        ("Walk=5:1", "The frame range is empty: its end 1 is before its start 5"),
        ("Walk=1:2=3", "'Walk=1:2=3' is no clip; write its name, =VALUE, then options as @loop"),
        ("Walk@loop=1:2", "'Walk@loop=1:2' is no clip; write its name, =VALUE, then options"),
        ("Walk=1:2@fast", "'fast' is no number of frames per second; write one as 60,"),
        ("Walk=1:2@", "'' is no number of frames per second"),
        ("Walk=1:2@loop@once", "'Walk=1:2@loop@once' has options that contradict each other"),
        ("nla@30@60", "'nla@30@60' has options that contradict each other; leave one out"),
        ("nla@0", "0 frames per second cannot be baked; choose above 0 and up to 10,000"),
        ("Walk=1:2:3@60", "The clip 'Walk' has a step and frames per second; give one"),
        ("actions:", "A clip has no name; give it one"),
        ("actions:Walk,", "A clip has no name; give it one"),
        ('"  "=1:2', "A clip has no name; give it one"),
        ('"a\tb"=1:2', r"The clip's name 'a\tb' has characters that cannot be stored; rename it"),
        ("nla:\udc80", r"The clip's name '\udc80' has characters that cannot be stored"),
        ("nla:Walk=1:20", "'Walk=1:20': such a clip has a range already; leave '=1:20' out"),
        ("nla:Walk,Run=Walk", "2 clips are called 'Walk'; rename all but one"),
        ("Walk=1:2,Walk=3:4", "2 clips are called 'Walk'; rename all but one"),
        ('"Walk=1:2', "'\"Walk=1:2' cannot be read; check its quotes and backslashes"),
        ('nla:a,"b"c', "'\"b\"c' cannot be read; check its quotes and backslashes"),
        ("nla:a\\", "'a\\' cannot be read; check its quotes and backslashes"),
        ("scene:One,Two", "The scene's range is one clip; name several as Walk=1:24,Run=30:50"),
    ],
)
def test_text_that_is_wrong(text, message):
    with refused(message):
        parse_clips(text)


def test_what_holds_for_all_clips_gives_way_to_what_a_source_says():
    assert parse_clips("nla", fps=Fraction(60)).fps == 60
    assert parse_clips("nla", step=Fraction(2)).step == 2
    assert parse_clips("nla@30", fps=Fraction(60)).fps == 30
    dense = parse_clips("nla@30", step=Fraction(2))
    assert (dense.fps, dense.step) == (30, None)
    with refused("Frames per second and a step both say how densely to bake; give one"):
        parse_clips("nla", fps=Fraction(60), step=Fraction(2))


@pytest.mark.parametrize(
    ("value", "fps"),
    [
        ("60", 60),
        (24.0, 24),
        ("12.5", Fraction(25, 2)),
        ("24000/1001", Fraction(24000, 1001)),
        ("23.976", Fraction(24000, 1001)),
        ("23.98", Fraction(24000, 1001)),
        ("59.94", Fraction(60000, 1001)),
        (29.969999313354492, Fraction(30000, 1001)),  # as a float32 of Blender has it
        (Fraction(30), 30),
    ],
)
def test_exact_fps(value, fps):
    assert exact_fps(value) == fps


@pytest.mark.parametrize("value", ["0", "-24", "1e9", "nan", "inf", "x", "", "1/0", 1e-9, math.inf])
def test_fps_that_are_wrong(value):
    with pytest.raises(BakeError, match="frames per second"):
        exact_fps(value)


def test_exact_step():
    assert exact_step("0.1") == Fraction(1, 10)
    assert exact_step(0.1) == Fraction(1, 10)
    assert exact_step("1/3") == Fraction(1, 3)
    for value in ("0", "-1", "nan", "x", 1e-9):
        with refused(f"The step '{value}' is no number above 0; write one as 1, 2 or 0.5"):
            exact_step(value)


# -------------------------------------------------------------------------------------------------
# Settings


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"kind": "strips"},
            "Clips from 'strips'? Choose one of scene, actions, nla, markers, ranges",
        ),
        ({"kind": "ranges"}, "Name at least one clip and its range, as Walk=1:24"),
        (
            {"kind": "ranges", "picks": (Pick("Walk"),)},
            "The clip 'Walk' needs a range of frames, as Walk=1:24",
        ),
        (
            {"kind": "actions", "picks": (Pick("Walk", frames=FrameRange(1, 2)),)},
            "The clip 'Walk' has a range of frames; actions have ranges of their own",
        ),
    ],
)
def test_settings_that_are_wrong(options, message):
    with refused(message):
        ClipSettings(**options)


def test_a_range_of_the_whole_bake_is_for_the_scene_s_clip_only():
    ClipSettings("nla").check_frames(None)
    ClipSettings(fps=Fraction(60)).check_frames(FrameRange(1, 20))
    ClipSettings().check_frames(FrameRange(1, 20, 2))
    with refused("A frame range is for the scene's clip only; clips from nla have their own"):
        ClipSettings("nla").check_frames(FrameRange(1, 20))
    for dense in ({"fps": Fraction(60)}, {"step": Fraction(1, 2)}):
        with refused("The frame range has a step; leave it, or the other step or fps, out"):
            ClipSettings(**dense).check_frames(FrameRange(1, 20, 2))


# -------------------------------------------------------------------------------------------------
# Frames


@pytest.mark.parametrize("values", [(1, 120), (1, 24, 3), (-2.5, 3, 0.25), (0, 0.3, 0.1), (7, 7)])
def test_a_range_has_the_frames_of_a_bake_without_clips(values):
    frames = FrameRange(*values)
    settings = ClipSettings("ranges", (Pick("It", frames=frames),))
    ((made, _),) = choose(settings, range_spans(settings), FPS)
    assert made.times == frames.times()
    assert made.end == frames.times()[-1]
    assert made.fps == FPS / Fraction(frames.step).limit_denominator(1000)
    assert (made.loop, made.probes, made.warning) == (False, [], None)


def test_resampling_is_exact():
    made = clip(1, 25, fps=Fraction(60))
    assert made.times == [1 + Fraction(2, 5) * k for k in range(61)]
    assert made.times[-1] == 25
    assert made.fps == 60
    ntsc = clip(0, 1000, scene_fps=Fraction(30000, 1001), fps=Fraction(24000, 1001))
    assert ntsc.times == [Fraction(5, 4) * k for k in range(801)]
    assert ntsc.fps == Fraction(24000, 1001)


def test_resampling_ends_with_the_last_pose_where_its_frames_would_miss_it():
    made = clip(1, 24, fps=Fraction(60))
    assert made.times == [*(1 + Fraction(2, 5) * k for k in range(58)), Fraction(24)]
    assert made.end == 24
    assert clip(1, 24, step=Fraction(3)).times == [Fraction(1 + 3 * k) for k in range(8)]
    assert clip(1, 24, step=Fraction(3)).end == 22


def test_ends_that_floats_miss_are_met():
    """As where a strip is scaled by 1.1."""
    for end in (Fraction(22.999998), Fraction(23.000002)):
        made = clip(1, end)
        assert made.count == 23
        assert made.times[-1] == min(end, 23)
        looped = clip(1, end, loop=True)
        assert looped.times == [Fraction(frame) for frame in range(1, 23)]
        assert looped.fps == 24


def test_a_loop_drops_its_last_frame_and_keeps_its_length():
    made = clip(1, 25, loop=True)
    assert made.times == [Fraction(frame) for frame in range(1, 25)]
    assert (made.end, made.probes, made.fps, made.warning) == (25, [25], 24, None)
    dense = clip(1, 24, loop=True, fps=Fraction(60))  # 57.5 frames
    assert dense.times == [1 + Fraction(23, 58) * k for k in range(58)]
    assert dense.count / dense.fps == Fraction(23, 24)
    assert dense.warning == (
        "The loop 'It' was baked at 60.5217 frames per second instead of 60, so that 58 frames "
        "fill its 23"
    )
    assert clip(1, 3, loop=True, step=Fraction(50)).times == [1]


@pytest.mark.parametrize("scene_fps", [24, 25, Fraction(30000, 1001), 60])
@pytest.mark.parametrize("fps", [None, 12, 30, 60, Fraction(60000, 1001), 144])
@pytest.mark.parametrize("length", [1, 2, 23, Fraction(13.7), Fraction(1, 3), 1000])
def test_a_loop_of_any_length_is_seamless(scene_fps, fps, length):
    made = clip(-3, -3 + length, scene_fps=scene_fps, loop=True, fps=fps and Fraction(fps))
    assert abs(made.times[-1] + made.step - made.end) <= made.step / 10_000
    assert abs(made.count / made.fps - length / Fraction(scene_fps)) < 1e-6
    asked = fps or scene_fps
    assert made.count == max(round(length / Fraction(scene_fps) * asked), 1)
    for word in (made.fps.numerator, made.fps.denominator):
        assert 0 < word < 1 << 32


@pytest.mark.parametrize(
    ("errors", "end", "error"),
    [
        ([0.0, 0.2], 25, 0.0),  # 25 repeats 1
        ([0.2, 0.0], 26, 0.0),  # 26 would
        ([0.2, 1e-6], 26, 1e-6),
        ([0.2, 0.1], 25, 0.2),  # nothing does
        ([math.inf, math.inf], 25, math.inf),
        ([math.nan, math.nan], 25, math.nan),
    ],
)
def test_a_range_may_end_before_its_first_pose_comes_again(errors, end, error):
    made = clip(1, 25, loop=True, open_end=True)
    assert made.probes == [25, 26]
    settled, seam = made.settled(errors)
    assert settled.times == [Fraction(frame) for frame in range(1, end)]
    assert settled.end == end
    assert settled.probes == [end]
    assert seam == error or math.isnan(seam) and math.isnan(error)
    assert settled.settled([seam])[0] == settled


def test_a_loop_whose_end_moves_is_divided_anew():
    made = clip(1, 24, loop=True, open_end=True, fps=Fraction(60))
    settled, _ = made.settled([0.1, 0.0])
    assert settled.times == [1 + Fraction(2, 5) * k for k in range(60)]
    assert (settled.fps, settled.warning) == (60, None)


# -------------------------------------------------------------------------------------------------
# Seams


def part(group: int, points, matrix=None) -> tuple:
    return group, np.float32(points), None, 0, np.float32(np.eye(4) if matrix is None else matrix)


def test_a_seam_s_error_is_the_farthest_way_of_a_point():
    corners = [(0, 0, 0), (1, 2, 3)]
    moved = np.eye(4)
    moved[:3, :3] *= 2
    moved[:3, 3] = (0, 0, -1)
    first = world_points([part(0, corners), part(1, [(1, 0, 0)]), part(2, np.empty((0, 3)))])
    assert seam_error(first, first) == 0
    last = world_points([part(0, corners, moved), part(1, [(1, 0, 0)]), part(2, np.empty((0, 3)))])
    assert seam_error(first, last) == math.sqrt(1 + 4 + 4)
    assert seam_error([], []) == 0


def test_a_seam_between_meshes_of_other_counts_is_infinite():
    first = world_points([part(0, [(0, 0, 0)])])
    for other in ([], [part(0, [(0, 0, 0)] * 2)], [part(1, [(0, 0, 0)])]):
        assert seam_error(first, world_points(other)) == math.inf


def test_points_of_a_frame_are_kept_though_its_buffers_are_not():
    points = np.float32([(1, 2, 3)])
    kept = world_points([part(0, points)])
    points[:] = 0
    assert kept[0][1].tolist() == [[1, 2, 3]]


# -------------------------------------------------------------------------------------------------
# Choice


def names_of(settings: ClipSettings) -> list[str]:
    return [made.name for made, _ in choose(settings, [WALK, RUN], FPS)]


def test_all_or_chosen_clips_in_the_order_asked_for():
    assert names_of(ClipSettings("actions")) == ["Walk", "Run"]
    chosen = parse_clips("actions:Run=Sprint,Walk@60@loop,Run")
    made = choose(chosen, [WALK, RUN], FPS)
    assert [(each.name, span, each.loop, each.fps) for each, span in made] == [
        ("Sprint", RUN, True, 24),
        ("Walk", WALK, True, 60),
        ("Run", RUN, True, 24),
    ]


def test_the_nearest_word_on_loops_and_rates_counts():
    for text, loops in (
        ("nla", [False, True]),
        ("nla@loop", [True, True]),
        ("nla@once", [False, False]),
        ("nla@once:Walk,Run@loop", [False, True]),
    ):
        assert [each.loop for each, _ in choose(parse_clips(text), [WALK, RUN], FPS)] == loops
    both = [frame_span("A", FrameRange(1, 9, 2)), frame_span("B", FrameRange(1, 9))]
    settings = parse_clips("A=1:9:2,B=1:9", fps=Fraction(48))
    assert [each.fps for each, _ in choose(settings, both, FPS)] == [12, 48]
    settings = parse_clips("A=1:9:2,B=1:9,C=1:9@6", step=Fraction(4))
    made = choose(settings, range_spans(settings), FPS)
    assert [each.step for each, _ in made] == [2, 4, 4]


def test_the_scene_s_clip_may_be_named():
    ((made, _),) = choose(
        parse_clips("scene:Boom@loop"), [Span("Scene", WALK.start, WALK.end)], FPS
    )
    assert (made.name, made.loop) == ("Boom", True)


@pytest.mark.parametrize(
    ("settings", "spans", "message"),
    [
        (
            parse_clips("actions:Fly"),
            [WALK, RUN],
            "There is no action 'Fly' to bake; there are: 'Run', 'Walk'",
        ),
        (parse_clips("markers:Fly"), [], "There is no marker 'Fly' to bake; there are: none"),
        (
            parse_clips("nla:Walk"),
            [WALK, WALK],
            "Several clips would be made of the NLA strip 'Walk'; rename one",
        ),
        (ClipSettings("nla"), [WALK, RUN, WALK], "2 clips are called 'Walk'; rename all but one"),
        (ClipSettings("nla"), [Span(" ", WALK.start, WALK.end)], "A clip has no name; give it one"),
        (
            ClipSettings("markers"),
            [Span("A", Fraction(9), Fraction(8))],
            "The clip 'A' is empty: its end 8 is before its start 9",
        ),
        (
            ClipSettings("nla", loop=True),
            [Span("A", Fraction(9), Fraction(9))],
            "The clip 'A' has one frame only, so that it cannot loop",
        ),
        (
            ClipSettings("nla", step=Fraction(1, 100_000)),
            [WALK],
            "The clip 'Walk' would have 2,400,001 frames; a bake holds at most 1,000,000",
        ),
        (
            ClipSettings("nla", step=Fraction(1, 40_000)),
            [WALK, RUN],
            "The clips have 1,640,001 frames together; a bake holds at most 1,000,000",
        ),
    ],
)
def test_clips_that_cannot_be(settings, spans, message):
    with refused(message):
        choose(settings, spans, FPS)
