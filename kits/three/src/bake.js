// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later

import { DataTexture, FloatType, HalfFloatType, RGBAFormat, Vector3 } from "three";

import { decodeNormal, decodePosition } from "./decode.js";
import { VATInstances, VATObject } from "./playback.js";

/**
 * A piece of the playback mesh with one material. `matrix` is where it stands in the file.
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {import("three").BufferGeometry} geometry
 * @property {import("three").Material} material
 * @property {import("three").Matrix4} matrix
 */

/** A bake in memory, checked. Any number of objects can play it. */
export class Bake {
  /**
   * @param {import("./sidecar.js").Sidecar} sidecar
   * @param {import("./exr.js").Pixels} pixels
   * @param {Part[]} parts
   */
  constructor(sidecar, pixels, parts) {
    this.sidecar = sidecar;
    this.pixels = pixels;
    this.parts = parts;
    // A DataTexture has NearestFilter, no mipmaps and no colour space, and does not flip rows.
    const type = pixels.pixel === "float32" ? FloatType : HalfFloatType;
    const data = /** @type {Float32Array<ArrayBuffer>} */ (pixels.data);
    this.texture = new DataTexture(data, pixels.width, pixels.height, RGBAFormat, type);
    this.texture.name = sidecar.texture.name;
    this.texture.needsUpdate = true;
  }

  get clips() {
    return this.sidecar.clips;
  }

  createObject() {
    return new VATObject(this);
  }

  /** @param {number} count */
  createInstances(count) {
    return new VATInstances(this, count);
  }

  /**
   * Positions and normals of a part's vertices in a stored frame, in the part's own space.
   *
   * @param {Part} part
   * @param {number} frame
   */
  decode(part, frame) {
    const slots = part.geometry.getAttribute("truevatSlot");
    const rests = part.geometry.getAttribute("position");
    const positions = new Float32Array(3 * slots.count);
    const normals = new Float32Array(3 * slots.count);
    const [rest, vector] = [new Vector3(), new Vector3()];
    for (let i = 0; i < slots.count; i++) {
      rest.fromBufferAttribute(rests, i);
      const slot = slots.getX(i);
      decodePosition(this.sidecar, this.pixels, slot, frame, rest, vector).toArray(positions, 3 * i);
      decodeNormal(this.sidecar, this.pixels, slot, frame, vector.set(0, 0, 0));
      vector.toArray(normals, 3 * i);
    }
    return { positions, normals };
  }

  dispose() {
    this.texture.dispose();
    for (const { geometry, material } of this.parts) {
      geometry.dispose();
      material.dispose();
    }
  }
}
