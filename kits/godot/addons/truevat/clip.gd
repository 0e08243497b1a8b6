# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
class_name TrueVATClip
extends Resource
## A run of stored frames in a bake's texture.

@export var name: StringName
@export var first_frame: int
@export_range(1, 1, 1, "or_greater") var frames := 1
@export var fps := 24.0
@export var loop := false


## How long it plays. After the last frame of a loop comes the first one, a frame later.
func seconds(looping := loop) -> float:
	return (frames if looping else frames - 1) / fps


## A frame number as it is played: wrapped within a loop, else held at either end.
func bound(frame: float, looping := loop) -> float:
	if not looping:
		return clampf(frame, 0.0, frames - 1.0)
	var wrapped := fposmod(frame, frames)
	return wrapped if wrapped < frames else 0.0


## The stored frames on both sides of a frame number, and how far it is from one to the other.
func span(frame: float, looping := loop) -> Vector3:
	# Times become frame numbers by a multiplication: what lies next to a frame is that frame.
	var nearest := roundf(frame)
	var exact := bound(nearest if absf(frame - nearest) < 1e-6 else frame, looping)
	var a := floori(exact)
	var b := a + 1
	if b == frames:
		b = 0 if looping else a
	return Vector3(first_frame + a, first_frame + b, exact - a)
