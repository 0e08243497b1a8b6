// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using TrueVAT;

static class Scene
{
    /// <summary>As the synthetic bakes of tests/formats have them.</summary>
    public static readonly Clip[] Clips =
    {
        new Clip { name = "wave", firstFrame = 0, frames = 24, fpsNumerator = 24, fpsDenominator = 1, loop = true },
        new Clip { name = "fall", firstFrame = 24, frames = 13, fpsNumerator = 30000, fpsDenominator = 1001 },
    };

    public const int Wave = 0, Fall = 1;

    public static ClipPlayer Player() { return new ClipPlayer(Clips); }

    /// <summary>A clip's frame of its own, told from all others.</summary>
    static double Pose(Layer layer, double now) { return 100 * layer.Clip + layer.Frame(now); }

    /// <summary>What is on show: layers faded in over each other.</summary>
    public static double Shown(ClipPlayer player, double now)
    {
        double shown = 0;
        for (int i = 0; i < player.LayerCount; i++)
        {
            Layer layer = player.GetLayer(i);
            double weight = i == 0 ? 1 : layer.Weight(now);
            shown += (Pose(layer, now) - shown) * weight;
        }
        return shown;
    }
}
