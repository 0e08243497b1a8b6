# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
extends Node3D
## Shows every bake in the project: its clips as buttons, a slider, a speed, and a crowd of 1,000.
## Drag to look around, and turn the wheel to come nearer.

const FADE := 0.4
const CROWD := 1000

var _player: TrueVATPlayer
var _crowd: TrueVATCrowd
var _camera := Camera3D.new()
var _bar := HFlowContainer.new()
var _slider := HSlider.new()
var _angle := Vector2(0.6, 0.4)
var _distance := 5.0
var _target := Vector3.ZERO


func _ready() -> void:
	_build_stage()
	_bar.set_anchors_preset(Control.PRESET_TOP_WIDE)
	add_child(_bar)
	var bakes := _find_bakes("res://")
	if bakes:
		_show(bakes[0], bakes)
	else:
		var label := Label.new()
		label.text = "No bake in this project yet: copy a bake's folder into it."
		_bar.add_child(label)


func _process(_delta: float) -> void:
	if _player and _player.playing:
		_slider.set_value_no_signal(_player.current_position())
	_camera.position = _target + Vector3(
		sin(_angle.x) * cos(_angle.y), sin(_angle.y), cos(_angle.x) * cos(_angle.y)
	) * _distance
	_camera.look_at(_target)


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseMotion and event.button_mask & MOUSE_BUTTON_MASK_LEFT:
		_angle += Vector2(-event.relative.x, event.relative.y) * 0.01
		_angle.y = clampf(_angle.y, -1.5, 1.5)
	elif event is InputEventMouseButton and event.pressed:
		if event.button_index == MOUSE_BUTTON_WHEEL_UP:
			_distance *= 0.9
		elif event.button_index == MOUSE_BUTTON_WHEEL_DOWN:
			_distance /= 0.9


func _build_stage() -> void:
	var sun := DirectionalLight3D.new()
	sun.rotation_degrees = Vector3(-50, -30, 0)
	sun.shadow_enabled = true
	add_child(sun)
	var environment := WorldEnvironment.new()
	environment.environment = Environment.new()
	environment.environment.background_mode = Environment.BG_COLOR
	environment.environment.background_color = Color(0.18, 0.2, 0.24)
	environment.environment.ambient_light_source = Environment.AMBIENT_SOURCE_COLOR
	environment.environment.ambient_light_color = Color(0.45, 0.45, 0.5)
	add_child(environment)
	add_child(_camera)


func _find_bakes(folder: String) -> PackedStringArray:
	var found := PackedStringArray()
	for file in ResourceLoader.list_directory(folder):
		if file.ends_with(".truevat.json"):
			found.append(folder.path_join(file))
		elif file.ends_with("/") and file != "addons/":
			found.append_array(_find_bakes(folder.path_join(file)))
	return found


func _show(path: String, bakes: PackedStringArray) -> void:
	for old: Node in [_player, _crowd]:
		if old:
			old.queue_free()
	for child in _bar.get_children():
		if child != _slider:
			child.queue_free()
	_crowd = null
	_player = load(path).instantiate()
	add_child(_player)
	var bounds := _player.bake.bounds
	_target = _player.meshes()[0].position + bounds.get_center()
	_distance = bounds.size.length() * 0.9
	for bake in bakes:
		_button(bake.get_file().get_slice(".", 0), _show.bind(bake, bakes))
	for clip in _player.bake.names():
		_button("▶ " + clip, _play.bind(clip))
	_button("Pause", func() -> void: _player.playing = not _player.playing)
	_button("Backwards", func() -> void: _player.speed = -_player.speed)
	_button("Loop", func() -> void: _player.loop_mode = TrueVATMixer.LoopMode.LOOP)
	_button("A crowd of %d" % CROWD, _gather.bind(path))
	_slider.custom_minimum_size.x = 240
	_slider.step = 0.001
	_slider.max_value = _player.bake.clips[0].seconds()
	if not _slider.get_parent():
		_slider.value_changed.connect(func(seconds: float) -> void:
			_player.pause()
			_player.seek(seconds))
		_bar.add_child(_slider)


func _play(clip: StringName) -> void:
	_player.play(clip, FADE)
	_slider.max_value = _player.bake.clips[_player.bake.index_of(clip)].seconds()


func _gather(path: String) -> void:
	if _crowd:
		return
	_crowd = TrueVATCrowd.new()
	_crowd.source = load(path)
	add_child(_crowd)
	_crowd.resize(CROWD)
	var random := RandomNumberGenerator.new()
	var size := _player.bake.bounds.size
	var names := _player.bake.names()
	for index in CROWD:
		@warning_ignore("integer_division")
		var cell := Vector3(index % 40 - 20, 0, index / 40 + 1) * maxf(size.x, size.z) * 1.1
		_crowd.place(index, Transform3D(Basis.IDENTITY, cell * Vector3(1, 1, -1) + _target))
		_crowd.play(index, names[index % names.size()], random.randf() * 3, 0.6 + random.randf())


func _button(text: String, pressed: Callable) -> void:
	var button := Button.new()
	button.text = text
	button.focus_mode = Control.FOCUS_NONE
	button.pressed.connect(pressed)
	_bar.add_child(button)
