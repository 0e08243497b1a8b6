// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using UnityEditor;
using UnityEngine;

namespace TrueVAT.Editor
{
    /// <summary>Every import setting on which a bake depends.</summary>
    static class ImportSettings
    {
        static readonly string[] Platforms = { "Standalone", "Android", "iPhone", "WebGL" };

        public static void Apply(TextureImporter importer, Sidecar sidecar)
        {
            TextureImporterFormat format = sidecar.texture.pixel == "float16"
                ? TextureImporterFormat.RGBAHalf
                : TextureImporterFormat.RGBAFloat;
            int size = 32;
            while (size < Mathf.Max(sidecar.texture.width, sidecar.texture.height))
                size *= 2;
            importer.textureType = TextureImporterType.Default;
            importer.textureShape = TextureImporterShape.Texture2D;
            importer.sRGBTexture = false;
            importer.alphaSource = TextureImporterAlphaSource.FromInput;
            importer.alphaIsTransparency = false;
            importer.npotScale = TextureImporterNPOTScale.None;
            importer.mipmapEnabled = false;
            importer.streamingMipmaps = false;
            importer.isReadable = false;
            importer.filterMode = FilterMode.Point;
            importer.wrapMode = TextureWrapMode.Clamp;
            importer.anisoLevel = 0;
            importer.maxTextureSize = size;
            importer.textureCompression = TextureImporterCompression.Uncompressed;
            importer.crunchedCompression = false;
            foreach (string platform in Platforms)
            {
                TextureImporterPlatformSettings settings = importer.GetPlatformTextureSettings(platform);
                settings.overridden = true;
                settings.format = format;
                settings.maxTextureSize = size;
                settings.textureCompression = TextureImporterCompression.Uncompressed;
                settings.crunchedCompression = false;
                importer.SetPlatformTextureSettings(settings);
            }
        }

        public static void Apply(ModelImporter importer, Sidecar sidecar)
        {
            importer.globalScale = 1;
            importer.useFileUnits = true;
            importer.useFileScale = true;
            importer.bakeAxisConversion = false;
            importer.meshCompression = ModelImporterMeshCompression.Off;
            importer.meshOptimizationFlags = 0;
            importer.weldVertices = false;
            importer.keepQuads = false;
            importer.swapUVChannels = false;
            importer.generateSecondaryUV = false;
            importer.addCollider = false;
            importer.importBlendShapes = false;
            importer.importVisibility = false;
            importer.importCameras = false;
            importer.importLights = false;
            importer.preserveHierarchy = true;
            importer.indexFormat = ModelImporterIndexFormat.Auto;
            importer.importNormals = ModelImporterNormals.Import;
            importer.importTangents = sidecar.profile == "nekovat"
                ? ModelImporterTangents.None
                : ModelImporterTangents.CalculateMikk;
            importer.animationType = ModelImporterAnimationType.None;
            importer.importAnimation = false;
        }
    }
}
