// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The signatures of Unity's editor that the package uses, to compile against. Nothing here runs.
using System;
using UnityEditor.AssetImporters;
using UnityEngine;

namespace UnityEditor
{
    public class AssetImporter : UnityEngine.Object { }

    public class AssetPostprocessor
    {
        public string assetPath { get; set; }
        public AssetImporter assetImporter { get { throw new NotSupportedException(); } }
        public AssetImportContext context { get { throw new NotSupportedException(); } }
        public virtual uint GetVersion() { return 0; }
    }

    public static class AssetDatabase
    {
        public static T LoadAssetAtPath<T>(string path) where T : UnityEngine.Object { throw new NotSupportedException(); }
    }

    public sealed class TextureImporter : AssetImporter
    {
        public TextureImporterType textureType { get; set; }
        public TextureImporterShape textureShape { get; set; }
        public bool sRGBTexture { get; set; }
        public TextureImporterAlphaSource alphaSource { get; set; }
        public bool alphaIsTransparency { get; set; }
        public TextureImporterNPOTScale npotScale { get; set; }
        public bool mipmapEnabled { get; set; }
        public bool streamingMipmaps { get; set; }
        public bool isReadable { get; set; }
        public FilterMode filterMode { get; set; }
        public TextureWrapMode wrapMode { get; set; }
        public int anisoLevel { get; set; }
        public int maxTextureSize { get; set; }
        public TextureImporterCompression textureCompression { get; set; }
        public bool crunchedCompression { get; set; }
        public TextureImporterPlatformSettings GetPlatformTextureSettings(string platform) { throw new NotSupportedException(); }
        public void SetPlatformTextureSettings(TextureImporterPlatformSettings settings) { throw new NotSupportedException(); }
    }

    public sealed class TextureImporterPlatformSettings
    {
        public bool overridden { get; set; }
        public TextureImporterFormat format { get; set; }
        public int maxTextureSize { get; set; }
        public TextureImporterCompression textureCompression { get; set; }
        public bool crunchedCompression { get; set; }
    }

    public sealed class ModelImporter : AssetImporter
    {
        public float globalScale { get; set; }
        public bool useFileUnits { get; set; }
        public bool useFileScale { get; set; }
        public bool bakeAxisConversion { get; set; }
        public ModelImporterMeshCompression meshCompression { get; set; }
        public MeshOptimizationFlags meshOptimizationFlags { get; set; }
        public bool weldVertices { get; set; }
        public bool keepQuads { get; set; }
        public bool swapUVChannels { get; set; }
        public bool generateSecondaryUV { get; set; }
        public bool addCollider { get; set; }
        public bool importBlendShapes { get; set; }
        public bool importVisibility { get; set; }
        public bool importCameras { get; set; }
        public bool importLights { get; set; }
        public bool preserveHierarchy { get; set; }
        public ModelImporterIndexFormat indexFormat { get; set; }
        public ModelImporterNormals importNormals { get; set; }
        public ModelImporterTangents importTangents { get; set; }
        public ModelImporterAnimationType animationType { get; set; }
        public bool importAnimation { get; set; }
    }

    public enum TextureImporterType { Default, NormalMap }
    public enum TextureImporterShape { Texture2D = 1 }
    public enum TextureImporterAlphaSource { None, FromInput, FromGrayScale }
    public enum TextureImporterNPOTScale { None, ToNearest, ToLarger, ToSmaller }
    public enum TextureImporterCompression { Uncompressed, Compressed, CompressedHQ, CompressedLQ }
    public enum TextureImporterFormat { Automatic = -1, RGBAHalf = 17, RGBAFloat = 20, RGBA64 = 74 }
    public enum ModelImporterMeshCompression { Off, Low, Medium, High }
    [Flags] public enum MeshOptimizationFlags { PolygonOrder = 1, VertexOrder = 2, Everything = -1 }
    public enum ModelImporterIndexFormat { Auto, UInt16, UInt32 }
    public enum ModelImporterNormals { Import, Calculate, None }
    public enum ModelImporterTangents { Import, CalculateLegacy, None, CalculateMikk, CalculateLegacyWithSplitTangents }
    public enum ModelImporterAnimationType { None, Legacy, Generic, Human }
}

namespace UnityEditor.AssetImporters
{
    [AttributeUsage(AttributeTargets.Class)]
    public sealed class ScriptedImporterAttribute : Attribute
    {
        public ScriptedImporterAttribute(int version, string extension) { }
        public int importQueueOffset { get; set; }
        public ScriptedImporterAttribute(int version, string extension, int importQueueOffset) { }
    }

    public abstract class ScriptedImporter : AssetImporter
    {
        public abstract void OnImportAsset(AssetImportContext ctx);
    }

    public class AssetImportContext
    {
        public string assetPath { get; set; }
        public void AddObjectToAsset(string identifier, UnityEngine.Object target) { }
        public void SetMainObject(UnityEngine.Object target) { }
        public void DependsOnSourceAsset(string path) { }
        public void DependsOnArtifact(string path) { }
        public void LogImportError(string message, UnityEngine.Object target = null) { }
        public void LogImportWarning(string message, UnityEngine.Object target = null) { }
    }
}
