// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a clip shows at a time, as docs/format.md has it.

/** @typedef {import("./sidecar.js").Clip} Clip */

/**
 * One clip that plays: at frame `phase` at time `start`.
 *
 * @typedef {object} Layer
 * @property {Clip} clip
 * @property {number} phase
 * @property {number} start
 * @property {number} rate frames per second, negative backwards
 * @property {boolean} loop
 * @property {number} begun when it came in
 * @property {number} fade seconds that it takes to come in fully
 */

/**
 * @param {number} x
 * @param {number} period
 */
export function wrap(x, period) {
  const wrapped = Math.max(x - period * Math.floor(x / period), 0);
  return wrapped < period ? wrapped : 0;
}

/**
 * The frame number within the clip.
 *
 * @param {Layer} layer
 * @param {number} time
 */
export function frameOf(layer, time) {
  const x = layer.phase + (time - layer.start) * layer.rate;
  const { frames } = layer.clip;
  return layer.loop ? wrap(x, frames) : Math.min(Math.max(x, 0), frames - 1);
}

/**
 * The frames of the clip on both sides of frame number x, and the fraction of b.
 *
 * @param {number} x
 * @param {number} frames
 * @param {boolean} loop
 */
export function span(x, frames, loop) {
  const last = frames - 1;
  const a = Math.min(Math.max(Math.floor(x), 0), last);
  const b = a < last ? a + 1 : loop ? 0 : last;
  return { a, b, fraction: Math.min(Math.max(x - a, 0), 1) };
}

/**
 * @param {number} gone seconds
 * @param {number} seconds
 */
export function fadeWeight(gone, seconds) {
  return seconds > 0 ? Math.min(Math.max(gone / seconds, 0), 1) : 1;
}

/**
 * When a clip is through: a loop, the next time after `after`. Infinity if it never is.
 *
 * @param {Layer} layer
 * @param {number} after
 */
export function endOf(layer, after) {
  const { phase, start, rate, loop, clip } = layer;
  if (rate === 0) return Infinity;
  if (!loop) return Math.max(start + ((rate > 0 ? clip.frames - 1 : 0) - phase) / rate, start);
  const length = clip.frames / Math.abs(rate);
  const first = start + ((rate > 0 ? clip.frames : 0) - phase) / rate;
  return first + length * (Math.floor((after - first) / length) + 1);
}
