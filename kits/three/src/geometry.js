// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A mesh of the GLB made ready for the shader, and held against the texture.

import { Box3, BufferAttribute, Sphere, Vector3 } from "three";

import { decodePosition } from "./decode.js";
import { BakeError } from "./errors.js";

// Slots per step of the address's second number.
const COLUMNS = 1024;
// Of the animation's size: how far the decoded first frame may be from the mesh, which has the same
// float32 numbers.
const TOLERANCE = 1e-5;

/**
 * Slots from TEXCOORD_1, whose v glTF has turned over: (slot % 1024, 1 - slot / 1024).
 *
 * @param {{ count: number, getX: (i: number) => number, getY: (i: number) => number }} address
 * @returns {Float64Array}
 */
export function slotsOf(address) {
  const slots = new Float64Array(address.count);
  for (let i = 0; i < slots.length; i++) {
    slots[i] = Math.round(address.getX(i)) + COLUMNS * Math.round(1 - address.getY(i));
  }
  return slots;
}

/**
 * The address becomes the integer attribute `truevatSlot`, so that no material takes it for UVs.
 *
 * @param {import("three").BufferGeometry} geometry
 * @param {import("./sidecar.js").Sidecar} sidecar
 */
export function addSlots(geometry, sidecar) {
  const address = geometry.getAttribute("uv1");
  const slots = address && slotsOf(address);
  if (!slots?.every((slot) => slot >= 0 && slot < sidecar.slots)) {
    throw new BakeError(
      `${sidecar.mesh.name} has lost its second UV map (VertexSlot); use the file that the bake wrote`,
    );
  }
  geometry.deleteAttribute("uv1");
  geometry.setAttribute("truevatSlot", new BufferAttribute(new Uint32Array(slots), 1));
}

/**
 * Of the whole animation, for culling, and in the mesh's axes.
 *
 * @param {import("three").BufferGeometry} geometry
 * @param {import("./sidecar.js").Sidecar} sidecar
 */
export function setBounds(geometry, sidecar) {
  const { min, max } = sidecar.bounds;
  geometry.boundingBox = new Box3(
    new Vector3(min[0], min[2], -max[1]),
    new Vector3(max[0], max[2], -min[1]),
  );
  geometry.boundingSphere = geometry.boundingBox.getBoundingSphere(new Sphere());
}

/**
 * Ends with a BakeError when the texture's first frame is not this mesh: another program has moved,
 * turned or reordered it.
 *
 * @param {import("three").BufferGeometry} geometry
 * @param {import("./sidecar.js").Sidecar} sidecar
 * @param {import("./exr.js").Pixels} pixels
 */
export function checkFirstFrame(geometry, sidecar, pixels) {
  const position = geometry.getAttribute("position");
  const slots = geometry.getAttribute("truevatSlot");
  const size = sidecar.bounds.max.map((high, i) => high - sidecar.bounds.min[i]);
  const most = TOLERANCE * Math.hypot(...size) + 1e-30;
  const [decoded, vertex] = [new Vector3(), new Vector3()];
  for (const i of playedVertices(geometry)) {
    vertex.fromBufferAttribute(position, i);
    decodePosition(sidecar, pixels, slots.getX(i), 0, vertex, decoded);
    if (!(decoded.distanceTo(vertex) <= most)) {
      throw new BakeError(
        `${sidecar.mesh.name} is not the mesh that ${sidecar.texture.name} moves (vertex ${i}); ` +
          "use the files that the bake wrote",
      );
    }
  }
}

/**
 * All vertices but those of the triangles that widen the bounds: they address slot 0 three times.
 *
 * @param {import("three").BufferGeometry} geometry
 * @returns {Generator<number>}
 */
export function* playedVertices(geometry) {
  const slots = geometry.getAttribute("truevatSlot");
  const index = geometry.getIndex();
  const count = index ? index.count : slots.count;
  for (let corner = 0; corner + 2 < count; corner += 3) {
    const triangle = [0, 1, 2].map((i) => (index ? index.getX(corner + i) : corner + i));
    if (triangle.some((i) => slots.getX(i) !== 0)) yield* triangle;
  }
}
