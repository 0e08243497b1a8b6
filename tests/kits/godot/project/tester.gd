# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
extends SceneTree
## Runs every function of a script whose name begins with test_, and writes what failed: godot -s

var _problems: PackedStringArray = []


func _initialize() -> void:
	# Nodes are ready only when the tree runs.
	_run.call_deferred()


func _run() -> void:
	var results := {}
	for method: Dictionary in get_method_list():
		if method.name.begins_with("test_"):
			_problems.clear()
			call(method.name)
			results[method.name] = "; ".join(_problems)
	var file := FileAccess.open("res://tested.json", FileAccess.WRITE)
	file.store_string(JSON.stringify(results))
	file.close()
	quit()


func _bake() -> TrueVATBake:
	var bake := TrueVATBake.new()
	for entry: Array in [
		[&"loop", 0, 24, 24.0, true], [&"shot", 24, 12, 12.0, false], [&"single", 36, 1, 24.0, false]
	]:
		var clip := TrueVATClip.new()
		clip.name = entry[0]
		clip.first_frame = entry[1]
		clip.frames = entry[2]
		clip.fps = entry[3]
		clip.loop = entry[4]
		bake.clips.append(clip)
	return bake


func _same(found: Array[Vector4], expected: Array[Vector4]) -> void:
	var equal := found.size() == expected.size()
	for index in found.size():
		equal = equal and found[index].is_equal_approx(expected[index])
	_check(equal, "%s instead of %s" % [found, expected])


func _near(found: float, expected: float) -> void:
	_check(absf(found - expected) < 1e-6, "%s instead of %s" % [found, expected])


func _check(right: bool, what: String) -> void:
	if not right:
		_problems.append(what)
