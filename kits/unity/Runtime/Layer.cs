// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System;

namespace TrueVAT
{
    /// <summary>One clip that plays: where it was, when, and how fast it goes from there.</summary>
    public struct Layer
    {
        public int Clip;
        public double Frames, Fps, Speed, Phase, Start, FadeStart, FadeSeconds;
        public bool Loop;

        double Rate { get { return Speed * Fps; } }

        double Unwrapped(double now) { return Phase + Rate * (now - Start); }

        /// <summary>The frame number within the clip.</summary>
        public double Frame(double now)
        {
            double x = Unwrapped(now);
            if (!Loop)
                return Math.Max(0, Math.Min(x, Frames - 1));
            x -= Frames * Math.Floor(x / Frames);
            return x < Frames ? x : 0;
        }

        public double Weight(double now)
        {
            return FadeSeconds > 0 ? Math.Max(0, Math.Min((now - FadeStart) / FadeSeconds, 1)) : 1;
        }

        /// <summary>When it next comes to its end, or to its beginning if it plays backwards.</summary>
        public double End(double now)
        {
            if (Rate == 0)
                return double.PositiveInfinity;
            if (!Loop)
                return Start + ((Rate > 0 ? Frames - 1 : 0) - Phase) / Rate;
            double cycles = Unwrapped(now) / Frames;
            double border = Rate > 0 ? Math.Floor(cycles) + 1 : Math.Ceiling(cycles) - 1;
            return Start + (border * Frames - Phase) / Rate;
        }

        /// <summary>The same movement, told from another moment.</summary>
        public void Rebase(double now)
        {
            Phase = Frame(now);
            Start = now;
        }
    }
}
