// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in a scene and plays.

import { Group, InstancedMesh, Matrix4, Mesh } from "three";

import { BakeError } from "./errors.js";
import { MixerTexture } from "./mixer-texture.js";
import { playOn, shadowMaterials } from "./material.js";

/** @typedef {import("three").Object3D["onBeforeRender"]} BeforeRender */

/** What one object and many instances have in common: meshes, materials and mixers. */
class Playback extends Group {
  /**
   * @param {import("./bake.js").Bake} bake
   * @param {number} count
   * @param {(part: import("./bake.js").Part) => Mesh} make
   */
  constructor(bake, count, make) {
    super();
    this.name = bake.sidecar.name;
    this.bake = bake;
    this.mixerTexture = new MixerTexture(count, bake.sidecar);
    const { depth, distance } = shadowMaterials(bake, this.mixerTexture);
    /** @type {Mesh[]} one for each material */
    this.meshes = bake.parts.map((part) => {
      const mesh = make(part);
      mesh.name = part.name;
      mesh.material = this.adopt(/** @type {import("three").Material} */ (part.material).clone());
      mesh.customDepthMaterial = depth;
      mesh.customDistanceMaterial = distance;
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      mesh.onBeforeRender = beforeRender(bake);
      return mesh;
    });
    this.add(...this.meshes);
  }

  /**
   * Makes a material play here. It can then be given to any of the meshes.
   *
   * @template {import("three").Material} T
   * @param {T} material
   */
  adopt(material) {
    return playOn(material, this.bake, this.mixerTexture);
  }

  /** @param {number} delta seconds since the last call */
  update(delta) {
    this.mixerTexture.update(delta);
  }

  /** What this object alone has; the bake stays. */
  dispose() {
    this.mixerTexture.texture.dispose();
    for (const mesh of this.meshes) {
      for (const material of [mesh.material].flat()) material.dispose();
      mesh.customDepthMaterial?.dispose();
      mesh.customDistanceMaterial?.dispose();
      if (mesh instanceof InstancedMesh) mesh.dispose();
    }
  }
}

/** Plays one clip, or fades between clips. */
export class VATObject extends Playback {
  /** @param {import("./bake.js").Bake} bake */
  constructor(bake) {
    super(bake, 1, (part) => {
      const mesh = new Mesh(part.geometry);
      part.matrix.decompose(mesh.position, mesh.quaternion, mesh.scale);
      return mesh;
    });
    this.mixer = this.mixerTexture.mixers[0];
  }

  /** @returns {any} this class: three.js declares its own as `this` */
  clone() {
    return new VATObject(this.bake).copy(this, false);
  }
}

/** Any number, each with a clip, phase and speed of its own: one draw call for each material. */
export class VATInstances extends Playback {
  /**
   * @param {import("./bake.js").Bake} bake
   * @param {number} count
   */
  constructor(bake, count) {
    super(bake, count, (part) => {
      const mesh = new InstancedMesh(part.geometry, undefined, count);
      for (let i = 0; i < count; i++) mesh.setMatrixAt(i, part.matrix);
      return mesh;
    });
    this.count = count;
  }

  /** @returns {any} this class: three.js declares its own as `this` */
  clone() {
    const other = new VATInstances(this.bake, this.count).copy(this, false);
    other.meshes.forEach((mesh, i) => {
      const mine = /** @type {InstancedMesh} */ (this.meshes[i]);
      /** @type {InstancedMesh} */ (mesh).instanceMatrix.copy(mine.instanceMatrix);
    });
    return other;
  }

  /** @param {number} i */
  mixerAt(i) {
    return this.mixerTexture.mixers[i];
  }

  /**
   * @param {number} i
   * @param {Matrix4} matrix
   */
  setMatrixAt(i, matrix) {
    const place = new Matrix4();
    this.bake.parts.forEach((part, which) => {
      const mesh = /** @type {InstancedMesh} */ (this.meshes[which]);
      mesh.setMatrixAt(i, place.multiplyMatrices(matrix, part.matrix));
      mesh.instanceMatrix.needsUpdate = true;
      // Culling would go by where the instances were.
      mesh.boundingSphere = null;
      mesh.boundingBox = null;
    });
  }
}

/**
 * @param {import("./bake.js").Bake} bake
 * @returns {BeforeRender}
 */
function beforeRender({ sidecar }) {
  const size = Math.max(sidecar.layout.width, sidecar.layout.height);
  return (renderer) => {
    if (!("isWebGLRenderer" in renderer)) {
      throw new BakeError("truevat-three plays with WebGLRenderer; another renderer is in use");
    }
    if (size > renderer.capabilities.maxTextureSize) {
      throw new BakeError(
        `${sidecar.texture.name} is larger (${size}) than this device can show ` +
          `(${renderer.capabilities.maxTextureSize}); bake with a smaller --max-size`,
      );
    }
  };
}
