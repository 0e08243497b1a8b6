// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System;
using System.IO;
using UnityEngine;

namespace TrueVAT.Editor
{
    /// <summary>Sidecars, and which of them a file belongs to.</summary>
    static class Bakes
    {
        public const string Extension = ".truevat.json";

        /// <summary>Null if it is none.</summary>
        public static Sidecar Read(string path)
        {
            try
            {
                return JsonUtility.FromJson<Sidecar>(File.ReadAllText(path));
            }
            catch (ArgumentException)
            {
                return null;
            }
        }

        /// <summary>The sidecar beside a file that names it, and its path; null if there is none.</summary>
        public static Sidecar Of(string assetPath, out string sidecarPath)
        {
            string folder = Path.GetDirectoryName(assetPath);
            string name = Path.GetFileName(assetPath);
            foreach (string path in Directory.GetFiles(folder, "*" + Extension))
            {
                Sidecar sidecar = Read(path);
                if (BakeCheck.Wrong(sidecar) != null)
                    continue;
                foreach (Sidecar.FileEntry file in sidecar.files.All)
                {
                    if (!BakeCheck.Given(file) || file.name != name)
                        continue;
                    sidecarPath = folder.Replace('\\', '/') + "/" + Path.GetFileName(path);
                    return sidecar;
                }
            }
            sidecarPath = null;
            return null;
        }

        /// <summary>Bounds in Unity's axes, in which some profiles have them already.</summary>
        public static Bounds UnityBounds(Sidecar sidecar, Sidecar.Box box)
        {
            Vector3 min = Point(sidecar, box.min), max = Point(sidecar, box.max);
            Bounds bounds = new Bounds();
            bounds.SetMinMax(min, max);
            return bounds;
        }

        static Vector3 Point(Sidecar sidecar, float[] p)
        {
            bool blender = sidecar.space == null || sidecar.space.axes == "right-handed, Z up";
            return blender ? new Vector3(p[0], p[2], p[1]) : new Vector3(p[0], p[1], p[2]);
        }
    }
}
