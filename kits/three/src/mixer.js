// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which frames are shown, and how much of each. Time is kept in doubles and as differences; what
// reaches a shader are frame numbers and fractions, as exact after ten hours as at the beginning.

import { endOf, fadeWeight, frameOf, span } from "./clip-time.js";
import { BakeError } from "./errors.js";
import { LAYERS } from "./glsl.js";

/** @typedef {import("./sidecar.js").Clip} Clip */
/** @typedef {import("./clip-time.js").Layer} Layer */

/**
 * @typedef {object} PlayOptions
 * @property {number} [fade] seconds in which what played before goes out; 0 cuts
 * @property {number} [phase] where in the clip to begin, 0..1; default: 0, or 1 when backwards
 * @property {number} [speed] negative plays backwards
 * @property {boolean} [loop] default: as the clip was baked
 * @property {number} [start] the mixer's time at which the clip is at its phase; default: now
 */

export class ClipMixer {
  /**
   * @param {Clip[]} clips
   * @param {{ mixes?: boolean }} [options] mixes: whether frames may be mixed, which they may not
   *   where the topology changes
   */
  constructor(clips, { mixes = true } = {}) {
    this.clips = clips;
    this.mixes = mixes;
    /** In seconds; stands still while paused. */
    this.time = 0;
    this.paused = false;
    /** @type {Layer[]} the newest last; each fades out those before it */
    this.layers = [];
    /** @type {{ clip: Clip, options: PlayOptions, since: number }[]} */
    this.waiting = [];
    this.#begin(clips[0], {}, 0);
  }

  /**
   * Now, in place of what plays and waits.
   *
   * @param {string | number} clip its name or its number
   * @param {PlayOptions} [options]
   */
  play(clip, options = {}) {
    this.waiting = [];
    this.#begin(this.find(clip), options, this.time);
    return this;
  }

  /**
   * @param {string | number} clip
   * @param {number} seconds
   * @param {PlayOptions} [options]
   */
  crossFade(clip, seconds, options = {}) {
    return this.play(clip, { ...options, fade: seconds });
  }

  /**
   * When what plays is through: a loop at the end of its round. To the moment, whatever the frame
   * rate of the page.
   *
   * @param {string | number} clip
   * @param {PlayOptions} [options]
   */
  queue(clip, options = {}) {
    this.waiting.push({ clip: this.find(clip), options, since: this.time });
    return this;
  }

  pause() {
    this.paused = true;
    return this;
  }

  resume() {
    this.paused = false;
    return this;
  }

  /**
   * To a time within the clip that plays.
   *
   * @param {number} seconds
   */
  seek(seconds) {
    const { clip } = this.#top;
    this.#anchor(seconds * clip.fps, this.#top.rate);
    return this;
  }

  reverse() {
    this.speed = -this.speed;
    return this;
  }

  get speed() {
    return this.#top.rate / this.#top.clip.fps;
  }

  set speed(speed) {
    this.#anchor(this.frame, speed * this.#top.clip.fps);
  }

  get clip() {
    return this.#top.clip;
  }

  /** The frame number within the clip that plays, with its fraction. */
  get frame() {
    return frameOf(this.#top, this.time);
  }

  /** Whether the clip has come to its end, which it then holds. */
  get finished() {
    return !this.#top.loop && endOf(this.#top, this.time) <= this.time;
  }

  /**
   * @param {number} delta seconds since the last call
   */
  update(delta) {
    return this.setTime(this.paused ? this.time : this.time + delta);
  }

  /**
   * @param {number} time the new time, in seconds
   */
  setTime(time) {
    this.time = time;
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      const top = this.#top;
      const begin = Math.max(endOf(top, Math.max(next.since, top.begun, top.start)), next.since);
      if (begin > time) break;
      this.waiting.shift();
      this.#begin(next.clip, next.options, begin);
    }
    this.#forget();
    return this;
  }

  /**
   * (frame a, frame b, fraction, weight) of up to LAYERS layers; the weights add up to 1.
   *
   * @param {Float32Array} target
   * @param {number} [offset]
   */
  write(target, offset = 0) {
    target.fill(0, offset, offset + 4 * LAYERS);
    let left = 1;
    for (let i = this.layers.length - 1; i >= 0; i--) {
      const layer = this.layers[i];
      const weight = i > 0 ? left * fadeWeight(this.time - layer.begun, layer.fade) : left;
      if (weight === 0) continue;
      left -= weight;
      const x = frameOf(layer, this.time);
      const { a, b, fraction } = span(x, layer.clip.frames, layer.loop);
      const first = layer.clip.firstFrame;
      target[offset] = first + a;
      target[offset + 1] = first + (this.mixes ? b : a);
      target[offset + 2] = this.mixes ? fraction : 0;
      target[offset + 3] = weight;
      offset += 4;
    }
  }

  /**
   * @param {string | number} clip
   */
  find(clip) {
    const found =
      typeof clip === "number" ? this.clips[clip] : this.clips.find((each) => each.name === clip);
    if (!found) {
      const names = this.clips.map((each) => `'${each.name}'`).join(", ");
      throw new BakeError(`There is no clip '${clip}'; there are: ${names}`);
    }
    return found;
  }

  get #top() {
    return this.layers[this.layers.length - 1];
  }

  /**
   * @param {Clip} clip
   * @param {PlayOptions} options
   * @param {number} time
   */
  #begin(clip, options, time) {
    const { fade = 0, speed = 1, loop = clip.loop, start = time } = options;
    const { phase = speed < 0 ? 1 : 0 } = options;
    // A whole phase is a loop's length, or the way from a one-shot's first frame to its last.
    const frames = loop ? clip.frames : clip.frames - 1;
    const rate = speed * clip.fps;
    const seconds = this.mixes && this.layers.length > 0 ? fade : 0;
    this.layers.push({
      ...{ clip, start, rate, loop },
      ...{ phase: phase * frames, begun: time, fade: seconds },
    });
    this.#forget();
  }

  /**
   * @param {number} frame
   * @param {number} rate
   */
  #anchor(frame, rate) {
    Object.assign(this.#top, { phase: frame, start: this.time, rate });
  }

  /** Of layers that nothing is seen of. Of too many, the one that is seen least. */
  #forget() {
    for (let i = this.layers.length - 1; i > 0; i--) {
      const { begun, fade } = this.layers[i];
      if (fadeWeight(this.time - begun, fade) === 1) {
        this.layers.splice(0, i);
        break;
      }
    }
    if (this.layers.length > LAYERS) this.layers.splice(this.#faintest(), 1);
  }

  #faintest() {
    let [left, least, faintest] = [1, Infinity, 0];
    for (let i = this.layers.length - 2; i >= 0; i--) {
      const above = this.layers[i + 1];
      left *= 1 - fadeWeight(this.time - above.begun, above.fade);
      const weight =
        i > 0 ? left * fadeWeight(this.time - this.layers[i].begun, this.layers[i].fade) : left;
      if (weight < least) [least, faintest] = [weight, i];
    }
    return faintest;
  }
}
