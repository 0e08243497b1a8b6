// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System.Collections.Generic;
using System.IO;
using UnityEditor;
using UnityEditor.AssetImporters;
using UnityEngine;
using UnityEngine.Rendering;

namespace TrueVAT.Editor
{
    /// <summary>
    /// Makes a bake's sidecar a prefab that plays: the mesh, materials of the right shader, and the
    /// clips. It is imported after models and textures. Files of different bakes are refused.
    /// </summary>
    [ScriptedImporter(1, "truevat.json", importQueueOffset: 2000)]
    sealed class BakeImporter : ScriptedImporter
    {
        public override void OnImportAsset(AssetImportContext ctx)
        {
            string folder = Path.GetDirectoryName(ctx.assetPath).Replace('\\', '/');
            Sidecar sidecar = Bakes.Read(ctx.assetPath);
            string wrong = BakeCheck.Wrong(sidecar);
            if (wrong == null)
            {
                foreach (Sidecar.FileEntry file in sidecar.files.All)
                    if (BakeCheck.Given(file))
                        ctx.DependsOnArtifact(folder + "/" + file.name);
                wrong = BakeCheck.Mismatch(sidecar, folder);
            }
            Texture2D texture = null;
            GameObject model = null;
            Shader shader = null;
            if (wrong == null)
            {
                shader = Shader.Find(ShaderName(sidecar));
                texture = AssetDatabase.LoadAssetAtPath<Texture2D>(folder + "/" + sidecar.files.texture.name);
                model = AssetDatabase.LoadAssetAtPath<GameObject>(folder + "/" + sidecar.files.mesh.name);
                wrong = shader == null
                    ? "the shader " + ShaderName(sidecar) + " is not imported yet: reimport this file"
                    : Unimported(sidecar, texture, model);
            }
            if (wrong != null)
            {
                ctx.LogImportError("TrueVAT: " + Path.GetFileName(ctx.assetPath) + ": " + wrong);
                return;
            }
            if (BakeCheck.MeshIds(folder + "/" + sidecar.files.mesh.name).Count == 0)
                ctx.LogImportWarning("TrueVAT: " + sidecar.files.mesh.name + " carries no bake id, so that nobody can"
                    + " tell whether it belongs to this texture");

            TrueVATClips clips = MakeClips(sidecar);
            clips.name = "Clips";
            GameObject prefab = MakePrefab(ctx, sidecar, folder, texture, model, shader);
            if (sidecar.profile != "nekovat")
                prefab.AddComponent<TrueVATPlayer>().clips = clips;
            ctx.AddObjectToAsset("prefab", prefab);
            ctx.AddObjectToAsset("clips", clips);
            ctx.SetMainObject(prefab);
        }

        static string Unimported(Sidecar sidecar, Texture2D texture, GameObject model)
        {
            if (texture == null)
                return "Unity could not import " + sidecar.files.texture.name;
            if (model == null)
                return "Unity could not import " + sidecar.files.mesh.name;
            if (texture.width != sidecar.texture.width || texture.height != sidecar.texture.height)
                return sidecar.files.texture.name + " was resized to " + texture.width + " x " + texture.height
                    + ": reset its import settings";
            foreach (MeshFilter filter in model.GetComponentsInChildren<MeshFilter>())
                if (!filter.sharedMesh.HasVertexAttribute(VertexAttribute.TexCoord1))
                    return "the mesh '" + filter.sharedMesh.name + "' has no second UV map: bake it again";
            return null;
        }

        static TrueVATClips MakeClips(Sidecar sidecar)
        {
            TrueVATClips asset = ScriptableObject.CreateInstance<TrueVATClips>();
            asset.bakeId = sidecar.bake_id;
            asset.profile = sidecar.profile;
            asset.constantTopology = sidecar.constant_topology;
            asset.bounds = Bakes.UnityBounds(sidecar, sidecar.bounds);
            asset.clips = new Clip[sidecar.clips.Length];
            asset.clipBounds = new Bounds[sidecar.clips.Length];
            for (int i = 0; i < asset.clips.Length; i++)
            {
                Sidecar.ClipEntry entry = sidecar.clips[i];
                asset.clips[i] = new Clip
                {
                    name = entry.name,
                    firstFrame = entry.first_frame,
                    frames = entry.frames,
                    fpsNumerator = entry.fps.numerator,
                    fpsDenominator = entry.fps.denominator,
                    loop = entry.loop,
                };
                bool has = entry.bounds != null && entry.bounds.min != null && entry.bounds.min.Length == 3;
                asset.clipBounds[i] = has ? Bakes.UnityBounds(sidecar, entry.bounds) : asset.bounds;
            }
            return asset;
        }

        static GameObject MakePrefab(
            AssetImportContext ctx, Sidecar sidecar, string folder, Texture2D texture, GameObject model,
            Shader shader)
        {
            GameObject prefab = new GameObject(
                Path.GetFileName(ctx.assetPath).Replace(Bakes.Extension, ""));
            Dictionary<string, Material> made = new Dictionary<string, Material>();
            foreach (MeshFilter filter in model.GetComponentsInChildren<MeshFilter>())
            {
                GameObject part = new GameObject(filter.name);
                part.transform.SetParent(prefab.transform, false);
                part.transform.localPosition = filter.transform.position;
                part.AddComponent<MeshFilter>().sharedMesh = filter.sharedMesh;
                Material[] materials = filter.GetComponent<MeshRenderer>().sharedMaterials;
                for (int i = 0; i < materials.Length; i++)
                    materials[i] = MakeMaterial(ctx, sidecar, folder, texture, materials[i], shader, made);
                part.AddComponent<MeshRenderer>().sharedMaterials = materials;
            }
            return prefab;
        }

        static string ShaderName(Sidecar sidecar)
        {
            if (sidecar.profile == "truevat")
                return "TrueVAT/Lit";
            if (sidecar.profile == "bounds")
                return "TrueVAT/Bounds";
            return sidecar.address == "vertex-id" ? "TrueVAT/VAT_Vertex" : "TrueVAT/VAT";
        }

        /// <summary>One for each of the model's, with its name, color and textures.</summary>
        static Material MakeMaterial(
            AssetImportContext ctx, Sidecar sidecar, string folder, Texture2D texture, Material source,
            Shader shader, Dictionary<string, Material> made)
        {
            string name = source == null ? "Material" : source.name;
            Material material;
            if (made.TryGetValue(name, out material))
                return material;
            material = new Material(shader);
            material.name = name;
            material.enableInstancing = true;
            BakeMaterial.Set(material, sidecar, folder, texture);
            if (source != null)
                BakeMaterial.CopyLook(source, material);
            made[name] = material;
            ctx.AddObjectToAsset("material " + name, material);
            return material;
        }
    }
}
