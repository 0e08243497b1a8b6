// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System;
using System.Collections.Generic;
using System.Globalization;
using TrueVAT;
using TrueVAT.Editor;

/// <summary>What the tests in Python ask for.</summary>
static class Tool
{
    public static int Run(string[] arguments)
    {
        if (arguments[0] == "states")
            States();
        else
            Console.WriteLine(Verdict(arguments) ?? "fine");
        return 0;
    }

    static string Text(double value) { return value.ToString("R", CultureInfo.InvariantCulture); }

    /// <summary>Per line: the clock, a packed state, and clip, frame and weight of each layer.</summary>
    static void States()
    {
        ClipPlayer player = Scene.Player();
        double now = 7205.5;
        player.Play(Scene.Wave, now);
        Print(player, now + 0.3);
        player.Play(Scene.Fall, now + 0.4, 0.5, 0.5);
        Print(player, now + 0.6);
        player.Play(Scene.Wave, now + 0.7, 0.5, -1.5);
        Print(player, now + 0.8);
        player.Pause(now + 0.85);
        Print(player, now + 80);
        player.Resume(now + 90);
        Print(player, now + 90.1);
        player.Update(now + 95);
        player.Play(Scene.Wave, now + 95);
        Print(player, now + 36000.37);
        player.Play(Scene.Fall, now + 36001, 0, -1);
        Print(player, now + 36001.1);
        Print(player, now + 36009);
    }

    static void Print(ClipPlayer player, double now)
    {
        player.Update(now);
        float[] state = new float[28];
        player.Pack(state, false);
        float epochs, seconds;
        Clock.Split(now, out epochs, out seconds);
        List<string> words = new List<string> { Text(epochs), Text(seconds) };
        foreach (float value in state)
            words.Add(Text(value));
        double at = player.Paused ? 7205.5 + 0.85 : now;
        for (int i = 0; i < player.LayerCount; i++)
        {
            Layer layer = player.GetLayer(i);
            words.Add(Text(layer.Clip));
            words.Add(Text(layer.Frame(at)));
            words.Add(Text(i == 0 ? 1 : layer.Weight(at)));
        }
        Console.WriteLine(string.Join(" ", words.ToArray()));
    }

    /// <summary>A folder, and a sidecar as key=value.</summary>
    static string Verdict(string[] arguments)
    {
        Dictionary<string, string> values = new Dictionary<string, string>();
        for (int i = 1; i < arguments.Length; i++)
            values[arguments[i].Split('=')[0]] = arguments[i].Substring(arguments[i].IndexOf('=') + 1);
        Func<string, int> number = delegate(string key) { return int.Parse(values[key]); };
        Sidecar sidecar = new Sidecar
        {
            format = values["format"],
            version = number("version"),
            profile = values["profile"],
            bake_id = values["bake_id"],
            files = new Sidecar.Files
            {
                texture = new Sidecar.FileEntry { name = values["texture"], bytes = number("bytes") },
                normals = new Sidecar.FileEntry { name = "" },
                mesh = new Sidecar.FileEntry { name = values["mesh"] },
            },
            texture = new Sidecar.Texture { width = number("width"), height = number("height"), pixel = values["pixel"] },
            frames = new Sidecar.Frames { stored = number("stored") },
            clips = new[]
            {
                new Sidecar.ClipEntry
                {
                    name = "wave",
                    first_frame = number("first_frame"),
                    frames = number("frames"),
                    fps = new Sidecar.Fps { numerator = number("fps"), denominator = 1 },
                },
            },
            bounds = new Sidecar.Box { min = new float[3], max = new float[number("axes")] },
        };
        return BakeCheck.Wrong(sidecar) ?? BakeCheck.Mismatch(sidecar, arguments[0]);
    }
}
