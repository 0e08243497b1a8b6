// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using UnityEditor;
using UnityEngine;

namespace TrueVAT.Editor
{
    /// <summary>A bake's numbers as properties of its shader.</summary>
    static class BakeMaterial
    {
        public static void Set(Material material, Sidecar sidecar, string folder, Texture2D texture)
        {
            Sidecar.ClipEntry first = sidecar.clips[0];
            float fps = (float)first.fps.numerator / first.fps.denominator;
            if (sidecar.profile == "truevat")
            {
                material.SetTexture("_VAT", texture);
                material.SetFloat("_Blend", sidecar.constant_topology ? 1 : 0);
            }
            else if (sidecar.profile == "bounds")
            {
                material.SetTexture("_Positions", texture);
                bool normals = BakeCheck.Given(sidecar.files.normals);
                material.SetFloat("_HasNormals", normals ? 1 : 0);
                if (normals)
                    material.SetTexture("_Normals",
                        AssetDatabase.LoadAssetAtPath<Texture2D>(folder + "/" + sidecar.files.normals.name));
                material.SetVector("_BoundsMin", Vector(sidecar.bounds.min));
                material.SetVector("_BoundsMax", Vector(sidecar.bounds.max));
                material.SetFloat("_RowsPerFrame", sidecar.texture.rows_per_frame);
                material.SetFloat("_FirstFrame", first.first_frame);
                material.SetFloat("_FrameCount", first.frames);
                material.SetFloat("_Fps", fps);
                material.SetFloat("_Loop", first.loop ? 1 : 0);
            }
            else
            {
                material.SetTexture("_Texture", texture);
                material.SetFloat("_RowsPerFrame", sidecar.texture.rows_per_frame);
                material.SetFloat("_Samples", sidecar.frames.stored);
                material.SetFloat("_TimeMotion", 1);
                material.SetFloat("_FPS", fps);
                material.SetFloat("_IsLerp", sidecar.constant_topology ? 1 : 0);
            }
        }

        /// <summary>Base color and normal map, by the names that Unity's pipelines use.</summary>
        public static void CopyLook(Material source, Material material)
        {
            string map = material.HasProperty("_BaseMap") ? "_BaseMap" : "_MainTex";
            string color = material.HasProperty("_BaseColor") ? "_BaseColor" : "_Color";
            foreach (string name in new[] { "_BaseMap", "_MainTex" })
                if (source.HasProperty(name) && source.GetTexture(name) != null)
                {
                    material.SetTexture(map, source.GetTexture(name));
                    break;
                }
            foreach (string name in new[] { "_BaseColor", "_Color" })
                if (source.HasProperty(name))
                {
                    material.SetColor(color, source.GetColor(name));
                    break;
                }
            if (material.HasProperty("_BumpMap") && source.HasProperty("_BumpMap"))
                material.SetTexture("_BumpMap", source.GetTexture("_BumpMap"));
        }

        static Vector4 Vector(float[] p) { return new Vector4(p[0], p[1], p[2], 0); }
    }
}
