// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System;

namespace TrueVAT
{
    /// <summary>
    /// Time as shaders are told it: epochs of 64 seconds, and seconds within. Two floats hold it to 4
    /// microseconds for years; one float of seconds has steps of 4 milliseconds after ten hours.
    /// </summary>
    public static class Clock
    {
        public const double Epoch = 64;

        /// <summary>The first epoch is 1: shaders take 0 for "no script".</summary>
        public static void Split(double time, out float epochs, out float seconds)
        {
            double whole = Math.Floor(time / Epoch);
            seconds = (float)(time - whole * Epoch);
            epochs = (float)(whole + 1);
        }
    }
}
