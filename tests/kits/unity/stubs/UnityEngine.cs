// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The signatures of Unity's API that the package uses, to compile against. Nothing here runs.
using System;
using System.Collections.Generic;
using UnityEngine.Rendering;

namespace UnityEngine
{
    public class Object
    {
        public string name { get; set; }
        public static void Destroy(Object target) { throw new NotSupportedException(); }
        public static bool operator ==(Object a, Object b) { return ReferenceEquals(a, b); }
        public static bool operator !=(Object a, Object b) { return !ReferenceEquals(a, b); }
        public override bool Equals(object other) { return ReferenceEquals(this, other); }
        public override int GetHashCode() { return 0; }
    }

    public class ScriptableObject : Object
    {
        public static T CreateInstance<T>() where T : ScriptableObject { throw new NotSupportedException(); }
    }

    public class Component : Object
    {
        public GameObject gameObject { get { throw new NotSupportedException(); } }
        public Transform transform { get { throw new NotSupportedException(); } }
        public T GetComponent<T>() { throw new NotSupportedException(); }
        public T[] GetComponentsInChildren<T>() { throw new NotSupportedException(); }
    }

    public class Behaviour : Component { }
    public class MonoBehaviour : Behaviour { }

    public sealed class GameObject : Object
    {
        public GameObject(string name) { throw new NotSupportedException(); }
        public int layer { get; set; }
        public Transform transform { get { throw new NotSupportedException(); } }
        public T AddComponent<T>() where T : Component { throw new NotSupportedException(); }
        public T GetComponent<T>() { throw new NotSupportedException(); }
        public T GetComponentInChildren<T>() { throw new NotSupportedException(); }
        public T[] GetComponentsInChildren<T>() { throw new NotSupportedException(); }
    }

    public class Transform : Component
    {
        public Vector3 position { get; set; }
        public Vector3 localPosition { get; set; }
        public Matrix4x4 localToWorldMatrix { get { throw new NotSupportedException(); } }
        public void SetParent(Transform parent, bool worldPositionStays) { throw new NotSupportedException(); }
    }

    public class Renderer : Component
    {
        public Material[] materials { get; set; }
        public Material[] sharedMaterials { get; set; }
        public void GetPropertyBlock(MaterialPropertyBlock block) { throw new NotSupportedException(); }
        public void SetPropertyBlock(MaterialPropertyBlock block) { throw new NotSupportedException(); }
    }

    public sealed class MeshRenderer : Renderer { }
    public sealed class MeshFilter : Component { public Mesh sharedMesh { get; set; } }

    public sealed class Mesh : Object
    {
        public Bounds bounds { get; set; }
        public Vector2[] uv2 { get; set; }
        public int subMeshCount { get; set; }
        public bool HasVertexAttribute(VertexAttribute attribute) { throw new NotSupportedException(); }
    }

    public class Texture : Object
    {
        public int width { get; set; }
        public int height { get; set; }
    }

    public sealed class Texture2D : Texture { }

    public sealed class Shader : Object
    {
        public static Shader Find(string name) { throw new NotSupportedException(); }
        public static int PropertyToID(string name) { throw new NotSupportedException(); }
        public static void SetGlobalVector(int id, Vector4 value) { throw new NotSupportedException(); }
    }

    public class Material : Object
    {
        public Material(Shader shader) { throw new NotSupportedException(); }
        public bool enableInstancing { get; set; }
        public bool HasProperty(string name) { throw new NotSupportedException(); }
        public Texture GetTexture(string name) { throw new NotSupportedException(); }
        public Color GetColor(string name) { throw new NotSupportedException(); }
        public void SetTexture(string name, Texture value) { throw new NotSupportedException(); }
        public void SetColor(string name, Color value) { throw new NotSupportedException(); }
        public void SetFloat(string name, float value) { throw new NotSupportedException(); }
        public void SetVector(string name, Vector4 value) { throw new NotSupportedException(); }
        public void SetVector(int id, Vector4 value) { throw new NotSupportedException(); }
    }

    public sealed class MaterialPropertyBlock
    {
        public void SetVector(int id, Vector4 value) { throw new NotSupportedException(); }
        public void SetVectorArray(int id, Vector4[] values) { throw new NotSupportedException(); }
    }

    public struct Color { public float r, g, b, a; }
    public struct Vector2 { public float x, y; public Vector2(float x, float y) { this.x = x; this.y = y; } }

    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static Vector3 one { get { return new Vector3(1, 1, 1); } }
        public float magnitude { get { throw new NotSupportedException(); } }
        public static Vector3 operator *(Vector3 v, float s) { throw new NotSupportedException(); }
    }

    public struct Vector4
    {
        public float x, y, z, w;
        public Vector4(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
        public static Vector4 zero { get { return new Vector4(); } }
    }

    public struct Matrix4x4
    {
        public Vector3 lossyScale { get { throw new NotSupportedException(); } }
        public Vector3 MultiplyPoint3x4(Vector3 point) { throw new NotSupportedException(); }
        public static Matrix4x4 Translate(Vector3 vector) { throw new NotSupportedException(); }
        public static Matrix4x4 operator *(Matrix4x4 a, Matrix4x4 b) { throw new NotSupportedException(); }
    }

    public struct Bounds
    {
        public Bounds(Vector3 center, Vector3 size) { throw new NotSupportedException(); }
        public Vector3 center { get; set; }
        public Vector3 extents { get; set; }
        public void SetMinMax(Vector3 min, Vector3 max) { throw new NotSupportedException(); }
        public void Encapsulate(Bounds bounds) { throw new NotSupportedException(); }
    }

    public static class Mathf
    {
        public static float Max(float a, float b) { return a > b ? a : b; }
        public static int Max(int a, int b) { return a > b ? a : b; }
    }

    public static class Random
    {
        public static int Range(int low, int high) { throw new NotSupportedException(); }
        public static float Range(float low, float high) { throw new NotSupportedException(); }
    }

    public static class Time
    {
        public static double timeAsDouble { get { throw new NotSupportedException(); } }
        public static int frameCount { get { throw new NotSupportedException(); } }
    }

    public static class Application { public static event Action quitting { add { } remove { } } }
    public static class Debug { public static void LogError(object message, Object context) { } }
    public static class JsonUtility { public static T FromJson<T>(string json) { throw new NotSupportedException(); } }

    public static class GUILayout
    {
        public static void Label(string text, params GUILayoutOption[] options) { }
        public static bool Button(string text, params GUILayoutOption[] options) { return false; }
        public static void BeginHorizontal(params GUILayoutOption[] options) { }
        public static void EndHorizontal() { }
    }

    public sealed class GUILayoutOption { }

    public static class Graphics
    {
        public static void RenderMeshInstanced<T>(
            RenderParams how, Mesh mesh, int submesh, List<T> instances, int count = -1, int start = 0)
            where T : struct
        {
        }
    }

    public struct RenderParams
    {
        public RenderParams(Material material) { throw new NotSupportedException(); }
        public MaterialPropertyBlock matProps { get; set; }
        public Bounds worldBounds { get; set; }
        public int layer { get; set; }
        public ShadowCastingMode shadowCastingMode { get; set; }
        public bool receiveShadows { get; set; }
        public MotionVectorGenerationMode motionVectorMode { get; set; }
    }

    public enum MotionVectorGenerationMode { Camera, Object, ForceNoMotion }
    public enum FilterMode { Point, Bilinear, Trilinear }
    public enum TextureWrapMode { Repeat, Clamp, Mirror, MirrorOnce }
    public enum RuntimeInitializeLoadType { AfterSceneLoad, BeforeSceneLoad, AfterAssembliesLoaded, BeforeSplashScreen, SubsystemRegistration }

    public sealed class TooltipAttribute : Attribute { public TooltipAttribute(string text) { } }
    public sealed class DisallowMultipleComponent : Attribute { }
    public sealed class AddComponentMenu : Attribute { public AddComponentMenu(string menu) { } }
    public sealed class RequireComponent : Attribute { public RequireComponent(Type type) { } }
    public sealed class RuntimeInitializeOnLoadMethodAttribute : Attribute
    {
        public RuntimeInitializeOnLoadMethodAttribute(RuntimeInitializeLoadType when) { }
    }
}

namespace UnityEngine.Rendering
{
    public class RenderPipelineAsset : ScriptableObject { }
    public static class GraphicsSettings
    {
        public static RenderPipelineAsset currentRenderPipeline { get { throw new NotSupportedException(); } }
    }
    public enum ShadowCastingMode { Off, On, TwoSided, ShadowsOnly }
    public enum VertexAttribute { Position, Normal, Tangent, Color, TexCoord0, TexCoord1 }
}
