// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using TrueVAT;
using UnityEngine;

/// <summary>Put it beside a TrueVAT Player: a button for each clip, speed, pause and a scrubber.</summary>
[RequireComponent(typeof(TrueVATPlayer))]
public sealed class ClipButtons : MonoBehaviour
{
    public float fade = 0.25f;
    float speed = 1;

    void OnGUI()
    {
        TrueVATPlayer player = GetComponent<TrueVATPlayer>();
        GUILayout.Label(player.CurrentClip + " " + player.ClipTime.ToString("0.00") + " s");
        foreach (Clip clip in player.clips.clips)
        {
            GUILayout.BeginHorizontal();
            if (GUILayout.Button(clip.name))
                player.Play(clip.name, fade, speed);
            if (GUILayout.Button("then"))
                player.Queue(clip.name, fade, speed);
            GUILayout.EndHorizontal();
        }
        if (GUILayout.Button(player.Paused ? "resume" : "pause"))
        {
            if (player.Paused)
                player.Resume();
            else
                player.Pause();
        }
        if (GUILayout.Button("turn around"))
        {
            speed = -speed;
            player.SetSpeed(speed);
        }
        if (GUILayout.Button("to the start"))
            player.Seek(0);
    }
}
