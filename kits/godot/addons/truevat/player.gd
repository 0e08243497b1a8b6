# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
@tool
class_name TrueVATPlayer
extends Node3D
## Plays a bake on the meshes below it. What the importer makes of a .truevat.json has it as its root.

signal clip_started(clip: StringName)
## The current clip reached its end: it holds, or what is queued begins.
signal clip_finished(clip: StringName)

enum Clock { IDLE, PHYSICS, MANUAL }

const Bake := preload("bake.gd")
const Mixer := preload("mixer.gd")
const LAYERS: Array[StringName] = [
	&"truevat_layer0", &"truevat_layer1", &"truevat_layer2", &"truevat_layer3"
]

@export var bake: Bake:
	set(value):
		bake = value
		_make_mixer()
## The clip that plays from the start: empty for the first.
@export var autoplay: StringName
@export var playing := true
## Of all clips; negative plays backwards.
@export var speed := 1.0:
	set(value):
		speed = value
		if _mixer:
			_mixer.speed = value
@export var loop_mode := Mixer.LoopMode.AS_BAKED:
	set(value):
		loop_mode = value
		if _mixer:
			_mixer.loop_mode = value
## MANUAL moves only by [method advance].
@export var clock := Clock.IDLE
@export var play_in_editor := true

var _mixer: Mixer
var _shown: Array[Vector4] = []
var _instances: Array[RID] = []


func _ready() -> void:
	for mesh in meshes():
		_instances.append(mesh.get_instance())
	_shown.clear()
	if _mixer:
		if not _mixer.current():
			_mixer.play(_first_clip())
		_show()


func _process(delta: float) -> void:
	if clock == Clock.IDLE:
		_tick(delta)


func _physics_process(delta: float) -> void:
	if clock == Clock.PHYSICS:
		_tick(delta)


func _tick(delta: float) -> void:
	if playing and (play_in_editor or not Engine.is_editor_hint()):
		advance(delta)


## Begins a clip; [member autoplay] if none is named. Over [param fade] seconds it covers what was seen,
## which may be a fade itself.
func play(clip := &"", fade := 0.0, clip_speed := 1.0) -> void:
	if not _mixer:
		push_error("TrueVAT: %s has no bake to play" % name)
		return
	_mixer.play(clip if clip else _first_clip(), fade, clip_speed)
	playing = true
	_show()


## Plays a clip after the current one; a loop first ends its round.
func queue(clip: StringName, fade := 0.0) -> void:
	_mixer.queue(clip, fade)
	_show()


func clear_queue() -> void:
	_mixer.clear_queue()


func pause() -> void:
	playing = false


func resume() -> void:
	playing = true


## Pauses at the current clip's start.
func stop() -> void:
	_mixer.clear_queue()
	seek(0.0)
	playing = false


## Moves the current clip to a time of its own, in seconds.
func seek(seconds: float) -> void:
	_mixer.seek(seconds)
	_show()


func current_clip() -> StringName:
	return _mixer.current()


## Seconds into the current clip.
func current_position() -> float:
	return _mixer.position()


func is_finished() -> bool:
	return _mixer.is_finished()


func advance(delta: float) -> void:
	if _mixer:
		_mixer.advance(delta)
		_show()


func meshes() -> Array[MeshInstance3D]:
	var result: Array[MeshInstance3D] = []
	result.assign(find_children("*", "MeshInstance3D"))
	return result


func _make_mixer() -> void:
	_mixer = null
	if not bake or not bake.clips:
		return
	_mixer = Mixer.new(bake)
	_mixer.speed = speed
	_mixer.loop_mode = loop_mode
	_mixer.started.connect(clip_started.emit)
	_mixer.finished.connect(clip_finished.emit)
	if is_node_ready():
		_mixer.play(_first_clip())
		_show()


func _first_clip() -> StringName:
	return autoplay if autoplay else bake.clips[0].name


# Past the nodes' own properties, which would end up in the scene file when the editor saves it.
func _show() -> void:
	var samples := _mixer.samples()
	if samples == _shown:
		return
	_shown = samples
	for instance in _instances:
		for index in LAYERS.size():
			RenderingServer.instance_geometry_set_shader_parameter(
				instance,
				LAYERS[index],
				samples[index] if index < samples.size() else Vector4.ZERO
			)
