# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
@tool
extends RefCounted
## Materials that look like the imported ones, and move.

const Sidecar := preload("sidecar.gd")
const SURFACE := "res://addons/truevat/shaders/truevat_surface.gdshaderinc"
const COPIED: Array[StringName] = [
	&"vertex_color_use_as_albedo",
	&"alpha_scissor_threshold",
	&"metallic",
	&"roughness",
	&"normal_scale",
	&"uv1_scale",
	&"uv1_offset",
]
const TEXTURES: Dictionary[StringName, StringName] = {
	&"albedo_texture": &"texture_albedo",
	&"metallic_texture": &"texture_metallic",
	&"roughness_texture": &"texture_roughness",
	&"normal_texture": &"texture_normal",
	&"ao_texture": &"texture_ambient_occlusion",
	&"emission_texture": &"texture_emission",
}
const CHANNELS: Array[StringName] = [
	&"metallic_texture_channel",
	&"roughness_texture_channel",
	&"ao_texture_channel",
]
const FILTERS: PackedStringArray = [
	"filter_nearest",
	"filter_linear",
	"filter_nearest_mipmap",
	"filter_linear_mipmap",
	"filter_nearest_mipmap_anisotropic",
	"filter_linear_mipmap_anisotropic",
]

var _sidecar: Sidecar
var _texture: Texture2D
var _made: Dictionary[Array, ShaderMaterial] = {}
var _shaders: Dictionary[String, Shader] = {}


func _init(sidecar: Sidecar, texture: Texture2D) -> void:
	_sidecar = sidecar
	_texture = texture


func moving(source: Material, has_tangents: bool) -> ShaderMaterial:
	var key := [source, has_tangents]
	if not key in _made:
		_made[key] = _make(source as BaseMaterial3D, has_tangents)
	return _made[key]


func _make(source: BaseMaterial3D, has_tangents: bool) -> ShaderMaterial:
	var material := ShaderMaterial.new()
	if not source:
		source = StandardMaterial3D.new()
	material.resource_name = source.resource_name
	material.shader = _shader(source, has_tangents)
	material.set_shader_parameter(&"truevat_texture", _texture)
	material.set_shader_parameter(&"truevat_rows", _sidecar.rows)
	material.set_shader_parameter(&"truevat_normals", _sidecar.normals)
	material.set_shader_parameter(&"albedo", source.albedo_color)
	if source.emission_enabled:
		# With a texture, the two are multiplied in glTF.
		material.set_shader_parameter(&"emission", source.emission)
		material.set_shader_parameter(&"emission_energy", source.emission_energy_multiplier)
	for property in COPIED:
		material.set_shader_parameter(property, source.get(property))
	for property in TEXTURES:
		material.set_shader_parameter(TEXTURES[property], source.get(property))
	for property in CHANNELS:
		material.set_shader_parameter(property, _channel(source.get(property)))
	return material


func _shader(source: BaseMaterial3D, has_tangents: bool) -> Shader:
	var modes := PackedStringArray(["diffuse_burley", "specular_schlick_ggx"])
	if source.cull_mode != BaseMaterial3D.CULL_BACK:
		modes.append("cull_disabled")
	if source.shading_mode == BaseMaterial3D.SHADING_MODE_UNSHADED:
		modes.append("unshaded")
	var lines := PackedStringArray(["shader_type spatial;", "render_mode %s;" % ", ".join(modes)])
	match source.transparency:
		BaseMaterial3D.TRANSPARENCY_DISABLED:
			pass
		BaseMaterial3D.TRANSPARENCY_ALPHA_SCISSOR:
			lines.append("#define TRUEVAT_CUT")
		_:
			lines.append("#define TRUEVAT_BLEND")
	var repeat := "repeat_enable" if source.texture_repeat else "repeat_disable"
	lines.append("#define TRUEVAT_SAMPLING %s, %s" % [FILTERS[source.texture_filter], repeat])
	if source.normal_enabled and has_tangents:
		lines.append("#define TRUEVAT_NORMAL_MAP")
	if _sidecar.normals[0] == 0:
		lines.append("#define TRUEVAT_FLAT")
	lines.append("#include \"%s\"\n" % SURFACE)
	var code := "\n".join(lines)
	if not code in _shaders:
		_shaders[code] = Shader.new()
		_shaders[code].code = code
	return _shaders[code]


static func _channel(channel: BaseMaterial3D.TextureChannel) -> Vector4:
	if channel == BaseMaterial3D.TEXTURE_CHANNEL_GRAYSCALE:
		return Vector4(1, 1, 1, 0) / 3
	var result := Vector4.ZERO
	result[channel] = 1.0
	return result
