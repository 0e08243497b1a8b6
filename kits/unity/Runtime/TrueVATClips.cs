// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using UnityEngine;

namespace TrueVAT
{
    /// <summary>What is in a bake. The importer of its sidecar makes it.</summary>
    public sealed class TrueVATClips : ScriptableObject
    {
        public string bakeId;
        public string profile;
        public Clip[] clips;
        public Bounds[] clipBounds;
        public Bounds bounds;
        public bool constantTopology;

        /// <summary>Shaders of such a profile find no clips in the texture.</summary>
        public bool ByFrames { get { return profile != "truevat"; } }
    }
}
