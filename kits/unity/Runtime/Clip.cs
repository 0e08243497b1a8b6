// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System;

namespace TrueVAT
{
    /// <summary>What a player needs to know of a clip.</summary>
    [Serializable]
    public struct Clip
    {
        public string name;
        public int firstFrame;
        public int frames;
        public int fpsNumerator;
        public int fpsDenominator;
        public bool loop;

        public double Fps { get { return (double)fpsNumerator / fpsDenominator; } }

        /// <summary>Seconds from its first frame to its end, played once at speed 1.</summary>
        public double Length { get { return (loop ? frames : frames - 1) / Fps; } }
    }

    /// <summary>What happens at a clip's end.</summary>
    public enum AtEnd { AsBaked, Loop, Hold }
}
