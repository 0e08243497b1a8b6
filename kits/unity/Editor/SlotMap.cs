// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System;

namespace TrueVAT.Editor
{
    /// <summary>The second UV map of a playback mesh: (slot % 1024, slot / 1024).</summary>
    public static class SlotMap
    {
        const int Column = 1024;

        /// <summary>
        /// Turns v back where an exporter has written 1 - v, which leaves slots that are negative or too
        /// large. False if the map is of no bake with so many slots.
        /// </summary>
        public static bool Repair(float[] u, float[] v, int slots)
        {
            if (Fits(u, v, slots, false))
                return true;
            if (!Fits(u, v, slots, true))
                return false;
            for (int i = 0; i < v.Length; i++)
                v[i] = 1 - v[i];
            return true;
        }

        static bool Fits(float[] u, float[] v, int slots, bool turned)
        {
            for (int i = 0; i < u.Length; i++)
            {
                double row = Math.Round(turned ? 1.0 - v[i] : v[i]);
                double slot = Math.Round(u[i]) + Column * row;
                if (!(slot >= 0 && slot < slots && u[i] > -0.5 && u[i] < Column - 0.5))
                    return false;
            }
            return true;
        }
    }
}
