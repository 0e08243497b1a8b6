# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
extends SceneTree
## Writes what Godot has of each bake, as raw numbers: godot --headless -s dump.gd


func _initialize() -> void:
	DirAccess.make_dir_absolute("res://dump")
	FileAccess.open("res://dump/.gdignore", FileAccess.WRITE).close()
	var found := {}
	for bake: String in JSON.parse_string(FileAccess.get_file_as_string("res://bakes.json")):
		var folder := "res://bakes/%s/%s" % [bake, bake]
		var image: Image = load(folder + ".truevat.exr").get_image()
		_store("%s.texture" % bake, image.get_data())
		var player: TrueVATPlayer = load(folder + ".truevat.json").instantiate()
		var glb: Node = load(folder + ".glb").instantiate()
		found[bake] = {
			"format": image.get_format(),
			"size": [image.get_width(), image.get_height()],
			"mipmaps": image.has_mipmaps(),
			"clips": Array(player.bake.names()),
			"scene": _meshes(bake + ".scene", player.meshes()),
			"glb": _meshes(bake + ".glb", glb.find_children("*", "MeshInstance3D", true, false)),
		}
		player.free()
		glb.free()
	_store("found.json", JSON.stringify(found).to_utf8_buffer())
	quit()


func _meshes(prefix: String, nodes: Array) -> Array:
	var result := []
	for node: MeshInstance3D in nodes:
		var surfaces := []
		for surface in node.mesh.get_surface_count():
			var arrays: Array = node.mesh.surface_get_arrays(surface)
			var file := "%s_%d_%d" % [prefix, result.size(), surface]
			_store(file + ".points", arrays[Mesh.ARRAY_VERTEX].to_byte_array())
			_store(file + ".normals", arrays[Mesh.ARRAY_NORMAL].to_byte_array())
			_store(file + ".uv2", arrays[Mesh.ARRAY_TEX_UV2].to_byte_array())
			_store(file + ".index", arrays[Mesh.ARRAY_INDEX].to_byte_array())
			var format: int = node.mesh.surface_get_format(surface)
			var material: Material = node.mesh.surface_get_material(surface)
			surfaces.append({
				"file": file,
				"compressed": bool(format & Mesh.ARRAY_FLAG_COMPRESS_ATTRIBUTES),
				"material": material.resource_name,
				"moves": material is ShaderMaterial,
			})
		var box: AABB = node.mesh.custom_aabb
		var origin := node.transform.origin
		result.append({
			"name": node.name,
			"origin": [origin.x, origin.y, origin.z],
			"bounds": [_list(box.position), _list(box.end)],
			"shadow_mesh": node.mesh.shadow_mesh != null,
			"surfaces": surfaces,
		})
	return result


func _list(vector: Vector3) -> Array:
	return [vector.x, vector.y, vector.z]


func _store(file: String, bytes: PackedByteArray) -> void:
	var out := FileAccess.open("res://dump/" + file, FileAccess.WRITE)
	out.store_buffer(bytes)
	out.close()
