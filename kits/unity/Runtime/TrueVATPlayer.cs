// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System.Collections.Generic;
using UnityEngine;
using UnityEngine.Rendering;

namespace TrueVAT
{
    /// <summary>
    /// Plays the clips of a bake on the renderers below it. Shaders are told only when something
    /// changes: a playing clip costs nothing from frame to frame.
    /// </summary>
    [DisallowMultipleComponent]
    [AddComponentMenu("TrueVAT/TrueVAT Player")]
    public sealed class TrueVATPlayer : MonoBehaviour
    {
        public TrueVATClips clips;
        [Tooltip("The clip that plays from the start; empty: the first.")]
        public string startClip = "";
        [Tooltip("Where it starts, in seconds.")]
        public float startTime;
        public float startSpeed = 1;

        readonly float[] state = new float[4 * ShaderState.Vectors];
        readonly List<Material> owned = new List<Material>();
        Renderer[] renderers;
        MaterialPropertyBlock block;
        ClipPlayer player;
        int shown = -1;

        /// <summary>Seconds within the current clip.</summary>
        public double ClipTime { get { return player == null ? 0 : player.Time(SharedClock.Now); } }

        public string CurrentClip
        {
            get { return player == null || player.Current < 0 ? "" : clips.clips[player.Current].name; }
        }

        /// <summary>Whether the current clip holds its end.</summary>
        public bool Ended { get { return player == null || player.Ended(SharedClock.Now); } }

        public bool Paused { get { return player != null && player.Paused; } }

        /// <summary>Starts a clip, faded in over what plays, even in the middle of another fade.</summary>
        public void Play(string clip, float fade = 0, float speed = 1, AtEnd atEnd = AtEnd.AsBaked)
        {
            if (Ready())
                player.Play(player.Find(clip), SharedClock.Now, fade, speed, atEnd);
        }

        /// <summary>Plays a clip when the one before it ends.</summary>
        public void Queue(string clip, float fade = 0, float speed = 1, AtEnd atEnd = AtEnd.AsBaked)
        {
            if (Ready())
                player.Queue(player.Find(clip), SharedClock.Now, fade, speed, atEnd);
        }

        public void Pause()
        {
            if (Ready())
                player.Pause(SharedClock.Now);
        }

        public void Resume()
        {
            if (Ready())
                player.Resume(SharedClock.Now);
        }

        /// <summary>Moves the current clip to a time of its own, in seconds.</summary>
        public void Seek(float seconds)
        {
            if (Ready())
                player.Seek(seconds, SharedClock.Now);
        }

        /// <summary>Changes the current clip's speed where it is; below 0 it plays backwards.</summary>
        public void SetSpeed(float speed)
        {
            if (Ready())
                player.SetSpeed(speed, SharedClock.Now);
        }

        bool Ready()
        {
            if (player != null)
                return true;
            if (clips == null || clips.clips == null || clips.clips.Length == 0)
            {
                Debug.LogError("TrueVAT: '" + name + "' has no clips: drag a .truevat.json into the scene", this);
                return false;
            }
            player = new ClipPlayer(clips.clips);
            player.Play(startClip == "" ? 0 : player.Find(startClip), SharedClock.Now, 0, startSpeed);
            if (startTime != 0)
                player.Seek(startTime, SharedClock.Now);
            return true;
        }

        void OnEnable()
        {
            renderers = GetComponentsInChildren<Renderer>();
            shown = -1;
            Ready();
        }

        void LateUpdate()
        {
            SharedClock.Tick();
            if (player == null)
                return;
            player.Update(SharedClock.Now);
            if (shown == player.Version)
                return;
            shown = player.Version;
            player.Pack(state, clips.ByFrames);
            // A property block would take a renderer out of the SRP batcher; without one it lets
            // renderers share a draw call.
            if (GraphicsSettings.currentRenderPipeline != null)
                SetMaterials();
            else
                SetBlock();
        }

        void SetMaterials()
        {
            if (owned.Count == 0)
                foreach (Renderer target in renderers)
                    owned.AddRange(target.materials);
            foreach (Material material in owned)
                for (int i = 0; i < ShaderState.Vectors; i++)
                    material.SetVector(ShaderState.Properties[i], ShaderState.Vector(state, i));
        }

        void SetBlock()
        {
            if (block == null)
                block = new MaterialPropertyBlock();
            foreach (Renderer target in renderers)
            {
                target.GetPropertyBlock(block);
                for (int i = 0; i < ShaderState.Vectors; i++)
                    block.SetVector(ShaderState.Properties[i], ShaderState.Vector(state, i));
                target.SetPropertyBlock(block);
            }
        }

        void OnDestroy()
        {
            foreach (Material material in owned)
                Destroy(material);
        }
    }
}
