# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
@tool
extends EditorImportPlugin
## Makes a scene that plays of a .truevat.json and the two files beside it.

const Pair := preload("pair.gd")
const Scene := preload("scene.gd")
const Sidecar := preload("sidecar.gd")
## What the bake writes into its .import files: here for files that came without.
const TEXTURE_SETTINGS := {
	"compress/mode": 3,
	"compress/high_quality": false,
	"compress/hdr_compression": 0,
	"compress/normal_map": 2,
	"compress/channel_pack": 0,
	"mipmaps/generate": false,
	"roughness/mode": 1,
	"process/fix_alpha_border": false,
	"process/premult_alpha": false,
	"process/normal_map_invert_y": false,
	"process/hdr_as_srgb": false,
	"process/hdr_clamp_exposure": false,
	"process/size_limit": 0,
	"detect_3d/compress_to": 0,
}
const MESH_SETTINGS := {
	"nodes/use_name_suffixes": false,
	"nodes/use_node_type_suffixes": false,
	"meshes/generate_lods": false,
	"meshes/create_shadow_meshes": false,
	"meshes/light_baking": 3,
	"meshes/force_disable_compression": true,
	"animation/import": false,
}


func _get_importer_name() -> String:
	return "truevat"


func _get_visible_name() -> String:
	return "TrueVAT"


func _get_recognized_extensions() -> PackedStringArray:
	return ["truevat.json"]


func _get_save_extension() -> String:
	return "scn"


func _get_resource_type() -> String:
	return "PackedScene"


func _get_priority() -> float:
	return 2.0


# After textures and meshes.
func _get_import_order() -> int:
	return IMPORT_ORDER_SCENE + 100


func _can_import_threaded() -> bool:
	return false


func _get_preset_count() -> int:
	return 0


func _get_import_options(_path: String, _preset: int) -> Array[Dictionary]:
	return []


func _import(
	source: String,
	save_path: String,
	_options: Dictionary,
	_variants: Array[String],
	_generated: Array[String]
) -> Error:
	var sidecar := Sidecar.new()
	var problem := sidecar.read(source)
	if not problem:
		_settle(sidecar.texture_path, "texture", TEXTURE_SETTINGS)
		_settle(sidecar.mesh_path, "scene", MESH_SETTINGS)
		var pair := Pair.new()
		problem = pair.read(sidecar)
		if not problem:
			var scene := Scene.pack(sidecar, pair)
			pair.free_nodes()
			return ResourceSaver.save(scene, "%s.%s" % [save_path, _get_save_extension()])
		pair.free_nodes()
	push_error("TrueVAT: %s: %s" % [source, problem])
	return ERR_FILE_CORRUPT


# Imports a file again if its settings would change what is in it.
func _settle(path: String, importer: String, settings: Dictionary) -> void:
	var config := ConfigFile.new()
	var right := config.load(path + ".import") == OK
	for key: String in settings:
		right = right and config.get_value("params", key, null) == settings[key]
	if not right:
		append_import_external_resource(path, settings, importer)
