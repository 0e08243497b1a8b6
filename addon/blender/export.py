# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Playback meshes to FBX and GLB files, by Blender's own exporters, leaving no trace."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import bpy

# isort: split
import addon_utils  # which can be found once bpy is there

from ..core.errors import BakeError
from .playback import TAG, Placement, local, make_object, playback_conflicts

BAKE_ID = "truevat_bake"  # custom property of exported objects


def export_mesh(path: Path, placements: Sequence[Placement], kind: str, bake_id: str) -> None:
    """Writes the meshes, in metres, to one file; `kind` is fbx or glb.

    Call it before the objects of this bake are placed, since names in a file are those in Blender.
    """
    export = {"fbx": _export_fbx, "glb": _export_glb}[kind]
    names = [name for name, _, _ in placements]
    playback_conflicts(names)
    with _lent_names(names, [mesh.name for _, mesh, _ in placements]), _nothing_left():
        scene = bpy.data.scenes.new("TrueVAT export")
        for name, mesh, location in placements:
            obj = make_object(scene.collection, mesh, name, location)
            obj[BAKE_ID] = bake_id
        layer = scene.view_layers[0]
        layer.objects.active = obj
        with _current(scene, layer, obj):
            _run(export, path)


@contextlib.contextmanager
def _current(
    scene: bpy.types.Scene, layer: bpy.types.ViewLayer, obj: bpy.types.Object
) -> Iterator[None]:
    """Makes them the current ones.

    The exporters leave the active object's mode, and must not find the user's. In `blender -b FILE
    -c COMMAND` there is no current window, whose cursor the glTF exporter of 4.3 turns into an
    hourglass; and to name window and object together crashes there.
    """
    context = bpy.context
    windows = context.window_manager.windows
    if context.window is not None or not windows:
        with context.temp_override(scene=scene, view_layer=layer, active_object=obj):
            yield
        return
    windows[0].scene = scene
    with context.temp_override(window=windows[0]):
        yield


def check_export(kind: str) -> None:
    """Before hours are spent: can Blender write such a mesh file?"""
    path = bpy.data.filepath
    # The exporter stores the .blend's path, which need not be UTF-8.
    if kind == "fbx" and path != path.encode(errors="replace").decode():
        raise BakeError(
            f"Blender's FBX exporter cannot store the path {ascii(path)}, which is not UTF-8; "
            "rename the .blend or its folder, or choose another mesh format"
        )


def _export_fbx(path: Path) -> None:
    """Blender's (x, y, z) becomes (-x, z, y) in the file, and (x, z, y) in Unity."""
    with _enabled("io_scene_fbx"):
        bpy.ops.export_scene.fbx(
            filepath=str(path),
            check_existing=False,
            object_types={"MESH"},
            apply_scale_options="FBX_SCALE_UNITS",
            axis_forward="Z",
            axis_up="Y",
            bake_space_transform=True,
            use_mesh_modifiers=False,
            use_custom_props=True,
            bake_anim=False,
        )


def _export_glb(path: Path) -> None:
    with _enabled("io_scene_gltf2"):
        bpy.ops.export_scene.gltf(
            filepath=str(path),
            check_existing=False,
            export_format="GLB",
            use_active_scene=True,
            export_current_frame=True,  # otherwise the exporter goes to frame 0 and back
            export_animations=False,
            export_morph=False,
            export_skins=False,
            export_extras=True,
            # what materials do not use goes to COLOR_1 and up, as COLOR_0 tints
            export_vertex_color="MATERIAL",
            export_all_vertex_colors=True,
        )


def _run(export: Callable[[Path], None], path: Path) -> None:
    """What exporters print and warn about is their makers' business; what they raise is ours."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            export(path)
    except RuntimeError as error:
        raise BakeError(f"Blender cannot write '{path}': {_reason(error)}") from error
    if not path.is_file():
        raise BakeError(f"Blender's exporter did not write '{path}'; try to export it by hand")


def _reason(error: RuntimeError) -> str:
    """An operator's error holds a whole traceback; the last line like `Name: text` says why."""
    text = str(error).partition("\nLocation:")[0].strip()
    named = [line for line in text.splitlines() if re.match(r"[\w.]+: ", line)]
    return named[-1] if named else text


@contextlib.contextmanager
def _enabled(module: str) -> Iterator[None]:
    """Exporters are add-ons that a user may have switched off."""
    if addon_utils.check(module)[1]:
        yield
        return
    preferences = bpy.context.preferences
    dirty = preferences.is_dirty
    if addon_utils.enable(module, default_set=True) is None:
        raise BakeError(
            f"Blender's exporter '{module}' cannot be enabled; see Preferences, Add-ons"
        )
    try:
        yield
    finally:
        addon_utils.disable(module, default_set=True)
        preferences.is_dirty = dirty


@contextlib.contextmanager
def _lent_names(objects: Sequence[str], meshes: Sequence[str]) -> Iterator[None]:
    """The names, free while this lasts: an earlier bake's datablocks get other ones."""
    owners = [(local(bpy.data.objects, name), name) for name in objects]
    owners += [(local(bpy.data.meshes, name), name) for name in dict.fromkeys(meshes)]
    lenders = [(owner, name) for owner, name in owners if owner is not None and TAG in owner]
    try:
        for owner, _ in lenders:
            owner.name = "TrueVAT export"
        yield
    finally:
        for owner, name in lenders:
            owner.name = name


@contextlib.contextmanager
def _nothing_left() -> Iterator[None]:
    """Removes all datablocks that were made inside, after the windows are back on their scenes."""
    windows = [(w, w.scene, w.view_layer) for w in bpy.context.window_manager.windows]
    before = {datablock.session_uid for datablock in _datablocks()}
    try:
        yield
    finally:
        for window, scene, layer in windows:
            if window.scene != scene:
                window.scene = scene
                window.view_layer = layer
        bpy.data.batch_remove([d for d in _datablocks() if d.session_uid not in before])


def _datablocks() -> Iterator[bpy.types.ID]:
    for prop in bpy.data.bl_rna.properties:
        if prop.type == "COLLECTION":
            yield from getattr(bpy.data, prop.identifier)
