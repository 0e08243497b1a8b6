// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using UnityEngine;

namespace TrueVAT
{
    /// <summary>Packed states as the shaders' properties.</summary>
    static class ShaderState
    {
        public const int Vectors = 7;

        public static readonly int[] Properties =
        {
            Shader.PropertyToID("_Layer0"), Shader.PropertyToID("_Layer1"), Shader.PropertyToID("_Layer2"),
            Shader.PropertyToID("_Phases"), Shader.PropertyToID("_Fade1"), Shader.PropertyToID("_Fade2"),
            Shader.PropertyToID("_Counts"),
        };

        public static Vector4 Vector(float[] state, int index)
        {
            int at = 4 * index;
            return new Vector4(state[at], state[at + 1], state[at + 2], state[at + 3]);
        }
    }
}
