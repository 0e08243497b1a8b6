# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Collection instances, instancing on faces and vertices, and particles."""

from __future__ import annotations

import bpy
import pytest

import scenes
from evaluated import bake_it, check


def test_a_collection_instance(tmp_path):
    parts = scenes.collection("Parts")
    scenes.wave(scenes.grid("A", 2, collection=parts))
    scenes.moving(scenes.cube("B", collection=parts))
    scenes.moving(scenes.instance_of("Show", parts))
    frames = check(tmp_path, ["Show"])
    assert len(frames[0].faces["Show"]) == 4 + 6


def test_nested_collection_instances_with_text(tmp_path):
    inner = scenes.collection("Inner")
    scenes.moving(scenes.cube("A", collection=inner))
    words = scenes.text(collection=inner)
    outer = scenes.collection("Outer")
    scenes.wave(scenes.grid("B", 2, collection=outer))
    for i in range(2):
        scenes.instance_of(f"Inner {i}", inner, outer).location = (3 * i, 0, 1)
    scenes.instance_of("Show", outer).scale = (-1, 0.5, 2)
    frames = check(tmp_path, ["Show"])
    depsgraph = bpy.context.evaluated_depsgraph_get()
    letters = len(words.evaluated_get(depsgraph).to_mesh().polygons)
    assert letters
    assert len(frames[0].faces["Show"]) == 4 + 2 * (6 + letters)


def test_an_instanced_collection_that_is_in_the_scene_too(tmp_path):
    parts = scenes.collection("Parts", bpy.context.scene.collection)
    scenes.moving(scenes.cube("A", collection=parts))
    scenes.instance_of("Show", parts).location.x = 5
    frames = check(tmp_path, ["A", "Show"])
    assert [len(frames[0].faces[name]) for name in ("A", "Show")] == [6, 6]


def test_two_instances_of_one_collection_are_two_objects(tmp_path):
    parts = scenes.collection("Parts")
    scenes.moving(scenes.cube("A", collection=parts))
    for name in ("One", "Two"):
        scenes.moving(scenes.instance_of(name, parts))
    check(tmp_path, ["One", "Two"])


@pytest.mark.parametrize("on", ["VERTS", "FACES"])
@pytest.mark.parametrize("show_self", [False, True])
def test_children_instanced_on_vertices_and_faces(tmp_path, on, show_self):
    parent = scenes.moving(scenes.grid("Parent", 2))
    child = scenes.wave(scenes.grid("Child", 1))
    child.parent = parent
    parent.instance_type = on
    parent.show_instancer_for_viewport = show_self
    frames = check(tmp_path, ["Parent"])
    copies = 9 if on == "VERTS" else 4
    assert len(frames[0].faces["Parent"]) == copies + 4 * show_self


def particles(kind: str, count: int = 12) -> bpy.types.ParticleSettings:
    leaf = scenes.wave(scenes.grid("Leaf", 2))
    ground = scenes.grid("Ground", 2)
    modifier = ground.modifiers.new("Particles", "PARTICLE_SYSTEM")
    settings = modifier.particle_system.settings
    settings.type = kind
    settings.count = count
    settings.render_type = "OBJECT"
    settings.instance_object = leaf
    settings.particle_size = 0.3
    settings.use_rotations = True
    settings.rotation_mode = "GLOB_Y"
    settings.phase_factor_random = 1.0
    settings.frame_start, settings.frame_end, settings.lifetime = -20, 0, 100
    return settings


def hair():
    particles("HAIR").use_rotation_instance = True
    scenes.moving(bpy.data.objects["Ground"])


def hair_with_children():
    settings = particles("HAIR")
    settings.child_type = "INTERPOLATED"
    settings.child_percent = settings.rendered_child_count = 5
    scenes.moving(bpy.data.objects["Ground"])


def emitter():
    particles("EMITTER").use_rotation_instance = True


def emitter_without_itself():
    particles("EMITTER")
    bpy.data.objects["Ground"].show_instancer_for_viewport = False


def collection_particles():
    settings = particles("HAIR")
    leaves = scenes.collection("Leaves")
    for name in ("A", "B"):
        scenes.wave(scenes.grid(name, 1, collection=leaves))
    settings.render_type, settings.instance_collection = "COLLECTION", leaves
    scenes.moving(bpy.data.objects["Ground"])


@pytest.mark.parametrize(
    ("make", "faces"),
    [
        (hair, 12 * 4 + 4),
        (hair_with_children, 12 * 5 * 4 + 4),
        (emitter, 12 * 4 + 4),
        (emitter_without_itself, 12 * 4),
        (collection_particles, 12 + 4),
    ],
)
def test_particles_that_show_an_object(tmp_path, make, faces):
    make()
    frames = check(tmp_path, ["Ground"], remake=make)
    assert len(frames[0].faces["Ground"]) == faces


def test_an_instance_keeps_the_materials_of_its_mesh(tmp_path):
    parts = scenes.collection("Parts")
    for name in ("Red", "Blue"):
        obj = scenes.cube(name, collection=parts)
        obj.data.materials.append(bpy.data.materials.new(name))
    scenes.instance_of("Show", parts)
    bake_it(tmp_path, ["Show"])
    mesh = bpy.data.objects["Show_VAT"].data
    names = [mesh.materials[polygon.material_index].name for polygon in mesh.polygons]
    assert sorted(names) == ["Blue"] * 6 + ["Red"] * 6
