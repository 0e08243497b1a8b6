# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
@tool
extends RefCounted
## A .truevat.json, checked: nothing of it is believed before.

const Bake := preload("../bake.gd")
const Clip := preload("../clip.gd")
const VERSION := 1
const MAX_SIZE := 16384
# Larger integers are no longer exact in the shader's floats.
const MAX_FRAMES := 1 << 24

var bake := Bake.new()
var texture_path: String
var mesh_path: String
var size: Vector2i
var is_half: bool
## The uniforms of truevat_vertex.gdshaderinc.
var rows: PackedInt32Array
var normals: PackedInt32Array


## What is wrong with it; empty if nothing.
func read(path: String) -> String:
	var json := JSON.new()
	if json.parse(FileAccess.get_file_as_string(path)) != OK:
		return "line %d: %s" % [json.get_error_line(), json.get_error_message()]
	if not json.data is Dictionary or json.data.get("format") != "truevat":
		return "this is no sidecar of TrueVAT"
	var data: Dictionary = json.data
	if not _whole(data.get("version"), 1, VERSION):
		return "version %s of the format is newer than this add-on: update it" % data.get("version")
	if data.get("profile") != "truevat":
		return (
			"this add-on plays the profile 'truevat', and this bake is '%s': bake it with"
			+ " --profile truevat"
		) % data.get("profile")
	for part: Callable in [_read_id, _read_files, _read_texture, _read_clips, _read_bounds]:
		var problem: String = part.call(data, path.get_base_dir())
		if problem:
			return "the sidecar is damaged: " + problem + "; bake again"
	return _missing()


func _missing() -> String:
	for file in [texture_path, mesh_path]:
		if not FileAccess.file_exists(file):
			return "%s is missing: copy the bake's whole folder" % file.get_file()
	if mesh_path.get_extension().to_lower() != "glb":
		return "the mesh is %s: bake it as GLB for Godot" % mesh_path.get_file()
	return ""


func _read_id(data: Dictionary, _folder: String) -> String:
	var id: Variant = data.get("bake_id")
	if not id is String or id.length() != 32 or not id.is_valid_hex_number():
		return "'bake_id' must be 32 hexadecimal digits"
	bake.id = id
	bake.constant_topology = data.get("constant_topology", true) == true
	return ""


func _read_files(data: Dictionary, folder: String) -> String:
	var files: Variant = data.get("files")
	if not files is Dictionary:
		return "'files' is missing"
	for role in ["texture", "mesh"]:
		# Beside an FBX for another engine there is a GLB for this one.
		var glb: Variant = files.get("mesh_glb") if role == "mesh" else null
		var entry: Variant = glb if glb is Dictionary else files.get(role)
		var file: Variant = entry.get("name") if entry is Dictionary else null
		if not file is String or file.get_file() != file or not file.is_valid_filename():
			return "'files' must name a %s in the same folder" % role
		set(role + "_path", folder.path_join(file))
	return ""


func _read_texture(data: Dictionary, _folder: String) -> String:
	var texture: Variant = data.get("texture")
	if not texture is Dictionary:
		return "'texture' is missing"
	for key in ["width", "height", "header_rows", "rows_per_frame"]:
		if not _whole(texture.get(key), 1, MAX_SIZE):
			return "'%s' of the texture must be from 1 to %d" % [key, MAX_SIZE]
	for key in ["normal_row", "normal_rows_per_frame"]:
		if not _whole(texture.get(key), 0, MAX_SIZE):
			return "'%s' of the texture must be from 0 to %d" % [key, MAX_SIZE]
	if not texture.get("pixel") in ["float32", "float16"]:
		return "'pixel' of the texture must be float32 or float16"
	size = Vector2i(int(texture.width), int(texture.height))
	is_half = texture.pixel == "float16"
	var kinds := {"none": 0, "oct24": 1, "oct16f": 2}
	var position: Variant = data.get("position")
	var encoding: Variant = data.get("normals")
	if not position is Dictionary or not position.get("kind") in ["absolute", "offset"]:
		return "'kind' of the position must be absolute or offset"
	if not encoding is Dictionary or not encoding.get("encoding") in kinds:
		return "'encoding' of the normals must be oct24, oct16f or none"
	rows = [
		int(texture.header_rows),
		int(texture.rows_per_frame),
		int(position.kind == "offset"),
		int(not bake.constant_topology),
	]
	normals = [
		kinds[encoding.encoding], int(texture.normal_row), int(texture.normal_rows_per_frame)
	]
	return ""


func _read_clips(data: Dictionary, _folder: String) -> String:
	var clips: Variant = data.get("clips")
	if not clips is Array or clips.is_empty():
		return "'clips' must be a list"
	for entry: Variant in clips:
		if not entry is Dictionary or not entry.get("name") is String:
			return "a clip has no name"
		var fps: Variant = entry.get("fps")
		if (
			not fps is Dictionary
			or not _whole(fps.get("numerator"), 1, 0xffffffff)
			or not _whole(fps.get("denominator"), 1, 0xffffffff)
		):
			return "'fps' of clip '%s' must have a numerator and a denominator" % entry.name
		if (
			not _whole(entry.get("first_frame"), 0, MAX_FRAMES)
			or not _whole(entry.get("frames"), 1, MAX_FRAMES)
		):
			return "clip '%s' has no frames" % entry.name
		var clip := Clip.new()
		clip.name = entry.name
		clip.first_frame = int(entry.first_frame)
		clip.frames = int(entry.frames)
		clip.fps = float(fps.numerator) / fps.denominator
		clip.loop = entry.get("loop") == true
		if rows[0] + (clip.first_frame + clip.frames) * rows[1] > size.y:
			return "clip '%s' has more frames than the texture" % clip.name
		bake.clips.append(clip)
	return ""


func _read_bounds(data: Dictionary, _folder: String) -> String:
	var bounds: Variant = data.get("bounds")
	if not bounds is Dictionary or not _is_point(bounds.get("min")) or not _is_point(bounds.get("max")):
		return "'bounds' must have a minimum and a maximum"
	var low: Array = bounds.min
	var high: Array = bounds.max
	var box := AABB(Vector3(low[0], low[2], -low[1]), Vector3.ZERO)
	bake.bounds = box.expand(Vector3(high[0], high[2], -high[1]))
	return ""


static func _whole(value: Variant, least: int, most: int) -> bool:
	return value is float and value >= least and value <= most and value == floorf(value)


static func _is_point(value: Variant) -> bool:
	if not value is Array or value.size() != 3:
		return false
	return value.all(func(number: Variant) -> bool: return number is float and is_finite(number))
