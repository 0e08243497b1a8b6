# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What geometry nodes make: deformed meshes, and instances of many kinds."""

from __future__ import annotations

import bpy
import pytest

import scenes
from evaluated import check
from scenes import frame_socket, node, vector


def on_points(tree, geometry, instance, realize=False):
    """An instance on each point, turned and scaled unevenly with the frame."""
    turned = vector(tree, X=frame_socket(tree, 0.2), Y=0.4, Z=frame_socket(tree, -0.1))
    scale = vector(tree, X=frame_socket(tree, 0.05, 0.1), Y=0.2, Z=0.3)
    made = node(
        tree,
        "GeometryNodeInstanceOnPoints",
        {"Points": geometry, "Instance": instance, "Rotation": turned, "Scale": scale},
    ).outputs[0]
    if realize:
        return node(tree, "GeometryNodeRealizeInstances", {"Geometry": made}).outputs[0]
    return made


def instances_of(obj, kind, realize=False, join=False, **properties):
    """Nodes on `obj` that put what the node `kind` gives on each of its points."""

    def make(tree, geometry):
        source = node(tree, kind, properties)
        made = on_points(tree, geometry, source.outputs["Geometry" if properties else 0], realize)
        if not join:
            return made
        joined = tree.nodes.new("GeometryNodeJoinGeometry")
        for socket in (geometry, made):
            tree.links.new(socket, joined.inputs[0])
        return joined.outputs[0]

    return scenes.geometry_nodes(obj, make)


def test_nodes_that_deform(tmp_path):
    scenes.geometry_nodes(scenes.grid(), scenes.shifted)
    check(tmp_path, ["Grid"])


@pytest.mark.parametrize("realize", [False, True])
@pytest.mark.parametrize("join", [False, True])
def test_instances_on_points(tmp_path, realize, join):
    obj = scenes.moving(scenes.wave(scenes.grid(cells=2)))
    instances_of(obj, "GeometryNodeMeshCube", realize, join)
    frames = check(tmp_path, ["Grid"])
    assert len(frames[0].faces["Grid"]) == 9 * 6 + 4 * join


def test_instances_of_an_object_with_its_own_modifiers(tmp_path):
    source = scenes.wave(scenes.ball("Leaf"))
    obj = scenes.wave(scenes.grid(cells=2))
    instances_of(obj, "GeometryNodeObjectInfo", Object=source)
    frames = check(tmp_path, ["Grid"])
    assert len(frames[0].faces["Grid"]) == 9 * len(source.data.polygons)
    # Baked together, the source shows itself once, and the grid all instances.
    frames = check(tmp_path / "both", ["Leaf", "Grid"])
    assert len(frames[0].faces["Leaf"]) == len(source.data.polygons)


@pytest.mark.parametrize("as_instance", [False, True])
def test_instances_of_a_collection(tmp_path, as_instance):
    leaves = scenes.collection("Leaves")
    scenes.moving(scenes.cube("A", 0.5, collection=leaves))
    scenes.wave(scenes.grid("B", 2, collection=leaves))
    obj = scenes.wave(scenes.grid(cells=1))

    def make(tree, geometry):
        info = node(tree, "GeometryNodeCollectionInfo", {"Collection": leaves})
        if as_instance:
            return info.outputs[0]
        return on_points(tree, geometry, info.outputs[0])

    scenes.geometry_nodes(obj, make)
    frames = check(tmp_path, ["Grid"])
    assert len(frames[0].faces["Grid"]) == (6 + 4) * (1 if as_instance else 4)


@pytest.mark.parametrize("kind", ["text", "curve"])
def test_instances_of_text_and_curves(tmp_path, kind):
    source = scenes.text() if kind == "text" else scenes.curve_object()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    faces = len(source.evaluated_get(depsgraph).to_mesh().polygons)
    assert faces
    obj = scenes.wave(scenes.grid(cells=1))
    instances_of(obj, "GeometryNodeObjectInfo", Object=source)
    frames = check(tmp_path, ["Grid"])
    assert len(frames[0].faces["Grid"]) == 4 * faces


def test_a_curve_object_that_nodes_make_a_mesh_of(tmp_path):
    obj = scenes.moving(scenes.curve_object(depth=0))

    def make(tree, geometry):
        profile = node(tree, "GeometryNodeCurvePrimitiveCircle", {"Resolution": 5, "Radius": 0.2})
        tube = node(
            tree,
            "GeometryNodeCurveToMesh",
            {"Curve": geometry, "Profile Curve": profile.outputs[0]},
        )
        return scenes.shifted(tree, tube.outputs[0])

    scenes.geometry_nodes(obj, make)
    check(tmp_path, ["Curve"])


def test_an_empty_mesh_that_nodes_fill(tmp_path):
    obj = scenes.moving(scenes.link("Empty", bpy.data.meshes.new("Empty")))

    def make(tree, geometry):
        return node(tree, "GeometryNodeMeshIcoSphere", {"Subdivisions": 2}).outputs[0]

    scenes.geometry_nodes(obj, make)
    check(tmp_path, ["Empty"])


def test_instances_within_instances(tmp_path):
    obj = scenes.wave(scenes.grid(cells=1))

    def make(tree, geometry):
        cube = node(tree, "GeometryNodeMeshCube").outputs[0]
        inner = on_points(tree, node(tree, "GeometryNodeMeshGrid").outputs[0], cube)
        return on_points(tree, geometry, inner)

    scenes.geometry_nodes(obj, make)
    frames = check(tmp_path, ["Grid"])
    assert len(frames[0].faces["Grid"]) == 4 * 9 * 6


def test_mirrored_instances(tmp_path):
    obj = scenes.wave(scenes.grid(cells=1))

    def make(tree, geometry):
        index = node(tree, "GeometryNodeInputIndex").outputs[0]
        signed = node(tree, "ShaderNodeMath", operation="SUBTRACT")
        tree.links.new(index, signed.inputs[0])
        signed.inputs[1].default_value = 1.5
        scale = vector(tree, X=signed.outputs[0], Y=0.5, Z=0.5)
        cone = node(tree, "GeometryNodeMeshCone").outputs["Mesh"]
        return node(
            tree,
            "GeometryNodeInstanceOnPoints",
            {"Points": geometry, "Instance": cone, "Scale": scale},
        ).outputs[0]

    scenes.geometry_nodes(obj, make)
    check(tmp_path, ["Grid"])
    depsgraph = bpy.context.evaluated_depsgraph_get()
    signs = [i.matrix_world.determinant() > 0 for i in depsgraph.object_instances if i.is_instance]
    assert True in signs and False in signs


@pytest.mark.parametrize("kind", ["hair_curves", "pointclouds"])
def test_hair_curves_and_point_clouds_that_nodes_make_a_mesh_of(tmp_path, kind):
    obj = scenes.moving(scenes.link("Thing", getattr(bpy.data, kind).new("Thing")))

    def make(tree, geometry):
        grid = node(tree, "GeometryNodeMeshGrid").outputs[0]
        cube = node(tree, "GeometryNodeMeshCube").outputs[0]
        return on_points(tree, grid, cube)

    scenes.geometry_nodes(obj, make)
    frames = check(tmp_path, ["Thing"])
    assert len(frames[0].faces["Thing"]) == 9 * 6
