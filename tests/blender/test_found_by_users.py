# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What went wrong for people who tried it."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
import truevat
from truevat.core.errors import BakeError

import scenes
from decoding import Texture
from evaluated import bake_it, settings


def animate(obj, path, *keys):
    for frame, value in keys:
        setattr(obj, path, value)
        obj.keyframe_insert(path, frame=frame)


def test_frames_in_which_an_object_is_disabled_are_not_baked_as_the_last_one(tmp_path):
    cube = scenes.cube()
    animate(cube, "location", (1, (0, 0, 0)), (5, (10, 0, 0)))
    animate(cube, "hide_viewport", (1, False), (3, True))
    bpy.context.scene.frame_set(1)
    with pytest.raises(BakeError, match="'Cube' is disabled in viewports at frame 3"):
        bake_it(tmp_path, ["Cube"], (1, 5))
    report = bake_it(tmp_path, ["Cube"], (1, 5), address="vertex-id")
    texture = Texture(report.files["texture"])
    corners = [texture.by_id(36, frame)[0] for frame in range(5)]
    assert np.ptp(corners[1], axis=0).min() > 1
    assert not np.ptp(corners[3], axis=0).any()


def test_a_linked_object_with_the_same_name_is_another_one(tmp_path):
    scenes.cube().name = "LA"
    library = tmp_path / "library.blend"
    bpy.data.libraries.write(str(library), {bpy.data.objects["LA"]})
    with bpy.data.libraries.load(str(library), link=True) as (_, data):
        data.objects = ["LA"]
    linked = data.objects[0]
    bpy.context.scene.collection.objects.link(linked)
    local = bpy.data.objects["LA", None]
    local.data = bpy.data.meshes.new("one triangle")
    local.data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])

    def samples(obj):
        return truevat.bake(tmp_path, objects=[obj], frames="1:2", mesh="none").samples

    def both(**options):
        return truevat.bake(tmp_path, objects=[local, linked], frames="1:2", **options)

    assert (samples(local), samples(linked)) == (3, 24)
    with pytest.raises(BakeError, match="Two playback objects would be 'LA_VAT'"):
        both(join=False)
    assert both(join=True).samples == 27


@pytest.mark.parametrize("mapping", [(100, 200), (200, 100), (100, 100)])
@pytest.mark.parametrize("frame", [(3, 0.25), (-1, 0.25), (7, 0.0)])
def test_the_frame_comes_back_under_time_remapping(tmp_path, mapping, frame):
    scene = bpy.context.scene
    scenes.cube()
    scene.render.frame_map_old, scene.render.frame_map_new = mapping
    scene.frame_set(frame[0], subframe=frame[1])
    before = scene.frame_current, scene.frame_subframe, scene.frame_current_final
    bake_it(tmp_path, ["Cube"], (1, 3))
    assert (scene.frame_current, scene.frame_subframe, scene.frame_current_final) == before


@pytest.mark.parametrize("kind", ["fbx", "glb"])
def test_the_mesh_file_carries_the_bake_id(tmp_path, kind):
    scenes.cube()
    report = bake_it(tmp_path, ["Cube"], (1, 2), mesh=kind)
    content = report.files["mesh"].read_bytes()
    assert b"truevat_bake" in content
    assert report.bake_id.encode() in content


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"frames": 5}, "frames is 5"),
        ({"frames": ("1", "b")}, "frames is"),
        ({"max_size": "4096"}, "max_size is '4096'"),
        ({"max_size": 64.0}, "max_size is 64.0"),
        ({"output": None}, "Choose an output folder"),
        ({"output": "/proc/truevat"}, "/proc/truevat cannot be made; choose another"),
        ({"objects": [3]}, "3 is neither"),
        ({"objects": None, "collection": 3}, "3 is neither"),
    ],
)
def test_wrong_arguments_are_bake_errors(tmp_path, options, message):
    scenes.cube()
    with pytest.raises(BakeError, match=message):
        truevat.bake(**{"output": tmp_path, "objects": ["Cube"], **options})


def test_a_playback_object_cannot_be_baked(tmp_path):
    scenes.cube()
    bake_it(tmp_path, ["Cube"], (1, 2))
    with pytest.raises(BakeError, match="'Cube_VAT' is the playback object of an earlier bake"):
        bake_it(tmp_path, ["Cube_VAT"], (1, 2))


def test_an_object_of_another_scene_says_which(tmp_path):
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(bpy.data.objects.new("Far", bpy.data.meshes.new("Far")))
    with pytest.raises(BakeError, match="'Far' is in the scene 'Other', not in 'Scene'; make"):
        bake_it(tmp_path, ["Far"], (1, 2))


def test_settings_say_what_the_folder_is(tmp_path):
    assert settings(tmp_path, ["Cube"], (1, 2)).output == Path(tmp_path)


def test_a_folder_for_temporary_files_that_is_missing_is_refused_at_once(tmp_path):
    scenes.cube()
    with pytest.raises(BakeError, match="/nope for temporary files does not exist"):
        bake_it(tmp_path, ["Cube"], (1, 2), scratch=Path("/nope"))
