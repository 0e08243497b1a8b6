# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
extends "tester.gd"
## The nodes, in a tree.


func test_a_player_begins_by_itself() -> void:
	var player := _player()
	_check(player.current_clip() == &"loop", "plays the first clip")
	player._process(0.5)
	_near(player.current_position(), 0.5)
	player.free()


func test_autoplay() -> void:
	var player := TrueVATPlayer.new()
	player.bake = _bake()
	player.autoplay = &"shot"
	root.add_child(player)
	_check(player.current_clip() == &"shot", "plays the clip that was asked for")
	player.free()


func test_pause_and_resume() -> void:
	var player := _player()
	player.pause()
	player._process(0.5)
	_near(player.current_position(), 0.0)
	player.resume()
	player._process(0.25)
	_near(player.current_position(), 0.25)
	player.stop()
	player._process(0.5)
	_near(player.current_position(), 0.0)
	player.play(&"shot")
	_check(player.playing, "play resumes")
	player.free()


func test_clocks() -> void:
	var player := _player()
	player.clock = TrueVATPlayer.Clock.PHYSICS
	player._process(0.5)
	_near(player.current_position(), 0.0)
	player._physics_process(0.5)
	_near(player.current_position(), 0.5)
	player.clock = TrueVATPlayer.Clock.MANUAL
	player._process(0.25)
	player._physics_process(0.25)
	_near(player.current_position(), 0.5)
	player.advance(0.25)
	_near(player.current_position(), 0.75)
	player.free()


func test_signals() -> void:
	var player := _player()
	var heard := []
	player.clip_started.connect(func(clip: StringName) -> void: heard.append("start " + clip))
	player.clip_finished.connect(func(clip: StringName) -> void: heard.append("end " + clip))
	player.play(&"shot")
	player.queue(&"loop", 0.2)
	for step in 90:
		player._process(1.0 / 60.0)
	_check(heard == ["start shot", "end shot", "start loop"], str(heard))
	player.free()


func test_speed_and_loop_mode_before_and_after_the_start() -> void:
	var player := TrueVATPlayer.new()
	player.speed = -1.0
	player.loop_mode = TrueVATMixer.LoopMode.HOLD
	player.bake = _bake()
	root.add_child(player)
	player._process(0.5)
	_near(player.current_position(), 23.0 / 24.0 - 0.5)
	player.speed = 1.0
	player._process(5.0)
	_check(player.is_finished(), "holds")
	player.free()


func test_what_is_played_is_not_stored_in_scenes() -> void:
	var player := _player()
	var mesh := MeshInstance3D.new()
	player.add_child(mesh)
	player._process(0.5)
	for property in mesh.get_property_list():
		if property.name.begins_with("instance_shader_parameters/"):
			_check(mesh.get(property.name) == null, property.name)
	player.free()


func test_a_crowd_wants_one_mesh() -> void:
	var crowd := TrueVATCrowd.new()
	crowd.source = _scene(2)
	_check(crowd.multimesh == null, "takes two meshes")
	crowd.source = _scene(1)
	_check(crowd.multimesh != null, "takes one")
	crowd.free()


func test_a_crowd_waits_and_holds() -> void:
	var crowd := _crowd(3)
	crowd.advance(40.0)
	crowd.play(0, &"shot", -100.0)
	crowd.play(1, &"shot", 0.0)
	crowd.play(2, &"shot", 11.0 / 12.0, -1.0)
	for step in 99:
		crowd.advance(1.0)
	_near(crowd.frame_of(0), 0.0)
	_near(crowd.frame_of(1), 11.0)
	_near(crowd.frame_of(2), 0.0)
	crowd.advance(1.5)
	_near(crowd.frame_of(0), 6.0)
	for step in 600:
		crowd.advance(60.0)
	_near(crowd.frame_of(0), 11.0)
	_near(crowd.frame_of(2), 0.0)
	crowd.free()


func test_a_crowd_is_smooth_when_its_clock_starts_again() -> void:
	var crowd := _crowd(1)
	crowd.play(0, &"loop", 0.3, 0.71)
	var speed := crowd.multimesh.get_instance_custom_data(0).g
	var before := crowd.frame_of(0)
	for step in 6000:
		crowd.advance(1.0 / 30.0)
		var moved := fposmod(crowd.frame_of(0) - before, 24.0)
		_near(moved, speed * 24.0 / 30.0)
		before = crowd.frame_of(0)
	crowd.free()


func test_a_crowds_data_survive_as_half_floats() -> void:
	var crowd := _crowd(200)
	for index in 200:
		crowd.play(index, &"loop", index * 0.00517, 0.5 + index * 0.013)
	for index in 200:
		var data := crowd.multimesh.get_instance_custom_data(index)
		var frame := fposmod(index * 0.00517 * 24.0, 24.0)
		_check(absf(data.b + data.a - frame) < 1e-4, "frame %s" % frame)
	crowd.free()


func test_a_crowd_grows() -> void:
	var crowd := _crowd(2)
	crowd.play(1, &"shot", 0.25)
	crowd.advance(0.25)
	crowd.resize(4)
	_near(crowd.frame_of(1), 6.0)
	_near(crowd.frame_of(3), 0.0)
	crowd.advance(0.25)
	_near(crowd.frame_of(3), 6.0)
	crowd.free()


func _player() -> TrueVATPlayer:
	var player := TrueVATPlayer.new()
	player.bake = _bake()
	root.add_child(player)
	return player


func _crowd(count: int) -> TrueVATCrowd:
	var crowd := TrueVATCrowd.new()
	crowd.source = _scene(1)
	root.add_child(crowd)
	crowd.set_process(false)
	crowd.resize(count)
	return crowd


func _scene(meshes: int) -> PackedScene:
	var player := TrueVATPlayer.new()
	player.bake = _bake()
	for index in meshes:
		var instance := MeshInstance3D.new()
		instance.mesh = BoxMesh.new()
		player.add_child(instance)
		instance.owner = player
	var scene := PackedScene.new()
	scene.pack(player)
	player.free()
	return scene
