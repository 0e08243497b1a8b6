# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
class_name TrueVATBake
extends Resource
## What a player has to know of a bake. The importer makes it from the sidecar.

const Clip := preload("clip.gd")

@export var id: String
@export var clips: Array[Clip]
## Of the whole animation, around the origin of the mesh, in Godot's axes.
@export var bounds: AABB
## False where the triangles change from frame to frame: two frames are then never mixed.
@export var constant_topology := true


func index_of(clip: StringName) -> int:
	for index in clips.size():
		if clips[index].name == clip:
			return index
	push_error("TrueVAT: no clip '%s'; there are: %s" % [clip, ", ".join(names())])
	return -1


func names() -> PackedStringArray:
	var result := PackedStringArray()
	for clip in clips:
		result.append(clip.name)
	return result
