# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
@tool
extends EditorPlugin

const Importer := preload("editor/importer.gd")

var _importer: Importer


func _enter_tree() -> void:
	_importer = Importer.new()
	add_import_plugin(_importer)


func _exit_tree() -> void:
	remove_import_plugin(_importer)
	_importer = null
