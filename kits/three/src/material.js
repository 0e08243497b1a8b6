// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Any material of three.js, made to play a bake.

import { MeshDepthMaterial, MeshDistanceMaterial, RGBADepthPacking } from "three";

import { BakeError } from "./errors.js";
import { DECLARATIONS } from "./glsl.js";

const NORMAL = "#include <beginnormal_vertex>";
const POSITION = "#include <begin_vertex>";
const MAIN = "void main() {";

const NORMAL_KINDS = { none: 0, oct24: 1, oct16f: 2 };

/**
 * Changes the material: it then plays what its mixers say, and fits only meshes of this bake. What
 * its own onBeforeCompile does comes first.
 *
 * @template {import("three").Material} T
 * @param {T} material
 * @param {import("./bake.js").Bake} bake
 * @param {import("./mixer-texture.js").MixerTexture} playing
 * @returns {T} the material
 */
export function playOn(material, bake, playing) {
  const { normals, position, layout } = bake.sidecar;
  const { width, headerRows, rowsPerFrame, normalRow, normalRowsPerFrame } = layout;
  const defines =
    `#define TRUEVAT_NORMALS ${NORMAL_KINDS[normals]}\n` +
    (position === "offset" ? "#define TRUEVAT_OFFSETS\n" : "");
  const uniforms = {
    truevat_map: { value: bake.texture },
    truevat_layers: { value: playing.texture },
    truevat_rows: { value: [width, headerRows, rowsPerFrame, normalRow, normalRowsPerFrame] },
  };
  // Without normals in the texture, those of the triangles as they lie.
  if (normals === "none" && "flatShading" in material) material.flatShading = true;

  const before = material.onBeforeCompile;
  const key = material.customProgramCacheKey.bind(material)();
  material.onBeforeCompile = (shader, renderer) => {
    before.call(material, shader, renderer);
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = defines + withPlayback(shader.vertexShader, material);
  };
  material.customProgramCacheKey = () => `${key}|truevat ${defines}`;
  return material;
}

/**
 * @param {string} source
 * @param {import("three").Material} material
 */
function withPlayback(source, material) {
  if (!source.includes(POSITION) || !source.includes(MAIN)) {
    throw new BakeError(
      `The material '${material.name || material.type}' has no ${POSITION} in its vertex shader; ` +
        "take one of three.js's own, or add it",
    );
  }
  return source
    .replace(MAIN, `${DECLARATIONS}\n${MAIN}\n\ttruevat_play(position);\n`)
    .replace(
      NORMAL,
      `${NORMAL}
#if TRUEVAT_NORMALS != 0
	#ifdef USE_TANGENT
		objectTangent = truevat_turn(objectTangent, normalize(objectNormal), truevat_normal);
	#endif
	objectNormal = truevat_normal;
#endif`,
    )
    .replace(POSITION, `${POSITION}\n\ttransformed = truevat_position;`);
}

/**
 * For shadows of directional and spot lights, and of point lights.
 *
 * @param {import("./bake.js").Bake} bake
 * @param {import("./mixer-texture.js").MixerTexture} playing
 */
export function shadowMaterials(bake, playing) {
  // Older versions of three.js read these colours; later ones read the depth buffer alone.
  const depth = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
  return {
    depth: playOn(depth, bake, playing),
    distance: playOn(new MeshDistanceMaterial(), bake, playing),
  };
}
