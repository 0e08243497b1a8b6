# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
extends "tester.gd"
## The player's clock, without a scene.

const STEP := 1.0 / 60.0


func test_a_clip_starts_at_its_first_frame() -> void:
	var mixer := _mixer()
	mixer.play(&"loop")
	_same(mixer.samples(), [Vector4(0, 1, 0, 1)])
	mixer.play(&"shot")
	_same(mixer.samples(), [Vector4(24, 25, 0, 1)])


func test_between_frames() -> void:
	var mixer := _mixer()
	mixer.play(&"loop")
	mixer.advance(2.25 / 24.0)
	_same(mixer.samples(), [Vector4(2, 3, 0.25, 1)])


func test_a_loop_goes_from_its_last_frame_to_its_first() -> void:
	var mixer := _mixer()
	mixer.play(&"loop")
	mixer.advance(23.5 / 24.0)
	_same(mixer.samples(), [Vector4(23, 0, 0.5, 1)])
	mixer.advance(0.5 / 24.0)
	_same(mixer.samples(), [Vector4(0, 1, 0, 1)])


func test_a_shot_holds_its_last_frame() -> void:
	var mixer := _mixer()
	var ends := []
	mixer.finished.connect(ends.append)
	mixer.play(&"shot")
	for step in 100:
		mixer.advance(STEP)
	_same(mixer.samples(), [Vector4(35, 35, 0, 1)])
	_check(mixer.is_finished(), "is finished")
	_check(ends == [&"shot"], "says so once")


func test_times_of_frames_are_frames() -> void:
	for fps: float in [24.0, 25.0, 29.97, 30000.0 / 1001.0, 59.94]:
		var bake := _bake()
		bake.clips[0].fps = fps
		bake.constant_topology = false
		var mixer := TrueVATMixer.new(bake)
		mixer.play(&"loop")
		for frame in 24:
			mixer.seek(frame / fps)
			_check(mixer.samples()[0].x == frame, "%s fps: frame %d" % [fps, frame])


func test_backwards() -> void:
	var mixer := _mixer()
	mixer.play(&"shot", 0.0, -1.0)
	_same(mixer.samples(), [Vector4(35, 35, 0, 1)])
	mixer.advance(1.5 / 12.0)
	_same(mixer.samples(), [Vector4(33, 34, 0.5, 1)])
	mixer.advance(10.0)
	_same(mixer.samples(), [Vector4(24, 25, 0, 1)])
	_check(mixer.is_finished(), "ends at its start")
	mixer.play(&"loop", 0.0, -1.0)
	mixer.advance(0.5 / 24.0)
	_same(mixer.samples(), [Vector4(23, 0, 0.5, 1)])


func test_turning_back_in_the_middle() -> void:
	var mixer := _mixer()
	mixer.play(&"shot")
	mixer.advance(5.0 / 12.0)
	mixer.speed = -2.0
	mixer.advance(1.0 / 12.0)
	_same(mixer.samples(), [Vector4(27, 28, 0, 1)])


func test_speed_zero_stands() -> void:
	var mixer := _mixer()
	mixer.play(&"shot")
	mixer.speed = 0.0
	mixer.advance(100.0)
	_same(mixer.samples(), [Vector4(24, 25, 0, 1)])
	_check(not mixer.is_finished(), "is not finished")


func test_seek() -> void:
	var mixer := _mixer()
	mixer.play(&"shot")
	mixer.advance(100.0)
	mixer.seek(0.25)
	_same(mixer.samples(), [Vector4(27, 28, 0, 1)])
	_check(not mixer.is_finished(), "is not finished")
	_near(mixer.position(), 0.25)
	mixer.seek(1000.0)
	_same(mixer.samples(), [Vector4(35, 35, 0, 1)])
	mixer.play(&"loop")
	mixer.seek(1.0 + 3.0 / 24.0)
	_same(mixer.samples(), [Vector4(3, 4, 0, 1)])


func test_loop_mode() -> void:
	var mixer := _mixer()
	mixer.loop_mode = TrueVATMixer.LoopMode.LOOP
	mixer.play(&"shot")
	mixer.advance(13.0 / 12.0)
	_same(mixer.samples(), [Vector4(25, 26, 0, 1)])
	mixer.loop_mode = TrueVATMixer.LoopMode.HOLD
	mixer.play(&"loop")
	mixer.advance(5.0)
	_same(mixer.samples(), [Vector4(23, 23, 0, 1)])


func test_queue_after_a_shot_starts_on_time() -> void:
	var mixer := _mixer()
	var ends := []
	mixer.finished.connect(ends.append)
	mixer.play(&"shot")
	mixer.queue(&"loop")
	mixer.advance(11.0 / 12.0 + 2.0 / 24.0)
	_check(mixer.current() == &"loop", "plays the queued clip")
	_same(mixer.samples(), [Vector4(2, 3, 0, 1)])
	_check(ends == [&"shot"], "told of the end")


func test_queue_after_a_loop_waits_for_its_round() -> void:
	var mixer := _mixer()
	mixer.play(&"loop")
	mixer.advance(5.0)
	mixer.queue(&"shot")
	mixer.advance(0.5)
	_check(mixer.current() == &"loop", "still plays")
	mixer.advance(0.5 + 1.0 / 12.0)
	_check(mixer.current() == &"shot", "plays the queued clip")
	_same(mixer.samples(), [Vector4(25, 26, 0, 1)])


func test_a_queue_is_played_in_order() -> void:
	var mixer := _mixer()
	mixer.play(&"shot")
	mixer.queue(&"single")
	mixer.queue(&"shot")
	mixer.queue(&"loop")
	var seen := []
	for step in 300:
		mixer.advance(STEP)
		if not seen or seen[-1] != mixer.current():
			seen.append(mixer.current())
	_check(seen == [&"shot", &"single", &"shot", &"loop"], str(seen))


func test_fade() -> void:
	var mixer := _mixer()
	mixer.play(&"loop")
	mixer.advance(4.0 / 24.0)
	mixer.play(&"shot", 0.5)
	_same(mixer.samples(), [Vector4(24, 25, 0, 0), Vector4(4, 5, 0, 1)])
	mixer.advance(0.125)
	_same(mixer.samples(), [Vector4(25, 26, 0.5, 0.25), Vector4(7, 8, 0, 0.75)])
	mixer.advance(0.375)
	_same(mixer.samples(), [Vector4(30, 31, 0, 1)])


func test_a_fade_during_a_fade() -> void:
	var mixer := _mixer()
	mixer.play(&"loop")
	mixer.play(&"shot", 1.0)
	mixer.advance(0.5)
	var before := _weights(mixer)
	mixer.play(&"single", 1.0)
	var after := _weights(mixer)
	_check(after[&"single"] == 0.0, "nothing jumps")
	_near(after[&"shot"], before[&"shot"])
	mixer.advance(0.25)
	after = _weights(mixer)
	_near(after[&"single"], 0.25)
	_near(after[&"shot"], 0.75 * 0.75)
	_near(after[&"loop"], 0.75 * 0.25)
	mixer.advance(0.5)
	_check(mixer.samples().size() == 2, "what is covered is gone")


func test_many_fades_at_once_stay_within_the_shader() -> void:
	var mixer := _mixer()
	mixer.play(&"loop")
	for index in 40:
		mixer.play([&"shot", &"single", &"loop"][index % 3], 1.0)
		mixer.advance(0.1)
		var samples := mixer.samples()
		_check(samples.size() <= TrueVATMixer.MAX_LAYERS, "%d layers" % samples.size())
		var sum := 0.0
		for sample in samples:
			sum += sample.w
			_check(sample.w >= 0.0, "weight %f" % sample.w)
		_near(sum, 1.0)


func test_changing_triangles_are_never_mixed() -> void:
	var bake := _bake()
	bake.constant_topology = false
	var mixer := TrueVATMixer.new(bake)
	mixer.play(&"loop")
	mixer.advance(2.75 / 24.0)
	_same(mixer.samples(), [Vector4(2, 3, 0, 1)])
	mixer.play(&"shot", 1.0)
	mixer.advance(0.1)
	_check(mixer.samples().size() == 1, "cuts")


func test_ten_hours_are_as_smooth_as_the_first_second() -> void:
	var mixer := _mixer()
	mixer.play(&"loop")
	# 36,000 s in steps that a game has, without a round number among them.
	var step := 0.0166683
	for index in 2159787:
		mixer.advance(step)
	var expected := fposmod(2159787 * step * 24.0, 24.0)
	var frame := _frame(mixer)
	_check(absf(frame - expected) < 1e-5, "%s instead of %s" % [frame, expected])
	for index in 60:
		mixer.advance(step)
		var moved := fposmod(_frame(mixer) - frame, 24.0)
		frame = _frame(mixer)
		_check(absf(moved - step * 24.0) < 1e-9, "a step of %s frames" % moved)


func _frame(mixer: TrueVATMixer) -> float:
	return mixer.position() * 24.0


func _weights(mixer: TrueVATMixer) -> Dictionary:
	var names := {0: &"loop", 24: &"shot", 36: &"single"}
	var result := {}
	for sample in mixer.samples():
		var first := 36 if sample.x >= 36 else 24 if sample.x >= 24 else 0
		result[names[first]] = sample.w
	return result


func _mixer() -> TrueVATMixer:
	return TrueVATMixer.new(_bake())
