// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using UnityEditor;
using UnityEngine;

namespace TrueVAT.Editor
{
    /// <summary>Sets up the textures and models that a sidecar beside them names.</summary>
    sealed class BakePostprocessor : AssetPostprocessor
    {
        // Rises when a setting changes: Unity then imports again.
        public override uint GetVersion() { return 1; }

        void OnPreprocessTexture()
        {
            Sidecar sidecar = Find();
            if (sidecar != null)
                ImportSettings.Apply((TextureImporter)assetImporter, sidecar);
        }

        void OnPreprocessModel()
        {
            Sidecar sidecar = Find();
            if (sidecar != null)
                ImportSettings.Apply((ModelImporter)assetImporter, sidecar);
        }

        void OnPostprocessModel(GameObject model)
        {
            Sidecar sidecar = Find();
            if (sidecar == null)
                return;
            // Cameras would lose the mesh when its rest pose leaves their view.
            foreach (MeshFilter filter in model.GetComponentsInChildren<MeshFilter>())
            {
                filter.sharedMesh.bounds = Bakes.UnityBounds(sidecar, sidecar.bounds);
                if (sidecar.address == "slot" && !RepairSlots(filter.sharedMesh, sidecar.slots))
                    context.LogImportError("TrueVAT: the second UV map of '" + filter.name + "' has no slots of the"
                        + " bake beside it: copy all files of the bake together, or bake again");
            }
        }

        static bool RepairSlots(Mesh mesh, int slots)
        {
            Vector2[] map = mesh.uv2;
            if (map.Length == 0)
                return false;
            float[] u = new float[map.Length], v = new float[map.Length];
            for (int i = 0; i < map.Length; i++)
            {
                u[i] = map[i].x;
                v[i] = map[i].y;
            }
            if (!SlotMap.Repair(u, v, slots))
                return false;
            for (int i = 0; i < map.Length; i++)
                map[i] = new Vector2(u[i], v[i]);
            mesh.uv2 = map;
            return true;
        }

        Sidecar Find()
        {
            string path;
            Sidecar sidecar = Bakes.Of(assetPath, out path);
            if (sidecar != null)
                context.DependsOnSourceAsset(path);
            return sidecar;
        }
    }
}
