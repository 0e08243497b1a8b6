# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
extends SceneTree
## Draws each picture of jobs.json and counts its draw calls: godot -s render.gd

const SIZE := 320
const SHADERS := "res://addons/truevat/shaders/"

var _view := SubViewport.new()
var _stage: Node3D


func _initialize() -> void:
	_view.size = Vector2i(SIZE, SIZE)
	_view.own_world_3d = true
	_view.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	root.add_child(_view)
	_draw_all.call_deferred()


func _draw_all() -> void:
	var results := {}
	for job: Dictionary in JSON.parse_string(FileAccess.get_file_as_string("res://jobs.json")):
		results[job.name] = await _draw(job)
	var file := FileAccess.open("res://results.json", FileAccess.WRITE)
	file.store_string(JSON.stringify(results))
	file.close()
	quit()


func _draw(job: Dictionary) -> Dictionary:
	_stage = Node3D.new()
	_view.add_child(_stage)
	_light(job)
	var numbers: Array = []
	for thing: Dictionary in job.things:
		if thing.has("soup"):
			var soup := _soup(thing)
			soup.cast_shadow = int(thing.get("cast", GeometryInstance3D.SHADOW_CASTING_SETTING_ON))
			_stage.add_child(soup)
		elif thing.has("crowd"):
			numbers = _crowd(thing)
		else:
			numbers = _player(thing)
	if job.has("seconds"):
		await create_timer(job.seconds).timeout
		numbers = [_stage.get_child(-1).current_position()]
	for frame in 3:
		await RenderingServer.frame_post_draw
	_save(_view.get_texture().get_image(), "res://pictures/" + job.name)
	var calls := {}
	for type in [Viewport.RENDER_INFO_TYPE_VISIBLE, Viewport.RENDER_INFO_TYPE_SHADOW]:
		calls["shadow" if type else "visible"] = _view.get_render_info(
			type, Viewport.RENDER_INFO_DRAW_CALLS_IN_FRAME
		)
	_stage.free()
	return {"calls": calls, "numbers": numbers}


func _save(image: Image, path: String) -> void:
	image.save_png(path + ".png")
	image.convert(Image.FORMAT_RGB8)
	var file := FileAccess.open(path + ".rgb", FileAccess.WRITE)
	file.store_buffer(image.get_data())
	file.close()


func _light(job: Dictionary) -> void:
	var camera := Camera3D.new()
	camera.projection = Camera3D.PROJECTION_ORTHOGONAL
	camera.size = job.size
	camera.far = job.get("far", 40.0)
	_stage.add_child(camera)
	var target := _vector(job.target)
	camera.look_at_from_position(target + _vector(job.get("from", [4, 3, 6])), target)
	var environment := Environment.new()
	environment.background_mode = Environment.BG_COLOR
	environment.background_color = Color(0.2, 0.2, 0.25)
	environment.ambient_light_source = Environment.AMBIENT_SOURCE_COLOR
	environment.ambient_light_color = Color(0.4, 0.4, 0.4)
	camera.environment = environment
	var sun := DirectionalLight3D.new()
	sun.rotation_degrees = Vector3(-50, -60, 0)
	sun.shadow_enabled = job.get("shadow", false)
	sun.directional_shadow_mode = DirectionalLight3D.SHADOW_ORTHOGONAL
	sun.directional_shadow_max_distance = camera.far
	_stage.add_child(sun)
	if job.has("ground"):
		var ground := MeshInstance3D.new()
		ground.mesh = PlaneMesh.new()
		ground.mesh.size = Vector2(40, 40)
		ground.position.y = job.ground
		_stage.add_child(ground)


# Triangles as they are: each part a material and raw corners, 8 floats each: position, normal, UV.
func _soup(thing: Dictionary) -> MeshInstance3D:
	var mesh := ArrayMesh.new()
	for part: Dictionary in thing.soup:
		var floats := FileAccess.get_file_as_bytes(part.file).to_float32_array()
		var tool := SurfaceTool.new()
		tool.begin(Mesh.PRIMITIVE_TRIANGLES)
		for at in range(0, floats.size(), 8):
			tool.set_normal(Vector3(floats[at + 3], floats[at + 4], floats[at + 5]))
			tool.set_uv(Vector2(floats[at + 6], floats[at + 7]))
			tool.add_vertex(Vector3(floats[at], floats[at + 1], floats[at + 2]))
		if part.has("like"):
			tool.generate_tangents()
			tool.commit(mesh)
			mesh.surface_set_material(mesh.get_surface_count() - 1, _imported(part.like, part.material))
			continue
		tool.commit(mesh)
		var material := StandardMaterial3D.new()
		material.albedo_color = Color(part.color[0], part.color[1], part.color[2]).linear_to_srgb()
		material.roughness = part.roughness
		material.metallic = 0.0
		material.metallic_specular = 0.5
		material.cull_mode = BaseMaterial3D.CULL_BACK
		mesh.surface_set_material(mesh.get_surface_count() - 1, material)
	var instance := MeshInstance3D.new()
	instance.mesh = mesh
	return instance


# A material that Godot itself made of a GLB file.
func _imported(scene: String, material: String) -> Material:
	var root_node: Node = load(scene).instantiate()
	var result: Material = null
	for node: MeshInstance3D in root_node.find_children("*", "MeshInstance3D", true, false):
		for surface in node.mesh.get_surface_count():
			if node.mesh.surface_get_material(surface).resource_name == material:
				result = node.mesh.surface_get_material(surface)
	root_node.free()
	return result


func _player(thing: Dictionary) -> Array:
	var player: TrueVATPlayer = load(thing.scene).instantiate()
	if not thing.get("live", false):
		player.clock = TrueVATPlayer.Clock.MANUAL
	_stage.add_child(player)
	_prepare(player.meshes()[0].mesh, thing)
	_do(player, thing.get("actions", []))
	return [player.current_position()]


func _crowd(thing: Dictionary) -> Array:
	var crowd := TrueVATCrowd.new()
	crowd.source = load(thing.scene)
	_stage.add_child(crowd)
	crowd.set_process(false)
	_prepare(crowd.multimesh.mesh, thing)
	var instances: Array = thing.crowd
	crowd.resize(instances.size())
	_do(crowd, thing.get("before", []))
	for index in instances.size():
		var instance: Dictionary = instances[index]
		crowd.place(index, Transform3D(Basis.IDENTITY, _vector(instance.place)))
		crowd.play(index, instance.clip, instance.start, instance.speed)
	_do(crowd, thing.get("actions", []))
	return range(instances.size()).map(crowd.frame_of)


func _do(object: Object, actions: Array) -> void:
	for action: Array in actions:
		if action[0] == "advance_many":
			for step in int(action[1]):
				object.call("advance", action[2])
		elif action[0] == "set":
			object.set(action[1], action[2])
		else:
			object.callv(action[0], action.slice(1))


# For what must not look the same: other shaders, other bounds.
func _prepare(mesh: ArrayMesh, thing: Dictionary) -> void:
	if thing.has("bounds"):
		var low := _vector(thing.bounds[0])
		mesh.custom_aabb = AABB(low, _vector(thing.bounds[1]) - low)
	for surface in mesh.get_surface_count():
		var material: ShaderMaterial = mesh.surface_get_material(surface)
		if thing.has("shaders"):
			material = material.duplicate()
			var shader := Shader.new()
			shader.code = material.shader.code.replace(SHADERS, thing.shaders)
			material.shader = shader
			mesh.surface_set_material(surface, material)


static func _vector(numbers: Array) -> Vector3:
	return Vector3(numbers[0], numbers[1], numbers[2])
