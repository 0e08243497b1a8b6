# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
@tool
extends RefCounted
## The scene that plays a bake.

const Materials := preload("materials.gd")
const Pair := preload("pair.gd")
const Player := preload("../player.gd")
const Sidecar := preload("sidecar.gd")


static func pack(sidecar: Sidecar, pair: Pair) -> PackedScene:
	var player := Player.new()
	player.name = sidecar.texture_path.get_file().get_slice(".", 0)
	player.bake = sidecar.bake
	var materials := Materials.new(sidecar, pair.texture)
	for source in pair.meshes:
		var instance := MeshInstance3D.new()
		player.add_child(instance)
		instance.name = source.name
		instance.owner = player
		instance.transform = _place(source)
		instance.mesh = _plain(source.mesh, materials)
		instance.mesh.custom_aabb = sidecar.bake.bounds
		instance.gi_mode = GeometryInstance3D.GI_MODE_DYNAMIC
	var scene := PackedScene.new()
	scene.pack(player)
	player.free()
	return scene


static func _place(node: Node3D) -> Transform3D:
	var place := node.transform
	while node.get_parent() is Node3D:
		node = node.get_parent()
		place = node.transform * place
	return place


# Without levels of detail, shadow mesh and compression: none of them would move as it should.
static func _plain(source: ArrayMesh, materials: Materials) -> ArrayMesh:
	var mesh := ArrayMesh.new()
	mesh.resource_name = source.resource_name
	for surface in source.get_surface_count():
		mesh.add_surface_from_arrays(
			source.surface_get_primitive_type(surface), source.surface_get_arrays(surface)
		)
		mesh.surface_set_name(surface, source.surface_get_name(surface))
		var arrays := source.surface_get_format(surface)
		var material := materials.moving(
			source.surface_get_material(surface), arrays & Mesh.ARRAY_FORMAT_TANGENT
		)
		mesh.surface_set_material(surface, material)
	return mesh
