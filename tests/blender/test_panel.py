# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel's settings, its estimate and its operator, without a window."""

from __future__ import annotations

from types import FunctionType, SimpleNamespace

import bpy
import pytest
import truevat
from truevat import ui
from truevat.blender.estimate import estimate
from truevat.core.engines import ENGINES
from truevat.core.errors import BakeError
from truevat.core.profiles import PROFILES
from truevat.core.settings import (
    ADDRESSES,
    DEDUPS,
    MESHES,
    NORMAL_TEXTURES,
    NORMALS,
    PIXELS,
    ROWS,
    BakeSettings,
)
from truevat.ui import panel as panel_module
from truevat.ui.conversion import bake_settings
from truevat.ui.operators import TRUEVAT_OT_bake
from truevat.ui.state import state

import scenes


@pytest.fixture(autouse=True)
def panel(empty_blender):
    ui.register()
    yield bpy.context.scene.truevat
    ui.unregister()
    state.clear_result()


@pytest.fixture
def sheet():
    bpy.context.scene.frame_end = 5
    obj = scenes.wave(scenes.grid("Sheet", cells=8))
    obj.select_set(True)
    return obj


def choices(panel, name: str) -> list[str]:
    return [item.identifier for item in panel.bl_rna.properties[name].enum_items]


def test_choices_are_those_of_the_command(panel):
    assert choices(panel, "address") == list(ADDRESSES)
    assert choices(panel, "normals") == list(NORMALS)
    assert choices(panel, "dedup") == list(DEDUPS)
    assert choices(panel, "mesh") == list(MESHES)
    assert choices(panel, "profile") == list(PROFILES)
    assert {*PIXELS} == {*choices(panel, "pixel")}
    assert {*ROWS} == {*choices(panel, "rows")}
    assert {*NORMAL_TEXTURES, "layout"} == {*choices(panel, "normal_texture")}


def test_every_engine_can_be_left_out(panel, tmp_path):
    panel.output = str(tmp_path)
    for engine in ENGINES:
        setattr(panel, f"engine_{engine}", False)
        assert engine not in bake_settings(bpy.context).engines
    assert bake_settings(bpy.context).engines == ()


def test_options_reach_the_settings(panel, tmp_path):
    panel.output = str(tmp_path)
    panel.pixel, panel.tolerance, panel.rows = "half", 2.5, "single"
    panel.normal_texture, panel.join = "none", "each"
    expected = {"pixel": "half", "tolerance": 2.5, "rows": "single", "normal_texture": "none"}
    expected |= {"join": False, "output": str(tmp_path)}
    assert bake_settings(bpy.context) == BakeSettings(**expected)


def test_what_a_layout_cannot_have_is_left_to_it(panel, tmp_path):
    """The panel hides such a choice, and keeps it for the other layouts."""
    panel.output = str(tmp_path)
    panel.pixel, panel.rows, panel.normal_texture = "half", "single", "none"
    panel.profile = "nekovat"
    assert bake_settings(bpy.context) == BakeSettings(output=str(tmp_path), profile="nekovat")


def test_what_the_panel_shows_is_not_left_out(panel):
    panel.pixel = "png16"
    with pytest.raises(BakeError, match="TrueVAT layout has no pixel 'png16'"):
        bake_settings(bpy.context)
    panel.profile = "openvat"
    assert bake_settings(bpy.context).pixel == "png16"


@pytest.mark.parametrize("profile", PROFILES)
def test_the_defaults_suit_every_layout(panel, profile):
    panel.profile = profile
    expected = BakeSettings(output=panel.output, profile=profile)
    assert bake_settings(bpy.context) == expected


def test_the_report_of_a_bake_says_why_it_has_these_pixels(sheet, panel, tmp_path):
    panel.output, panel.mesh = str(tmp_path), "none"
    bpy.ops.truevat.bake()
    (note,) = state.report.notes
    assert note.startswith("The texture has ") and " mm" in note
    assert ("INFO", note) in drawn_result(250)


def drawn_result(letters):
    """(icon, text) of the labels that the panel shows after a bake; a text's lines joined."""
    labels = []

    def label(text, icon="NONE"):
        if icon == "BLANK1":
            before, start = labels.pop()
            text, icon = f"{start} {text}", before
        labels.append((icon, text))

    layout = SimpleNamespace(label=label, operator=lambda *_, **__: SimpleNamespace())
    layout.box = layout.column = lambda **_: layout
    region = SimpleNamespace(width=70 + 6 * letters)
    preferences = SimpleNamespace(system=SimpleNamespace(ui_scale=1))
    panel_module._draw_result(layout, SimpleNamespace(region=region, preferences=preferences))
    return labels


def test_defaults_are_those_of_the_command(panel, tmp_path):
    panel.output = str(tmp_path)
    assert bake_settings(bpy.context) == BakeSettings(output=str(tmp_path))


def test_every_property_has_a_tooltip_in_blenders_manner(panel):
    own = [prop for prop in panel.bl_rna.properties if prop.identifier not in {"rna_type", "name"}]
    texts = [prop.description for prop in own]
    texts += [item.description for prop in own for item in getattr(prop, "enum_items", ())]
    assert all(text and not text.endswith(".") for text in texts)


@pytest.mark.parametrize("addresses", [("uv", "none"), ("uv", "trajectory"), ("vertex-id", "none")])
def test_the_estimate_is_what_a_bake_needs(sheet, tmp_path, addresses):
    address, dedup = addresses
    sheet.data.shade_flat()
    settings = BakeSettings(output=tmp_path, address=address, dedup=dedup, mesh="none")
    expected = estimate(bpy.context, settings)
    report = truevat.bake(tmp_path, address=address, dedup=dedup, mesh="none")
    assert expected.slots == report.slots
    assert (expected.width, expected.height) == report.layout[:2]
    assert ("up to" in expected.text) == (dedup != "none")


def test_the_estimate_leaves_the_frame_alone(sheet, tmp_path):
    bpy.context.scene.frame_set(3, subframe=0.5)
    calls = []
    bpy.app.handlers.frame_change_pre.append(calls.append)
    estimate(bpy.context, BakeSettings(output=tmp_path))
    bpy.app.handlers.frame_change_pre.remove(calls.append)
    assert not calls


def test_an_estimate_that_does_not_fit(sheet, tmp_path):
    bpy.context.scene.frame_end = 4000
    settings = {"output": tmp_path, "max_size": 256}
    with pytest.raises(BakeError, match="^Unless texels can be shared: .* do not fit"):
        estimate(bpy.context, BakeSettings(**settings))
    with pytest.raises(BakeError, match="^[0-9,]+ samples .* do not fit"):
        estimate(bpy.context, BakeSettings(**settings, dedup="none"))


def test_a_script_bakes_at_once(sheet, panel, tmp_path):
    panel.output = str(tmp_path)
    panel.file_name = "Waves"
    panel.mesh = "none"
    assert bpy.ops.truevat.bake() == {"FINISHED"}
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "Waves.truevat.exr",
        "Waves.truevat.exr.import",
        "Waves.truevat.exr.meta",
        "Waves.truevat.json",
    ]
    assert state.report.frames == 5
    assert not state.running


def nothing_selected(panel):
    bpy.data.objects["Sheet"].select_set(False)


def no_collection(panel):
    panel.source = "collection"


def never_saved(panel):
    panel.output = "//vat/"


def no_folder(panel):
    panel.output = " "


def empty_range(panel):
    panel.frames = "custom"
    panel.frame_start, panel.frame_end = 10, 5


def bad_name(panel):
    panel.file_name = "a/b"


def edit_mode(panel):
    bpy.context.view_layer.objects.active = bpy.data.objects["Sheet"]
    bpy.ops.object.mode_set(mode="EDIT")


def running(panel):
    state.running = True


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (nothing_selected, "Select the objects to bake"),
        (no_collection, "Choose the collection to bake"),
        (never_saved, "relative to the .blend, which is not saved yet"),
        (no_folder, "Choose an output folder"),
        (empty_range, "The frame range is empty"),
        (bad_name, "'a/b' cannot be a file name"),
        (edit_mode, "Leave Edit Mode first"),
        (running, "A bake is running"),
    ],
)
def test_why_the_button_is_grey(sheet, panel, tmp_path, spoil, message):
    panel.output = str(tmp_path)
    assert bpy.ops.truevat.bake.poll()
    spoil(panel)
    try:
        assert not bpy.ops.truevat.bake.poll()
        with pytest.raises(RuntimeError, match=message):
            bpy.ops.truevat.bake()
    finally:
        state.running = False


def test_a_failing_bake_says_why_and_can_be_repeated(sheet, panel, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    panel.output = str(tmp_path / "file")
    with pytest.raises(RuntimeError, match="not a folder"):
        bpy.ops.truevat.bake()
    assert "not a folder" in state.error
    assert bpy.ops.truevat.bake.poll()


def test_a_surprise_does_not_leave_the_button_grey(sheet, panel, tmp_path, monkeypatch):
    def steps(context, settings):
        yield from ()
        raise ZeroDivisionError

    panel.output = str(tmp_path)
    monkeypatch.setattr("truevat.blender.bake.steps", steps)
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        bpy.ops.truevat.bake()
    assert not state.running


def test_without_a_window_a_click_ends_cleanly(sheet, panel, tmp_path, monkeypatch):
    timers = []

    def refuse(_operator):
        raise RuntimeError("No active window in context!")

    manager = SimpleNamespace(
        event_timer_add=lambda _seconds, window: timers.append("timer") or timers[-1],
        event_timer_remove=timers.remove,
        modal_handler_add=refuse,
    )
    context = SimpleNamespace(
        scene=bpy.context.scene,
        preferences=bpy.context.preferences,
        window_manager=manager,
        window=None,
        workspace=None,
    )
    methods = {k: v for k, v in vars(TRUEVAT_OT_bake).items() if isinstance(v, FunctionType)}
    operator = type("Operator", (), methods)()
    window = SimpleNamespace(app=SimpleNamespace(background=False))
    monkeypatch.setattr("truevat.ui.operators.bpy", window)
    panel.output = str(tmp_path)
    with pytest.raises(RuntimeError, match="No active window"):
        operator.invoke(context, None)
    assert not state.running and not timers
    manager.modal_handler_add = lambda _operator: False
    assert operator.invoke(context, None) == {"CANCELLED"}
    assert not state.running and not timers
    manager.modal_handler_add = lambda _operator: True
    assert operator.invoke(context, None) == {"RUNNING_MODAL"}
    assert state.running and timers
    operator.cancel(context)
    assert not state.running and not timers
    assert not list(tmp_path.iterdir())


def test_a_folder_beside_the_file(sheet, panel, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    panel.output = "//vat/"
    assert bake_settings(bpy.context).output == "//vat/"
    assert bpy.ops.truevat.bake() == {"FINISHED"}
    assert state.report.directory == tmp_path / "vat"


def test_register_and_unregister_leave_nothing(panel):
    def handlers():
        kinds = ("depsgraph_update_post", "undo_post", "redo_post", "load_post")
        return [len(getattr(bpy.app.handlers, kind)) for kind in kinds]

    before = handlers()
    ui.unregister()
    assert not hasattr(bpy.types.Scene, "truevat")
    assert [count - 1 for count in before] == handlers()
    ui.register()
    assert handlers() == before
