# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Import settings: those beside a bake, the package's, and those of the package's own files."""

from __future__ import annotations

import json
import re

import pytest
import yaml
from truevat.core.engines.base import EngineBake, Texture
from truevat.core.engines.unity import Unity, guid

import package_metas
from shaderlab import ROOT

PLATFORMS = {"Standalone", "Android", "iPhone", "WebGL"}
PACKAGE = ROOT / "kits" / "unity"


def bake(
    profile="truevat", pixel="float32", width=300, height=5000, mesh="Flag.fbx", normals=False
):
    textures = [Texture("Flag.truevat.exr", width, height, pixel)]
    if normals:
        textures.append(Texture("Flag_nml.exr", width, height, pixel))
    return EngineBake("Flag", profile, "0" * 32, textures, mesh, "Flag.truevat.json")


def parsed(**options):
    return {name: yaml.safe_load(text) for name, text in Unity().files(bake(**options)).items()}


@pytest.mark.parametrize("profile", ["truevat", "nekovat", "bounds", "openvat"])
@pytest.mark.parametrize("pixel, number", [("float32", 20), ("float16", 17), ("unorm16", 74)])
def test_every_platform_gets_the_texels_as_they_are(profile, pixel, number):
    metas = parsed(profile=profile, pixel=pixel, normals=True)
    assert set(metas) == {"Flag.truevat.exr.meta", "Flag_nml.exr.meta", "Flag.fbx.meta"}
    for name in ("Flag.truevat.exr.meta", "Flag_nml.exr.meta"):
        importer = metas[name]["TextureImporter"]
        assert importer["mipmaps"]["enableMipMap"] == 0
        assert importer["mipmaps"]["sRGBTexture"] == 0
        assert importer["nPOTScale"] == 0
        assert importer["textureType"] == 0
        assert importer["alphaUsage"] == 1 and importer["alphaIsTransparency"] == 0
        sampler = importer["textureSettings"]
        assert (sampler["filterMode"], sampler["wrapU"], sampler["wrapV"]) == (0, 1, 1)
        default, *platforms = importer["platformSettings"]
        assert default["buildTarget"] == "DefaultTexturePlatform" and default["overridden"] == 0
        assert {platform["buildTarget"] for platform in platforms} == PLATFORMS
        for platform in platforms:
            assert platform["overridden"] == 1 and platform["textureFormat"] == number
        for platform in (default, *platforms):
            assert platform["textureCompression"] == platform["crunchedCompression"] == 0
            assert platform["maxTextureSize"] == 16384


@pytest.mark.parametrize("side", [1, 33, 2049, 16384])
def test_no_texture_is_made_smaller(side):
    """Nor one that a later bake makes, which keeps the file."""
    for sides in ({"width": side, "height": 1}, {"width": 1, "height": side}):
        importer = parsed(**sides)["Flag.truevat.exr.meta"]["TextureImporter"]
        assert {p["maxTextureSize"] for p in importer["platformSettings"]} == {16384}
        assert importer["maxTextureSize"] == 16384


@pytest.mark.parametrize(
    "profile, tangents", [("truevat", 3), ("bounds", 3), ("openvat", 3), ("nekovat", 2)]
)
def test_the_model_keeps_its_vertices_and_maps(profile, tangents):
    importer = parsed(profile=profile)["Flag.fbx.meta"]["ModelImporter"]
    meshes = importer["meshes"]
    assert meshes["meshOptimizationFlags"] == meshes["weldVertices"] == 0
    assert meshes["meshCompression"] == meshes["keepQuads"] == 0
    assert meshes["swapUVChannels"] == meshes["generateSecondaryUV"] == 0
    assert meshes["bakeAxisConversion"] == 0
    assert meshes["globalScale"] == meshes["useFileUnits"] == meshes["useFileScale"] == 1
    assert importer["importAnimation"] == importer["animationType"] == 0
    assert importer["tangentSpace"]["normalImportMode"] == 0
    assert importer["tangentSpace"]["tangentImportMode"] == tangents
    assert importer["materials"]["materialImportMode"] == 2


@pytest.mark.parametrize("mesh", [None, "Flag.glb"])
def test_no_settings_for_a_mesh_that_unity_does_not_read(mesh):
    assert set(parsed(mesh=mesh)) == {"Flag.truevat.exr.meta"}


def test_guids_are_stable_and_differ():
    metas = parsed(normals=True)
    assert [meta["guid"] for meta in metas.values()] == [
        guid("Flag", name.removesuffix(".meta")) for name in metas
    ]
    assert len({meta["guid"] for meta in metas.values()}) == 3
    assert guid("Flag", "a.exr") != guid("Flog", "a.exr")
    assert all(re.fullmatch("[0-9a-f]{32}", meta["guid"]) for meta in metas.values())
    # A rebake refers to the same assets.
    assert parsed(pixel="float16")["Flag.fbx.meta"]["guid"] == metas["Flag.fbx.meta"]["guid"]


# -------------------------------------------------------------------------------------------------
# The package sets the same


def test_the_package_sets_the_same_platforms_and_formats():
    """What the .meta files say, the postprocessor says again: one must not undo the other."""
    text = (PACKAGE / "Editor" / "ImportSettings.cs").read_text("utf-8")
    (platforms,) = re.findall(r"Platforms = \{ (.*?) \}", text)
    assert set(re.findall(r'"(\w+)"', platforms)) == PLATFORMS
    for setting in (
        *("sRGBTexture = false", "npotScale = TextureImporterNPOTScale.None"),
        *("mipmapEnabled = false", "filterMode = FilterMode.Point", "weldVertices = false"),
        *("wrapMode = TextureWrapMode.Clamp", "meshOptimizationFlags = 0"),
        *("meshCompression = ModelImporterMeshCompression.Off", "generateSecondaryUV = false"),
        *("importTangents = sidecar.profile == ", "settings.overridden = true"),
    ):
        assert setting in text


# -------------------------------------------------------------------------------------------------
# The package's own files


def test_every_file_of_the_package_has_its_meta():
    wanted = package_metas.metas()
    assert len(wanted) > 30
    assert set(wanted) == set(PACKAGE.rglob("*.meta"))
    for file, content in wanted.items():
        assert file.read_text("utf-8") == content
        assert yaml.safe_load(content)["guid"] == content.split()[3]
    guids = [yaml.safe_load(content)["guid"] for content in wanted.values()]
    assert len(set(guids)) == len(guids)


def test_the_manifest_is_one_of_a_package():
    manifest = json.loads((PACKAGE / "package.json").read_text("utf-8"))
    assert manifest["name"] == "com.truevat.player"
    assert manifest["unity"] == "2021.3"
    assert re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"])
    # What a VPM listing asks for besides.
    assert {"displayName", "description", "author", "vpmDependencies"} <= set(manifest)
    for sample in manifest["samples"]:
        assert list((PACKAGE / sample["path"]).glob("*.cs"))
    for name, folder in (("TrueVAT.Player", "Runtime"), ("TrueVAT.Player.Editor", "Editor")):
        definition = json.loads((PACKAGE / folder / f"{name}.asmdef").read_text("utf-8"))
        assert definition["name"] == name
    assert definition["includePlatforms"] == ["Editor"]
    assert definition["references"] == ["TrueVAT.Player"]
