# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Unity: .meta files beside textures and model, so that the import is right without any package.

The GUID in them is the first 32 hexadecimal digits of the SHA-256 of "truevat:<bake>/<file>": the
same for every bake of that name, so that a new bake keeps what refers to the old one. Where Unity
meets one GUID twice in a project, it gives the second asset another.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import PurePath

from .base import Engine, EngineBake, Texture

Tree = dict[str, "int | float | str | list[Tree] | Tree"]

# TextureImporterFormat: RGBAFloat, RGBAHalf, RGBA64.
FORMATS = {"float32": 20, "float16": 17, "unorm16": 74}
AUTOMATIC = -1
# "Automatic" compresses, and each platform has its own: all are overridden.
PLATFORMS = ("Standalone", "Android", "iPhone", "WebGL")
# Of a texture's sides. Unity resizes what is larger; a later bake may be, and keeps this file.
LARGEST = 16384


class Unity(Engine):
    name = "unity"
    mesh = "fbx"
    label = "Unity"
    description = "Import settings for Unity beside the bake"

    def files(self, bake: EngineBake) -> dict[str, str]:
        """A .meta for each texture, and for the model: of FBX only, since Unity reads no glTF."""
        files = {}
        for texture in bake.textures:
            importer = {"TextureImporter": texture_importer(texture)}
            files[f"{texture.file}.meta"] = meta(bake, texture.file, importer)
        if bake.mesh and PurePath(bake.mesh).suffix.lower() == ".fbx":
            importer = {"ModelImporter": model_importer(bake.profile)}
            files[f"{bake.mesh}.meta"] = meta(bake, bake.mesh, importer)
        return files

    def outdated(self, existing: str, wanted: str) -> bool:
        """Half floats lose what floats have; the other way round it only takes more memory."""
        floats = str(FORMATS["float32"])
        return floats in _formats(wanted) and floats not in _formats(existing)


def _formats(text: str) -> set[str]:
    return set(re.findall(r"textureFormat: (-?\d+)", text))


def guid(bake_name: str, file: str) -> str:
    return hashlib.sha256(f"truevat:{bake_name}/{file}".encode()).hexdigest()[:32]


def meta(bake: EngineBake, file: str, importer: Tree) -> str:
    tree: Tree = {"fileFormatVersion": 2, "guid": guid(bake.name, file), **importer}
    return "".join(f"{line}\n" for line in _lines(tree))


def texture_importer(texture: Texture) -> Tree:
    """Every texel as it is in the file."""

    def platform(target: str, pixel_format: int, overridden: int) -> Tree:
        return {
            "serializedVersion": 3,
            "buildTarget": target,
            "maxTextureSize": LARGEST,
            "resizeAlgorithm": 0,
            "textureFormat": pixel_format,
            "textureCompression": 0,
            "compressionQuality": 50,
            "crunchedCompression": 0,
            "allowsAlphaSplitting": 0,
            "overridden": overridden,
        }

    pixel_format = FORMATS[texture.pixel]
    return {
        "serializedVersion": 11,
        "mipmaps": {
            "mipMapMode": 0,
            "enableMipMap": 0,
            "sRGBTexture": 0,
            "linearTexture": 0,
            "fadeOut": 0,
            "borderMipMap": 0,
        },
        "isReadable": 0,
        "streamingMipmaps": 0,
        "vTOnly": 0,
        "grayScaleToAlpha": 0,
        "generateCubemap": 6,
        "maxTextureSize": LARGEST,
        "textureSettings": {
            "serializedVersion": 2,
            "filterMode": 0,
            "aniso": 0,
            "mipBias": 0,
            "wrapU": 1,
            "wrapV": 1,
            "wrapW": 1,
        },
        "nPOTScale": 0,
        "alphaUsage": 1,
        "alphaIsTransparency": 0,
        "textureType": 0,
        "textureShape": 1,
        "platformSettings": [
            platform("DefaultTexturePlatform", AUTOMATIC, 0),
            *(platform(target, pixel_format, 1) for target in PLATFORMS),
        ],
        "userData": "",
        "assetBundleName": "",
        "assetBundleVariant": "",
    }


def model_importer(profile: str) -> Tree:
    """Every vertex as it is in the file, and its second UV map where it is."""
    # MikkTSpace, for normal maps. `nekovat` may be looked up by vertex ID: nothing may split there.
    tangents = 2 if profile == "nekovat" else 3
    return {
        "serializedVersion": 21202,
        "materials": {
            "materialImportMode": 2,
            "materialName": 0,
            "materialSearch": 1,
            "materialLocation": 1,
        },
        "animations": {"clipAnimations": [], "isReadable": 0},
        "meshes": {
            "globalScale": 1,
            "meshCompression": 0,
            "addColliders": 0,
            "useSRGBMaterialColor": 1,
            "sortHierarchyByName": 1,
            "importVisibility": 0,
            "importBlendShapes": 0,
            "importCameras": 0,
            "importLights": 0,
            "swapUVChannels": 0,
            "generateSecondaryUV": 0,
            "useFileUnits": 1,
            "keepQuads": 0,
            "weldVertices": 0,
            "bakeAxisConversion": 0,
            "preserveHierarchy": 1,
            "meshOptimizationFlags": 0,
            "indexFormat": 0,
            "useFileScale": 1,
            "strictVertexDataChecks": 0,
        },
        "tangentSpace": {
            "normalSmoothAngle": 60,
            "normalImportMode": 0,
            "tangentImportMode": tangents,
            "normalCalculationMode": 4,
        },
        "importAnimation": 0,
        "animationType": 0,
        "userData": "",
        "assetBundleName": "",
        "assetBundleVariant": "",
    }


def _lines(tree: Tree, indent: str = "") -> list[str]:
    """YAML as Unity writes it: no quotes, list items at the depth of their key."""
    lines = []
    for key, value in tree.items():
        if isinstance(value, dict):
            lines += [f"{indent}{key}:", *_lines(value, indent + "  ")]
        elif isinstance(value, list) and value:
            lines.append(f"{indent}{key}:")
            for item in value:
                first, *others = _lines(item)
                lines += [f"{indent}- {first}", *(f"{indent}  {line}" for line in others)]
        else:
            lines.append(f"{indent}{key}: {'[]' if value == [] else value}")
    return lines
