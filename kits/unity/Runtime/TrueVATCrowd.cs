// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System;
using System.Collections.Generic;
using UnityEngine;

namespace TrueVAT
{
    /// <summary>
    /// Many instances of one bake, without game objects: each has its own clip, phase and speed, and
    /// fades by itself.
    /// </summary>
    [AddComponentMenu("TrueVAT/TrueVAT Crowd")]
    public sealed class TrueVATCrowd : MonoBehaviour
    {
        // RenderMeshInstanced takes up to 1023 and cuts them as the platform's buffers ask.
        const int MostAtOnce = 1023;

        public TrueVATClips clips;
        public Mesh mesh;
        [Tooltip("One for each submesh, with GPU instancing enabled.")]
        public Material[] materials;

        sealed class Chunk
        {
            public readonly List<Matrix4x4> Places = new List<Matrix4x4>();
            public readonly List<ClipPlayer> Players = new List<ClipPlayer>();
            public readonly List<int> Shown = new List<int>();
            public readonly Vector4[][] State = new Vector4[ShaderState.Vectors][];
            public readonly MaterialPropertyBlock Block = new MaterialPropertyBlock();
            public bool Changed;

            public Chunk()
            {
                for (int i = 0; i < State.Length; i++)
                    State[i] = new Vector4[MostAtOnce];
            }
        }

        readonly List<Chunk> chunks = new List<Chunk>();
        readonly float[] packed = new float[4 * ShaderState.Vectors];
        Bounds reach;

        public int Count { get; private set; }

        /// <summary>Adds an instance in world space; returns its number.</summary>
        public int Add(Matrix4x4 place, int clip = 0, float seconds = 0, float speed = 1)
        {
            if (Count % MostAtOnce == 0)
                chunks.Add(new Chunk());
            Chunk chunk = chunks[chunks.Count - 1];
            ClipPlayer player = new ClipPlayer(clips.clips);
            player.Play(clip, SharedClock.Now, 0, speed);
            player.Seek(seconds, SharedClock.Now);
            chunk.Places.Add(place);
            chunk.Players.Add(player);
            chunk.Shown.Add(-1);
            Reach(place);
            return Count++;
        }

        /// <summary>To play, fade, queue, pause or seek one instance, at Time.timeAsDouble.</summary>
        public ClipPlayer Player(int instance) { return At(instance).Players[instance % MostAtOnce]; }

        public void Move(int instance, Matrix4x4 place)
        {
            At(instance).Places[instance % MostAtOnce] = place;
            Reach(place);
        }

        public void Clear()
        {
            chunks.Clear();
            Count = 0;
            reach = new Bounds();
        }

        Chunk At(int instance)
        {
            if (instance < 0 || instance >= Count)
                throw new ArgumentOutOfRangeException("instance", "there are " + Count + " instances");
            return chunks[instance / MostAtOnce];
        }

        void Reach(Matrix4x4 place)
        {
            Vector3 center = place.MultiplyPoint3x4(clips.bounds.center);
            float scale = Mathf.Max(place.lossyScale.x, Mathf.Max(place.lossyScale.y, place.lossyScale.z));
            Bounds own = new Bounds(center, Vector3.one * (2 * scale * clips.bounds.extents.magnitude));
            if (Count == 0)
                reach = own;
            else
                reach.Encapsulate(own);
        }

        void LateUpdate()
        {
            SharedClock.Tick();
            foreach (Chunk chunk in chunks)
            {
                UpdateState(chunk);
                for (int part = 0; part < mesh.subMeshCount; part++)
                {
                    RenderParams how = new RenderParams(materials[part]);
                    how.matProps = chunk.Block;
                    how.worldBounds = reach;
                    how.layer = gameObject.layer;
                    how.shadowCastingMode = UnityEngine.Rendering.ShadowCastingMode.On;
                    how.receiveShadows = true;
                    how.motionVectorMode = MotionVectorGenerationMode.Object;
                    Graphics.RenderMeshInstanced(how, mesh, part, chunk.Places);
                }
            }
        }

        void UpdateState(Chunk chunk)
        {
            for (int i = 0; i < chunk.Players.Count; i++)
            {
                ClipPlayer player = chunk.Players[i];
                player.Update(SharedClock.Now);
                if (chunk.Shown[i] == player.Version)
                    continue;
                chunk.Shown[i] = player.Version;
                chunk.Changed = true;
                player.Pack(packed, clips.ByFrames);
                for (int vector = 0; vector < ShaderState.Vectors; vector++)
                    chunk.State[vector][i] = ShaderState.Vector(packed, vector);
            }
            if (!chunk.Changed)
                return;
            chunk.Changed = false;
            for (int vector = 0; vector < ShaderState.Vectors; vector++)
                chunk.Block.SetVectorArray(ShaderState.Properties[vector], chunk.State[vector]);
        }
    }
}
