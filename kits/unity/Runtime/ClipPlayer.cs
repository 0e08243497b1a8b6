// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System;
using System.Collections.Generic;

namespace TrueVAT
{
    /// <summary>
    /// Which clips play, since when, and how they fade into each other. It knows no engine, and is
    /// told the time, in seconds, by its user.
    /// </summary>
    /// <remarks>
    /// Up to three clips play at once, each faded in over those before it. A fade that is asked for
    /// while all three do waits for the oldest to end: nothing ever jumps.
    /// </remarks>
    public sealed class ClipPlayer
    {
        public const int MostLayers = 3;

        sealed class Request
        {
            public int Clip;
            public double Fade, Speed;
            public AtEnd AtEnd;
        }

        readonly IList<Clip> clips;
        readonly Layer[] layers = new Layer[MostLayers];
        readonly Queue<Request> queue = new Queue<Request>();
        Request waiting;
        double due, pausedAt;
        int count;

        public ClipPlayer(IList<Clip> clips)
        {
            if (clips == null || clips.Count == 0)
                throw new ArgumentException("a bake has at least one clip");
            this.clips = clips;
        }

        /// <summary>Rises whenever something changed that a shader must be told.</summary>
        public int Version { get; private set; }

        public bool Paused { get; private set; }

        public int LayerCount { get { return count; } }

        public Layer GetLayer(int index) { return layers[index]; }

        /// <summary>The clip that was asked for last, or -1.</summary>
        public int Current { get { return count > 0 ? layers[count - 1].Clip : -1; } }

        public int Find(string name)
        {
            for (int i = 0; i < clips.Count; i++)
                if (clips[i].name == name)
                    return i;
            throw new ArgumentException("there is no clip '" + name + "'");
        }

        /// <summary>
        /// Starts a clip, faded in over what plays. Backwards it starts at its end. What was queued is
        /// forgotten.
        /// </summary>
        public void Play(int clip, double now, double fade = 0, double speed = 1, AtEnd atEnd = AtEnd.AsBaked)
        {
            queue.Clear();
            Resume(now);
            Start(Checked(clip, fade, speed, atEnd), now);
        }

        /// <summary>Plays a clip when the one before it ends; the fade ends just then.</summary>
        public void Queue(int clip, double now, double fade = 0, double speed = 1, AtEnd atEnd = AtEnd.AsBaked)
        {
            Request request = Checked(clip, fade, speed, atEnd);
            if (count == 0)
            {
                Start(request, now);
                return;
            }
            queue.Enqueue(request);
            if (queue.Count == 1)
                Plan(Paused ? pausedAt : now);
        }

        public void Pause(double now)
        {
            if (Paused)
                return;
            Update(now);
            Paused = true;
            pausedAt = now;
            Version++;
        }

        public void Resume(double now)
        {
            if (!Paused)
                return;
            Paused = false;
            double gone = now - pausedAt;
            for (int i = 0; i < count; i++)
            {
                layers[i].Start += gone;
                layers[i].FadeStart += gone;
            }
            due += gone;
            Version++;
        }

        /// <summary>Moves the current clip to a time of its own, in seconds.</summary>
        public void Seek(double seconds, double now)
        {
            Change(now, delegate(ref Layer layer) { layer.Phase = seconds * layer.Fps; });
        }

        /// <summary>Changes the current clip's speed where it is; below 0 it turns around.</summary>
        public void SetSpeed(double speed, double now)
        {
            Change(now, delegate(ref Layer layer) { layer.Speed = speed; });
        }

        /// <summary>Seconds within the current clip.</summary>
        public double Time(double now)
        {
            if (count == 0)
                return 0;
            Layer layer = layers[count - 1];
            return layer.Frame(Paused ? pausedAt : now) / layer.Fps;
        }

        /// <summary>Whether the current clip holds its last frame, or its first if it plays backwards.</summary>
        public bool Ended(double now)
        {
            if (count == 0)
                return true;
            Layer layer = layers[count - 1];
            return !layer.Loop && (Paused ? pausedAt : now) >= layer.End(now);
        }

        /// <summary>Once a frame: ends fades, and starts what was queued. True if a shader must be told.</summary>
        public bool Update(double now)
        {
            int before = Version;
            if (Paused)
                return false;
            EndFades(now);
            if (waiting != null && count < MostLayers)
            {
                Start(waiting, now);
                Plan(now);
            }
            // A slow frame may pass over several queued clips.
            while (waiting == null && queue.Count > 0 && due <= now)
            {
                double at = due;
                Start(queue.Dequeue(), at);
                EndFades(now);
                Plan(at);
            }
            return Version != before;
        }

        /// <summary>
        /// Writes what shaders read: three layers, their phases, two fades and, for layouts whose
        /// texture has no clips, the layers' counts of frames: 7 vectors of 4.
        /// </summary>
        /// <param name="byFrames">Layers by first frame and rate, not by clip and speed.</param>
        public void Pack(float[] state, bool byFrames)
        {
            Array.Clear(state, 0, 28);
            int loops = 0;
            for (int i = 0; i < MostLayers; i++)
            {
                int at = 4 * i;
                if (i >= count)
                {
                    state[at] = -1;
                    continue;
                }
                Layer layer = layers[i];
                double start = layer.Start, phase = layer.Phase, speed = layer.Speed;
                if (Paused)
                {
                    phase = layer.Frame(pausedAt);
                    speed = 0;
                }
                state[at] = byFrames ? clips[layer.Clip].firstFrame : layer.Clip;
                state[at + 1] = (float)(byFrames ? speed * layer.Fps : speed);
                Clock.Split(start, out state[at + 2], out state[at + 3]);
                state[12 + i] = (float)phase;
                state[24 + i] = (float)layer.Frames;
                loops |= layer.Loop ? 1 << i : 0;
                if (i == 0)
                    continue;
                int fade = 12 + 4 * i;
                Clock.Split(layer.FadeStart, out state[fade], out state[fade + 1]);
                state[fade + 2] = (float)layer.FadeSeconds;
                if (Paused)
                    state[fade + 3] = (float)Math.Max(layer.Weight(pausedAt), 1e-6);
            }
            state[15] = loops;
        }

        Request Checked(int clip, double fade, double speed, AtEnd atEnd)
        {
            if (clip < 0 || clip >= clips.Count)
                throw new ArgumentOutOfRangeException("clip", "there are " + clips.Count + " clips");
            return new Request { Clip = clip, Fade = Math.Max(fade, 0), Speed = speed, AtEnd = atEnd };
        }

        void Start(Request request, double now)
        {
            EndFades(now);
            bool fades = request.Fade > 0 && count > 0;
            if (fades && count == MostLayers)
            {
                waiting = request;
                return;
            }
            waiting = null;
            if (!fades)
                count = 0;
            Clip clip = clips[request.Clip];
            layers[count++] = new Layer
            {
                Clip = request.Clip,
                Frames = clip.frames,
                Fps = clip.Fps,
                Speed = request.Speed,
                Phase = request.Speed < 0 ? clip.frames - 1 : 0,
                Start = now,
                Loop = request.AtEnd == AtEnd.AsBaked ? clip.loop : request.AtEnd == AtEnd.Loop,
                FadeStart = now,
                FadeSeconds = fades ? request.Fade : 0,
            };
            Version++;
        }

        /// <summary>What is faded in wholly hides what was before it.</summary>
        void EndFades(double now)
        {
            for (int top = count - 1; top > 0; top--)
            {
                if (layers[top].Weight(now) < 1)
                    continue;
                Array.Copy(layers, top, layers, 0, count - top);
                count -= top;
                layers[0].FadeSeconds = 0;
                Version++;
                return;
            }
        }

        void Plan(double now)
        {
            if (queue.Count > 0)
                due = Math.Max(layers[count - 1].End(now) - queue.Peek().Fade, now);
        }

        delegate void Edit(ref Layer layer);

        void Change(double now, Edit edit)
        {
            if (count == 0)
                return;
            double at = Paused ? pausedAt : now;
            layers[count - 1].Rebase(at);
            edit(ref layers[count - 1]);
            Plan(at);
            Version++;
        }
    }
}
