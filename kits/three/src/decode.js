// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the shader does, on the CPU: for checks, and for who needs positions there.

import { component } from "./header.js";

/** @typedef {import("./sidecar.js").Sidecar} Sidecar */
/** @typedef {import("./exr.js").Pixels} Pixels */
/** @typedef {import("three").Vector3} Vector3 */

/**
 * The first component of a slot's texel, in a stored frame.
 *
 * @param {number} slot
 * @param {number} frame
 * @param {number} width
 * @param {number} firstRow
 * @param {number} rows
 */
function texel(slot, frame, width, firstRow, rows) {
  return 4 * (slot + (firstRow + frame * rows) * width);
}

/**
 * In the mesh's axes. `rest` is the mesh's own vertex, which offsets are added to.
 *
 * @param {Sidecar} sidecar
 * @param {Pixels} pixels
 * @param {number} slot
 * @param {number} frame stored
 * @param {Vector3} rest
 * @param {Vector3} target
 * @returns {Vector3} target
 */
export function decodePosition(sidecar, pixels, slot, frame, rest, target) {
  const { width, headerRows, rowsPerFrame } = sidecar.layout;
  const at = texel(slot, frame, width, headerRows, rowsPerFrame);
  target.set(component(pixels, at), component(pixels, at + 2), -component(pixels, at + 1));
  return sidecar.position === "offset" ? target.add(rest) : target;
}

/**
 * In the mesh's axes; unit length. Leaves the target alone where the bake has no normals.
 *
 * @param {Sidecar} sidecar
 * @param {Pixels} pixels
 * @param {number} slot
 * @param {number} frame stored
 * @param {Vector3} target
 * @returns {Vector3} target
 */
export function decodeNormal(sidecar, pixels, slot, frame, target) {
  const { width, headerRows, rowsPerFrame, normalRow, normalRowsPerFrame } = sidecar.layout;
  if (sidecar.normals === "none") return target;
  let x, y;
  if (sidecar.normals === "oct24") {
    const code = component(pixels, texel(slot, frame, width, headerRows, rowsPerFrame) + 3);
    x = ((code % 4096) - 2047) / 2047;
    y = (Math.floor(code / 4096) - 2047) / 2047;
  } else {
    const pair = texel(slot >> 1, frame, width, normalRow, normalRowsPerFrame) + 2 * (slot & 1);
    // Back to the codes that the halves stand for.
    x = Math.round(2047 * component(pixels, pair)) / 2047;
    y = Math.round(2047 * component(pixels, pair + 1)) / 2047;
  }
  const z = 1 - Math.abs(x) - Math.abs(y);
  const t = Math.max(-z, 0);
  x -= x >= 0 ? t : -t;
  y -= y >= 0 ? t : -t;
  return target.set(x, z, -y).normalize();
}
