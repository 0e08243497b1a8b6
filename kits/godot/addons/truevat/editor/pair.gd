# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
@tool
extends RefCounted
## The texture and the mesh of a bake as Godot imported them, checked against its sidecar.

const Sidecar := preload("sidecar.gd")
const MAGIC := 0x54415654
const ID_WORD := 24

var texture: Texture2D
var meshes: Array[MeshInstance3D] = []
var _root: Node


## What is wrong with them; empty if nothing.
func read(sidecar: Sidecar) -> String:
	var problem := _read_texture(sidecar)
	return problem if problem else _read_mesh(sidecar)


func free_nodes() -> void:
	if _root:
		_root.free()


func _read_texture(sidecar: Sidecar) -> String:
	var file := sidecar.texture_path.get_file()
	# As it is on the disk: what Godot has in its cache may be of an earlier bake.
	var fresh := _load(sidecar.texture_path) as Texture2D
	var image := fresh.get_image() if fresh else null
	if not image:
		return "%s could not be imported" % file
	var format := Image.FORMAT_RGBAH if sidecar.is_half else Image.FORMAT_RGBAF
	if image.get_size() != sidecar.size or image.get_format() != format:
		return (
			"%s was imported with other settings than the bake's: delete its .import file, and"
			+ " import it again"
		) % file
	if word(image, 0) != MAGIC:
		return "%s is no texture of this kind: bake again" % file
	if word(image, 1) > Sidecar.VERSION or word(image, 2) != 0:
		return "%s is of a later version of the format: update the add-on" % file
	var id := ""
	for index in 4:
		id += "%08x" % word(image, ID_WORD + index)
	if id != sidecar.bake.id:
		return _mismatch(file)
	texture = load(sidecar.texture_path)
	return ""


func _read_mesh(sidecar: Sidecar) -> String:
	var file := sidecar.mesh_path.get_file()
	var scene := _load(sidecar.mesh_path) as PackedScene
	if not scene:
		return "%s could not be imported" % file
	_root = scene.instantiate()
	for node: MeshInstance3D in _root.find_children("*", "MeshInstance3D", true, false):
		var id: Variant = node.get_meta("extras", {}).get("truevat_bake")
		if id == null:
			continue
		if id != sidecar.bake.id:
			return _mismatch(file)
		for surface in node.mesh.get_surface_count():
			if not node.mesh.surface_get_format(surface) & Mesh.ARRAY_FORMAT_TEX_UV2:
				return "%s has lost its second UV map: bake again" % file
		meshes.append(node)
	return "" if meshes else "%s is not the mesh of a bake: copy the bake's whole folder" % file


func _mismatch(file: String) -> String:
	return "%s belongs to another bake: copy all files of one bake together" % file


func _load(path: String) -> Resource:
	return ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)


## docs/format.md, "Words".
static func word(image: Image, index: int) -> int:
	var width := image.get_width()
	@warning_ignore("integer_division")
	var row := image.get_height() - 1 - index / width
	var digits := image.get_pixel(index % width, row)
	return int(digits.r) | int(digits.g) << 10 | int(digits.b) << 20 | int(digits.a) << 30
