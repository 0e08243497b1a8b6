# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
class_name TrueVATCrowd
extends MultiMeshInstance3D
## Many instances of one bake in one draw call for each material, each with a clip, a time and a speed
## of its own.
##
## An instance's data stay the same while it plays; only one clock moves. Godot's TIME would not do: it
## starts again after an hour. Data are stored as half floats (Compatibility keeps no more), so a frame
## number takes two of them, and speeds are rounded to 11 bits.

const Player := preload("player.gd")
const Clip := preload("clip.gd")
## Seconds after which the clock starts again, every instance's frame number being moved on by as much.
const ROUND := 64.0
const FARTHEST := 65504.0

## What the importer made of a .truevat.json, with a single mesh.
@export var source: PackedScene:
	set(value):
		source = value
		_take(value)
@export var playing := true
## Of all instances.
@export var speed := 1.0

var _clips: Array[Clip] = []
var _names: Dictionary[StringName, int] = {}
var _clip_of: PackedInt32Array = []
var _speeds: PackedFloat64Array = []
# At the start of the clock's round. Before 0 and after the end where a clip does not loop.
var _frames: PackedFloat64Array = []
var _clock := 0.0


func _process(delta: float) -> void:
	if playing:
		advance(delta * speed)


## Makes this many instances, all at the origin. New ones are at the start of the first clip.
func resize(count: int) -> void:
	if not multimesh:
		push_error("TrueVAT: %s has no source" % name)
		return
	var first := _clip_of.size()
	multimesh.instance_count = count
	_clip_of.resize(count)
	_speeds.resize(count)
	_frames.resize(count)
	for index in range(first, count):
		_clip_of[index] = 0
		_speeds[index] = 1.0
		_frames[index] = -_clock * _rate(index)
	# Godot forgets what all instances had.
	for index in count:
		multimesh.set_instance_transform(index, Transform3D.IDENTITY)
		_write(index)


func place(index: int, where: Transform3D) -> void:
	multimesh.set_instance_transform(index, where)


## Begins a clip for one instance, [param from] seconds into it. Where that is negative, a clip that
## does not loop waits for so long.
func play(index: int, clip: StringName, from := 0.0, instance_speed := 1.0) -> void:
	if not clip in _names:
		push_error("TrueVAT: no clip '%s'; there are: %s" % [clip, ", ".join(_names.keys())])
		return
	_clip_of[index] = _names[clip]
	_speeds[index] = _half(instance_speed)
	_frames[index] = from * _clips[_clip_of[index]].fps - _clock * _rate(index)
	_write(index)


## The frame number at which an instance is now.
func frame_of(index: int) -> float:
	return _clips[_clip_of[index]].bound(_frames[index] + _clock * _rate(index))


func advance(delta: float) -> void:
	_clock += delta
	if _clock >= ROUND or _clock < 0.0:
		for index in _clip_of.size():
			_frames[index] = _bound(index, _frames[index] + _clock * _rate(index))
			_write(index)
		_clock = 0.0
	set_instance_shader_parameter(&"truevat_crowd", Vector4(0.0, _clock, 1.0, 0.0))


func _take(scene: PackedScene) -> void:
	multimesh = null
	_clips = []
	_names.clear()
	_clip_of.clear()
	_speeds.clear()
	_frames.clear()
	if not scene:
		return
	var player := scene.instantiate() as Player
	if not player or player.meshes().size() != 1:
		push_error(
			"TrueVAT: %s needs a bake that was joined to one mesh: bake it with --join"
			% scene.resource_path
		)
	else:
		_clips = player.bake.clips
		for index in _clips.size():
			_names[_clips[index].name] = index
		multimesh = MultiMesh.new()
		multimesh.transform_format = MultiMesh.TRANSFORM_3D
		multimesh.use_custom_data = true
		multimesh.mesh = player.meshes()[0].mesh
		set_instance_shader_parameter(&"truevat_crowd", Vector4(0.0, 0.0, 1.0, 0.0))
	if player:
		player.free()


func _rate(index: int) -> float:
	return _clips[_clip_of[index]].fps * _speeds[index]


# What is before its start stays before it, so that it begins when it should.
func _bound(index: int, frame: float) -> float:
	var clip := _clips[_clip_of[index]]
	return clip.bound(frame) if clip.loop else clampf(frame, -FARTHEST, FARTHEST)


func _write(index: int) -> void:
	var frame := _bound(index, _frames[index])
	var coarse := _half(frame)
	multimesh.set_instance_custom_data(
		index, Color(_clip_of[index], _speeds[index], coarse, frame - coarse)
	)


static func _half(value: float) -> float:
	var bytes := PackedByteArray([0, 0])
	bytes.encode_half(0, value)
	return bytes.decode_half(0)
