# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
class_name TrueVATMixer
extends RefCounted
## Which frames of which clips are seen, and how much of each: the clock of a player, without a scene.
##
## Every clip keeps its own frame number, wrapped within the clip, in double precision: nothing grows
## with the time played.

signal started(clip: StringName)
signal finished(clip: StringName)

enum LoopMode { AS_BAKED, LOOP, HOLD }

const Bake := preload("bake.gd")
const Clip := preload("clip.gd")
## What the shader mixes at most. A fade that begins while this many are seen drops the faintest.
const MAX_LAYERS := 4


class Layer:
	var clip: Clip
	var frame := 0.0
	var speed := 1.0
	var fade := 0.0
	var faded := 0.0
	var ended := false

	## Of all that lies below, what this one covers.
	func cover() -> float:
		return 1.0 if faded >= fade else faded / fade


class Queued:
	var clip: StringName
	var fade: float


var speed := 1.0
var loop_mode := LoopMode.AS_BAKED

var _bake: Bake
var _layers: Array[Layer] = []
var _queue: Array[Queued] = []


func _init(bake: Bake) -> void:
	_bake = bake


## Begins a clip at its first frame, or at its last one where its speed is negative.
func play(clip: StringName, fade := 0.0, clip_speed := 1.0) -> void:
	_queue.clear()
	_begin(clip, fade, clip_speed, 0.0)


## Plays a clip when the current one ends; a loop ends with its current round.
func queue(clip: StringName, fade := 0.0) -> void:
	if _layers.is_empty():
		play(clip)
	elif _bake.index_of(clip) >= 0:
		var next := Queued.new()
		next.clip = clip
		next.fade = fade
		_queue.append(next)


func clear_queue() -> void:
	_queue.clear()


func seek(seconds: float) -> void:
	if _layers:
		var top := _layers[-1]
		top.frame = top.clip.bound(seconds * top.clip.fps, _loops(top))
		top.ended = false


func current() -> StringName:
	return _layers[-1].clip.name if _layers else &""


## Seconds into the current clip.
func position() -> float:
	return _layers[-1].frame / _layers[-1].clip.fps if _layers else 0.0


func is_finished() -> bool:
	return _layers and _layers[-1].ended


func advance(delta: float) -> void:
	if not _layers:
		return
	for layer in _layers:
		layer.faded += delta
	for layer in _layers.slice(0, -1):
		_move(layer, delta)
	var left := _move(_layers[-1], delta)
	# Clips may be shorter than a step; one that lasts no time at all ends the step.
	while left > 0.0 and _queue:
		var next: Queued = _queue.pop_front()
		finished.emit(_layers[-1].clip.name)
		_begin(next.clip, next.fade, 1.0, left)
		left = _move(_layers[-1], left) if _layers[-1].clip.seconds(_loops(_layers[-1])) > 0 else 0.0
	if left > 0.0 and not _loops(_layers[-1]) and not _layers[-1].ended:
		_layers[-1].ended = true
		finished.emit(_layers[-1].clip.name)
	_drop_covered()


## For each layer: the two stored frames, the way from one to the other, and its weight. The weights
## add up to 1.
func samples() -> Array[Vector4]:
	var result: Array[Vector4] = []
	var rest := 1.0
	for index in range(_layers.size() - 1, -1, -1):
		var layer := _layers[index]
		var weight := rest * (layer.cover() if index else 1.0)
		rest -= weight
		var span := layer.clip.span(layer.frame, _loops(layer))
		var way := span.z if _bake.constant_topology else 0.0
		result.append(Vector4(span.x, span.y, way, weight))
	return result


func _begin(clip: StringName, fade: float, clip_speed: float, faded: float) -> void:
	var index := _bake.index_of(clip)
	if index < 0:
		return
	var layer := Layer.new()
	layer.clip = _bake.clips[index]
	layer.speed = clip_speed
	layer.fade = fade if _bake.constant_topology else 0.0
	layer.faded = faded
	if clip_speed * speed < 0.0 and not _loops(layer):
		layer.frame = layer.clip.frames - 1.0
	if not _layers:
		layer.fade = 0.0
	_layers.append(layer)
	_drop_covered()
	if _layers.size() > MAX_LAYERS:
		_drop_faintest()
	started.emit(clip)


## Moves a layer, and returns the seconds by which it went beyond the clip's end.
func _move(layer: Layer, delta: float) -> float:
	var rate := layer.clip.fps * layer.speed * speed
	var wanted := layer.frame + delta * rate
	var looping := _loops(layer)
	layer.frame = layer.clip.bound(wanted, looping)
	if rate == 0.0:
		return 0.0
	var end := 0.0 if rate < 0.0 else layer.clip.frames - (0.0 if looping else 1.0)
	return maxf((wanted - end) / rate, 0.0)


func _loops(layer: Layer) -> bool:
	return layer.clip.loop if loop_mode == LoopMode.AS_BAKED else loop_mode == LoopMode.LOOP


func _drop_covered() -> void:
	for index in range(_layers.size() - 1, 0, -1):
		if _layers[index].cover() == 1.0:
			_layers = _layers.slice(index)
			return


func _drop_faintest() -> void:
	var weights := samples()
	weights.reverse()
	var faintest := 0
	for index in _layers.size() - 1:
		if weights[index].w < weights[faintest].w:
			faintest = index
	_layers.remove_at(faintest)
