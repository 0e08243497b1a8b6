// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using UnityEngine;

namespace TrueVAT
{
    /// <summary>The clock of all players: one global vector, set once a frame.</summary>
    static class SharedClock
    {
        static readonly int Property = Shader.PropertyToID("_TrueVATClock");
        static Vector4 vector;
        static int frame = -1;

        public static double Now { get { return Time.timeAsDouble; } }

        public static void Tick()
        {
            if (frame == Time.frameCount)
                return;
            frame = Time.frameCount;
            float epochs, seconds;
            Clock.Split(Now, out epochs, out seconds);
            bool first = vector.x == 0;
            vector = first
                ? new Vector4(epochs, seconds, epochs, seconds)
                : new Vector4(epochs, seconds, vector.x, vector.y);
            Shader.SetGlobalVector(Property, vector);
        }

        /// <summary>Outside play mode materials play by themselves again.</summary>
        [RuntimeInitializeOnLoadMethod(RuntimeInitializeLoadType.SubsystemRegistration)]
        static void Reset()
        {
            Clear();
            Application.quitting -= Clear;
            Application.quitting += Clear;
        }

        static void Clear()
        {
            frame = -1;
            vector = Vector4.zero;
            Shader.SetGlobalVector(Property, vector);
        }
    }
}
