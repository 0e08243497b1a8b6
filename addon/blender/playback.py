# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Playback meshes to objects in a scene."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import bpy
import numpy as np

from ..core.errors import BakeError
from ..core.mesh import PlaybackMesh
from ..core.meshes import PlaybackObject as Placement

# Custom property of our objects and meshes: the id of the bake that they are from.
TAG = "truevat_playback"


def playback_conflicts(names: Iterable[str]) -> None:
    """Refuses names under which no playback object can stand in this file."""
    longest = bpy.types.ID.bl_rna.properties["name"].length_max - 1
    seen = set()
    for name in names:
        if name in seen:
            raise BakeError(f"Two playback objects would be '{name}'; rename a source object")
        seen.add(name)
        if len(name.encode()) > longest:
            raise BakeError(
                f"The playback object's name '{name}' is longer than Blender's {longest} bytes; "
                "give the source object a shorter name"
            )
        existing = local(bpy.data.objects, name)
        if existing is None:
            continue
        if TAG not in existing or existing.type != "MESH":
            raise BakeError(
                f"An object '{name}' exists which is not from a TrueVAT bake, and the playback "
                "object needs that name; rename it"
            )
        if existing.mode != "OBJECT":
            raise BakeError(f"The playback object '{name}' is being edited; go to Object Mode")


def place_playback(
    scene: bpy.types.Scene,
    placements: Sequence[Placement],
    bake_id: str,
    *,
    unit_scale: float = 1.0,
) -> list[bpy.types.Object]:
    """Puts all playback objects into the scene, or none; those of an earlier bake are replaced.

    `unit_scale`: metres in one Blender unit of this scene.
    """
    playback_conflicts(name for name, _, _ in placements)
    meshes: list[bpy.types.Mesh] = []
    added: list[bpy.types.Object] = []
    objects = []
    try:
        for name, playback, _ in placements:
            mesh = build_mesh(playback, unit_scale)
            meshes.append(mesh)
            mesh[TAG] = bake_id
            existing = local(bpy.data.objects, name)
            if existing is None:
                added.append(bpy.data.objects.new(name, mesh))
            objects.append(existing or added[-1])
            if scene not in objects[-1].users_scene:
                scene.collection.objects.link(objects[-1])
    except BaseException:
        bpy.data.batch_remove([*added, *meshes])
        raise
    for obj, mesh, (_, playback, location) in zip(objects, meshes, placements, strict=True):
        replaced = obj.data
        obj.data = mesh
        obj[TAG] = bake_id
        _stand_at(obj, np.asarray(location, np.float64) / unit_scale)
        if replaced != mesh and replaced.users == 0 and TAG in replaced:
            bpy.data.meshes.remove(replaced)
        mesh.name = playback.name
    return objects


def kept(objects: Iterable[bpy.types.Object]) -> list[str]:
    """A warning for each object that has something of the user's, put there after an earlier bake,
    which changes its mesh or its place."""
    warnings = []
    for obj in objects:
        things = [f"modifier '{each.name}'" for each in obj.modifiers if _acts(each)]
        things += [f"constraint '{each.name}'" for each in obj.constraints if not each.mute]
        data = obj.animation_data
        if data and (data.action or data.drivers or data.nla_tracks):
            things.append("animation")
        if obj.rigid_body and obj.rigid_body.type == "ACTIVE":
            things.append("rigid body")
        if things:
            them = "it" if len(things) == 1 else "them"
            warnings.append(
                f"'{obj.name}' kept its {', '.join(things)}; with {them} it may not be the mesh "
                f"that plays the texture, or not stand at its origin. Remove {them} if so"
            )
    return warnings


def _acts(modifier: bpy.types.Modifier) -> bool:
    return modifier.show_viewport or modifier.show_render


def make_object(
    collection: bpy.types.Collection,
    playback: PlaybackMesh,
    name: str,
    location: Sequence[float],
) -> bpy.types.Object:
    """A new object with a new mesh, linked to the collection."""
    mesh = build_mesh(playback)
    obj = bpy.data.objects.new(name, mesh)
    obj.location = location
    collection.objects.link(obj)
    return obj


def local(datablocks: bpy.types.bpy_prop_collection, name: str) -> bpy.types.ID | None:
    """The datablock of this file that has the name; linked ones have names of their own."""
    return datablocks.get((name, None))


def build_mesh(playback: PlaybackMesh, unit_scale: float = 1.0) -> bpy.types.Mesh:
    """A new mesh datablock from the arrays; nothing stays behind when that fails."""
    mesh = bpy.data.meshes.new(playback.name)
    try:
        _fill(mesh, playback, unit_scale)
    except BaseException:
        bpy.data.meshes.remove(mesh)
        raise
    return mesh


def _fill(mesh: bpy.types.Mesh, playback: PlaybackMesh, unit_scale: float) -> None:
    points = playback.points if unit_scale == 1.0 else playback.points / np.float32(unit_scale)
    mesh.vertices.add(len(points))
    mesh.loops.add(len(playback.corner_vert))
    mesh.polygons.add(len(playback.face_start))
    if len(points):
        _set(mesh.attributes["position"].data, "vector", points, np.float32)
    if len(playback.face_start):
        _set(mesh.attributes[".corner_vert"].data, "value", playback.corner_vert, np.int32)
        _set(mesh.polygons, "loop_start", playback.face_start, np.int32)
    for name in playback.materials:
        mesh.materials.append(None if name is None else _material(name, playback.name))
    if playback.material_index.any():
        slots = _attribute(mesh, "material_index", "INT", "FACE")
        _set(slots.data, "value", playback.material_index, np.int32)
    mesh.update(calc_edges=True)

    for name, values in playback.uv_maps.items():
        uv_map = mesh.uv_layers.new(name=name, do_init=False)
        if uv_map is None or uv_map.name != name:
            raise BakeError(f"The UV map '{name}' cannot be added to '{mesh.name}'; rename it")
        _set(uv_map.uv, "vector", values, np.float32)
    active = mesh.uv_layers[playback.active_uv]
    active.active = active.active_render = True

    for name, color in playback.colors.items():
        attribute = _attribute(mesh, name, color.kind, color.domain)
        # color_srgb gives bytes back as they were; linear values would be rounded twice
        access = "color_srgb" if color.kind == "BYTE_COLOR" else "color"
        _set(attribute.data, access, color.values, np.float32)
    if playback.colors:
        mesh.color_attributes.active_color_index = 0
        mesh.color_attributes.render_color_index = 0

    if playback.normals is not None and len(playback.normals):
        _set_normals(mesh, playback.normals)


def _set_normals(mesh: bpy.types.Mesh, normals: np.ndarray) -> None:
    if bpy.app.version >= (4, 5, 0):
        attribute = _attribute(mesh, "custom_normal", "FLOAT_VECTOR", "CORNER")
        _set(attribute.data, "vector", normals, np.float32)
    else:
        # a list is read four times as fast as an array here
        mesh.normals_split_custom_set(normals.tolist())


def _attribute(mesh: bpy.types.Mesh, name: str, kind: str, domain: str) -> bpy.types.Attribute:
    attribute = mesh.attributes.new(name, kind, domain)
    if attribute is None or attribute.name != name:
        raise BakeError(f"The attribute '{name}' cannot be added to '{mesh.name}'; rename it")
    return attribute


def _set(
    collection: bpy.types.bpy_prop_collection, field: str, values: np.ndarray, dtype: type
) -> None:
    # foreach_set is fast for flat contiguous arrays of the very type only
    collection.foreach_set(field, np.ascontiguousarray(values, dtype).reshape(-1))


def _material(name: str, mesh_name: str) -> bpy.types.Material:
    material = local(bpy.data.materials, name) or bpy.data.materials.get(name)
    if material is None:
        raise BakeError(f"The material '{name}' of '{mesh_name}' is gone; bake again")
    return material


def _stand_at(obj: bpy.types.Object, location: Sequence[float]) -> None:
    """Identity rotation and scale: the texture has them in its positions already."""
    obj.parent = None
    obj.rotation_mode = "XYZ"
    obj.location, obj.rotation_euler, obj.scale = location, (0, 0, 0), (1, 1, 1)
    obj.delta_location, obj.delta_rotation_euler, obj.delta_scale = (0, 0, 0), (0, 0, 0), (1, 1, 1)
    for slot in obj.material_slots:
        slot.link = "DATA"
