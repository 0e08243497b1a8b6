# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated files that others made: Debian's assimp-testmodels, read by Blender's importers."""

from __future__ import annotations

from pathlib import Path

import bpy

# isort: split
import addon_utils  # which can be found once bpy is there
import pytest

import scenes
from evaluated import check

MODELS = Path("/usr/share/assimp/models")
# What Blender's own importers have to say about NumPy, and the files they leave open.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:.*FileIO:pytest.PytestUnraisableExceptionWarning"),
]

IMPORTERS = {
    ".fbx": ("io_scene_fbx", "import_scene", "fbx"),
    ".gltf": ("io_scene_gltf2", "import_scene", "gltf"),
    ".glb": ("io_scene_gltf2", "import_scene", "gltf"),
    ".bvh": ("io_anim_bvh", "import_anim", "bvh"),
}


def imported(path: Path) -> list[str]:
    """The visible mesh objects of a file, in the order of their names."""
    module, group, name = IMPORTERS[path.suffix.lower()]
    was_enabled = addon_utils.check(module)[1]
    addon_utils.enable(module, default_set=True)
    try:
        getattr(getattr(bpy.ops, group), name)(filepath=str(path))
    finally:
        if not was_enabled:
            addon_utils.disable(module, default_set=True)
    bpy.context.view_layer.update()
    visible = bpy.context.visible_objects
    return sorted(obj.name for obj in visible if obj.type == "MESH")


def action_range() -> tuple[int, int]:
    starts_ends = [action.frame_range for action in bpy.data.actions]
    return int(min(r[0] for r in starts_ends)), int(max(r[1] for r in starts_ends))


@pytest.mark.parametrize(
    "file",
    [
        "FBX/animation_with_skeleton.fbx",
        "FBX/huesitos.fbx",
        "glTF2/simple_skin/simple_skin.gltf",
        "glTF2/glTF-Sample-Models/AnimatedMorphCube-glTF/AnimatedMorphCube.gltf",
    ],
)
def test_an_animated_file(tmp_path, file):
    names = imported(MODELS / file)
    assert names
    first, last = action_range()
    step = max((last - first) // 5, 1)
    check(tmp_path, names, (first, last, step), max_size=2048)


@pytest.mark.parametrize("file", ["BVH/01_01.bvh", "BVH/Boxing_Toes.bvh"])
def test_captured_motion_moves_a_mesh(tmp_path, file):
    assert imported(MODELS / file) == []
    (rig,) = (obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE")
    names = []
    for i, bone in enumerate(rig.data.bones):
        names.append(scenes.cube(f"Part {i:03}").name)
        part = bpy.data.objects[names[-1]]
        part.parent, part.parent_type, part.parent_bone = rig, "BONE", bone.name
        part.scale = (0.3, bone.length or 0.1, 0.3)
    first, last = action_range()
    check(tmp_path, names, (first, last, max((last - first) // 10, 1)))


@pytest.mark.parametrize(
    "file",
    [
        "FBX/spider.fbx",
        "FBX/global_settings.fbx",
        "glTF2/BoxBadNormals-glTF-Binary/BoxBadNormals.glb",
    ],
)
def test_a_file_that_stands_still(tmp_path, file):
    names = imported(MODELS / file)
    assert names
    check(tmp_path, names, (1, 2), still=True, max_size=4096)
