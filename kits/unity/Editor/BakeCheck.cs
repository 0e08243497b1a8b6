// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System;
using System.Collections.Generic;
using System.IO;
using System.Text;

namespace TrueVAT.Editor
{
    /// <summary>Whether sidecar, texture and mesh can be read, and belong together.</summary>
    public static class BakeCheck
    {
        const uint Magic = 0x54415654;
        const int Version = 1, LargestSide = 16384, HeaderWords = 32;

        /// <summary>What is wrong with a sidecar, or null.</summary>
        public static string Wrong(Sidecar sidecar)
        {
            if (sidecar == null || sidecar.format != "truevat")
                return "it is no sidecar of TrueVAT";
            if (sidecar.version != Version)
                return "its version is " + sidecar.version + ", and this package reads version " + Version
                    + ": update the package";
            if (sidecar.profile != "truevat" && sidecar.profile != "bounds" && sidecar.profile != "nekovat")
                return "the profile '" + sidecar.profile + "' has players of its own: use those";
            if (sidecar.files == null || sidecar.texture == null || sidecar.frames == null || sidecar.bake_id == null)
                return "it is not complete: bake again";
            foreach (Sidecar.FileEntry file in sidecar.files.All)
                if (Given(file) && !PlainName(file.name))
                    return "it names a file outside its own folder: '" + file.name + "'";
            if (!Given(sidecar.files.texture))
                return "it names no texture";
            if (!Given(sidecar.files.mesh))
                return "it names no mesh: bake with an FBX file";
            // glTF comes to Unity turned by half a turn, and by packages of others.
            if (Path.GetExtension(sidecar.files.mesh.name).ToLowerInvariant() != ".fbx")
                return "its mesh is no FBX, which is what Unity reads: bake with an FBX file";
            Sidecar.Texture texture = sidecar.texture;
            if (texture.width < 1 || texture.height < 1 || texture.width > LargestSide || texture.height > LargestSide)
                return "its texture is " + texture.width + " x " + texture.height + ", and Unity's sides end at "
                    + LargestSide + ": bake fewer frames, or at a lower rate";
            if (sidecar.clips == null || sidecar.clips.Length == 0)
                return "it has no clips";
            foreach (Sidecar.ClipEntry clip in sidecar.clips)
                if (clip.fps == null || clip.fps.numerator < 1 || clip.fps.denominator < 1
                    || clip.frames < 1 || clip.first_frame < 0
                    || (long)clip.first_frame + clip.frames > sidecar.frames.stored)
                    return "its clip '" + clip.name + "' is not within what is stored";
            return Box(sidecar.bounds) ? null : "it has no bounds";
        }

        public static bool Given(Sidecar.FileEntry file)
        {
            return file != null && !string.IsNullOrEmpty(file.name);
        }

        static bool PlainName(string name)
        {
            return name.IndexOfAny(new[] { '/', '\\', ':' }) < 0 && name != "." && name != ".."
                && name.IndexOfAny(Path.GetInvalidFileNameChars()) < 0;
        }

        static bool Box(Sidecar.Box box)
        {
            return box != null && box.min != null && box.max != null && box.min.Length == 3 && box.max.Length == 3;
        }

        /// <summary>What keeps the files in a folder from belonging together, or null.</summary>
        public static string Mismatch(Sidecar sidecar, string folder)
        {
            string texture = Path.Combine(folder, sidecar.files.texture.name);
            string mesh = Path.Combine(folder, sidecar.files.mesh.name);
            foreach (string path in new[] { texture, mesh })
                if (!File.Exists(path))
                    return "'" + Path.GetFileName(path) + "' is missing: put all files of the bake into one folder";
            long bytes = new FileInfo(texture).Length;
            if (bytes != sidecar.files.texture.bytes)
                return Other(texture) + " (" + bytes + " bytes, not " + sidecar.files.texture.bytes + ")";
            bool exr = Path.GetExtension(texture).ToLowerInvariant() == ".exr";
            string wrong = exr ? WrongTexture(sidecar, texture) : null;
            if (wrong != null)
                return wrong;
            ICollection<string> ids = MeshIds(mesh);
            if (ids.Count > 0 && !ids.Contains(sidecar.bake_id))
                return Other(mesh) + " (its bake id is " + string.Join(", ", new List<string>(ids).ToArray()) + ")";
            return null;
        }

        static string Other(string path)
        {
            return "'" + Path.GetFileName(path) + "' is of another bake: copy all its files together";
        }

        static string WrongTexture(Sidecar sidecar, string path)
        {
            string name = "'" + Path.GetFileName(path) + "'";
            try
            {
                ExrHeader header = ExrHeader.Read(path);
                if (header.Width != sidecar.texture.width || header.Height != sidecar.texture.height
                    || header.Half != (sidecar.texture.pixel == "float16"))
                    return Other(path) + " (" + header.Width + " x " + header.Height
                        + (header.Half ? " HALF)" : " FLOAT)");
                if (sidecar.profile != "truevat")
                    return null;
                uint[] words = ExrHeader.ReadWords(path, HeaderWords);
                if (words[0] != Magic)
                    return name + " has no header of a bake";
                if (words[1] != Version || words[2] != 0)
                    return name + " is of version " + words[1] + " with features " + words[2]
                        + ", which this package does not read: update the package";
                StringBuilder id = new StringBuilder();
                for (int i = 24; i < 28; i++)
                    id.Append(words[i].ToString("x8"));
                return id.ToString() == sidecar.bake_id ? null : Other(path) + " (its bake id is " + id + ")";
            }
            catch (InvalidDataException error)
            {
                return name + " is not the texture of a bake: " + error.Message;
            }
        }

        /// <summary>
        /// The bake ids that a mesh file's objects carry as the custom property truevat_bake: in FBX
        /// and in glTF the 32 digits stand soon after its name.
        /// </summary>
        public static ICollection<string> MeshIds(string path)
        {
            const string key = "truevat_bake";
            const int reach = 128, digits = 32;
            byte[] data = File.ReadAllBytes(path);
            byte[] wanted = Encoding.ASCII.GetBytes(key);
            HashSet<string> found = new HashSet<string>();
            for (int at = IndexOf(data, wanted, 0); at >= 0; at = IndexOf(data, wanted, at + 1))
            {
                int run = 0;
                int end = Math.Min(data.Length, at + wanted.Length + reach);
                for (int i = at + wanted.Length; i < end && run < digits; i++)
                {
                    bool hex = data[i] >= '0' && data[i] <= '9' || data[i] >= 'a' && data[i] <= 'f';
                    run = hex ? run + 1 : 0;
                    if (run == digits)
                        found.Add(Encoding.ASCII.GetString(data, i + 1 - digits, digits));
                }
            }
            return found;
        }

        static int IndexOf(byte[] data, byte[] wanted, int from)
        {
            for (int i = from; i <= data.Length - wanted.Length; i++)
            {
                int k = 0;
                while (k < wanted.Length && data[i + k] == wanted[k])
                    k++;
                if (k == wanted.Length)
                    return i;
            }
            return -1;
        }
    }
}
