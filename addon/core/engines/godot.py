# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Godot 4: the .import files from which its editor takes its settings at the first scan.

They hold no uid and no path, which are the project's own business: the editor adds both.
"""

from __future__ import annotations

from .base import Engine, EngineBake

Values = dict[str, bool | int | str]

TEXTURE: Values = {
    # VRAM uncompressed: the pixels as they are in the file.
    "compress/mode": 3,
    "compress/high_quality": False,
    "compress/hdr_compression": 0,
    "compress/normal_map": 2,
    "compress/channel_pack": 0,
    "mipmaps/generate": False,
    "roughness/mode": 1,
    "process/fix_alpha_border": False,
    "process/premult_alpha": False,
    "process/normal_map_invert_y": False,
    "process/hdr_as_srgb": False,
    "process/hdr_clamp_exposure": False,
    "process/size_limit": 0,
    # Else the editor compresses the texture as soon as something in 3D draws with it.
    "detect_3d/compress_to": 0,
}

MESH: Values = {
    # Else an object called "wall-col" becomes a collision shape.
    "nodes/use_name_suffixes": False,
    "nodes/use_node_type_suffixes": False,
    "meshes/generate_lods": False,
    # They join vertices by where they rest, and would not move.
    "meshes/create_shadow_meshes": False,
    # Dynamic: the others bake light into a mesh that moves, or replace its second UV map.
    "meshes/light_baking": 3,
    "meshes/force_disable_compression": True,
    "animation/import": False,
}


class Godot(Engine):
    name = "godot"
    mesh = "glb"
    label = "Godot"
    description = "Import settings for Godot 4 beside the bake"

    def files(self, bake: EngineBake) -> dict[str, str]:
        files = {
            f"{texture.file}.import": _text("texture", "CompressedTexture2D", TEXTURE)
            for texture in bake.textures
        }
        if bake.mesh:
            files[f"{bake.mesh}.import"] = _text("scene", "PackedScene", MESH)
        return files


def _text(importer: str, kind: str, values: Values) -> str:
    lines = ["[remap]", "", f'importer="{importer}"', f'type="{kind}"', "", "[params]", ""]
    lines += [f"{key}={_literal(value)}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


def _literal(value: bool | int | str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
