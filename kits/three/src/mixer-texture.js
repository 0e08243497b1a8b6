// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later

import { DataTexture, FloatType, RGBAFormat } from "three";

import { LAYERS } from "./glsl.js";
import { ClipMixer } from "./mixer.js";

const INSTANCES_PER_ROW = 256;

/** A mixer for each instance, and the texture in which the shader finds what they say. */
export class MixerTexture {
  /**
   * @param {number} count of instances
   * @param {import("./sidecar.js").Sidecar} sidecar
   */
  constructor(count, { clips, constant }) {
    /** @type {ClipMixer[]} */
    this.mixers = Array.from({ length: count }, () => new ClipMixer(clips, { mixes: constant }));
    const columns = LAYERS * Math.min(count, INSTANCES_PER_ROW);
    const rows = Math.ceil(count / INSTANCES_PER_ROW);
    this.data = new Float32Array(4 * columns * rows);
    this.texture = new DataTexture(this.data, columns, rows, RGBAFormat, FloatType);
    this.write();
  }

  /** @param {number} delta seconds */
  update(delta) {
    for (const mixer of this.mixers) mixer.update(delta);
    this.write();
  }

  /** After changes to mixers that have to show before the next update. */
  write() {
    this.mixers.forEach((mixer, i) => mixer.write(this.data, 4 * LAYERS * i));
    this.texture.needsUpdate = true;
  }
}
