// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System;

namespace TrueVAT.Editor
{
    /// <summary>What of a .truevat.json Unity needs. Names are those of its keys.</summary>
    [Serializable]
    public sealed class Sidecar
    {
        [Serializable] public sealed class FileEntry { public string name; public long bytes; }

        [Serializable]
        public sealed class Files
        {
            public FileEntry texture, normals, mesh;

            public FileEntry[] All { get { return new[] { texture, normals, mesh }; } }
        }

        [Serializable] public sealed class Fps { public int numerator, denominator; }
        [Serializable] public sealed class Box { public float[] min, max; }
        [Serializable] public sealed class Space { public string axes; }

        [Serializable]
        public sealed class Texture
        {
            public int width, height, header_rows, rows_per_frame;
            public string pixel;
        }

        [Serializable]
        public sealed class Frames { public int stored; public Fps fps; }

        [Serializable]
        public sealed class ClipEntry
        {
            public string name;
            public int first_frame, frames;
            public Fps fps;
            public bool loop;
            public Box bounds;
        }

        public string format, profile, bake_id, address;
        public int version, slots;
        public Files files;
        public Texture texture;
        public Frames frames;
        public ClipEntry[] clips;
        public bool constant_topology;
        public Space space;
        public Box bounds;
    }
}
