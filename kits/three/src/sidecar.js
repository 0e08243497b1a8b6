// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The sidecar, and whether the texture belongs to it. Nothing in it is trusted.

import { BakeError } from "./errors.js";

export const SUFFIX = ".truevat.json";
const VERSION = 1;
// As in docs/schema: a name in the same folder, never a path.
const FILE_NAME = /^[^/\\:*?"<>|\x00-\x1f]*[^/\\:*?"<>|\x00-\x1f .]$/;

/**
 * @typedef {object} Clip
 * @property {string} name
 * @property {number} firstFrame stored
 * @property {number} frames
 * @property {number} fps
 * @property {boolean} loop
 */

/**
 * @typedef {object} FileEntry
 * @property {string} name in the sidecar's folder
 * @property {number} bytes
 */

/**
 * @typedef {object} Sidecar
 * @property {string} name of the bake
 * @property {string} bakeId
 * @property {FileEntry} texture
 * @property {FileEntry} mesh
 * @property {{ width: number, height: number, headerRows: number, rowsPerFrame: number,
 *   pixel: string, normalRow: number, normalRowsPerFrame: number }} layout
 * @property {"absolute" | "offset"} position
 * @property {"oct24" | "oct16f" | "none"} normals
 * @property {number} slots
 * @property {number} frames stored
 * @property {Clip[]} clips
 * @property {boolean} constant topology
 * @property {{ min: number[], max: number[] }} bounds in Blender's axes
 */

/**
 * @param {string} text
 * @param {string} name of the file, for messages
 * @returns {Sidecar}
 */
export function parseSidecar(text, name) {
  let json;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new BakeError(`${name} is not JSON (${/** @type {Error} */ (error).message})`);
  }
  const at = new Reader(json, name);
  if (!at.isObject() || at.get("format").value !== "truevat") {
    throw new BakeError(`${name} is not the sidecar of a TrueVAT bake`);
  }
  const version = at.get("version").integer();
  if (version > VERSION) {
    throw new BakeError(`${name} has format version ${version}; update truevat-three`);
  }
  const profile = at.get("profile").text();
  if (profile !== "truevat") {
    throw new BakeError(`${name}: profile ${profile} is not played here; bake with truevat`);
  }
  const files = at.get("files");
  const mesh = files.get("mesh_glb").isObject() ? files.get("mesh_glb") : files.get("mesh");
  if (!mesh.isObject() || !/\.glb$/i.test(mesh.get("name").text())) {
    throw new BakeError(`${name} has no GLB mesh; bake with the mesh format GLB`);
  }
  const [texture, bounds] = [at.get("texture"), at.get("bounds")];
  return {
    name: name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name,
    bakeId: at.get("bake_id").text(),
    texture: files.get("texture").entry(),
    mesh: mesh.entry(),
    layout: {
      width: texture.get("width").integer(1),
      height: texture.get("height").integer(1),
      headerRows: texture.get("header_rows").integer(1),
      rowsPerFrame: texture.get("rows_per_frame").integer(1),
      pixel: texture.get("pixel").text(),
      normalRow: texture.get("normal_row").integer(),
      normalRowsPerFrame: texture.get("normal_rows_per_frame").integer(),
    },
    position: at.get("position").get("kind").one("absolute", "offset"),
    normals: at.get("normals").get("encoding").one("oct24", "oct16f", "none"),
    slots: at.get("slots").integer(1),
    frames: at.get("frames").get("stored").integer(1),
    clips: at.get("clips").list((clip) => ({
      name: clip.get("name").text(),
      firstFrame: clip.get("first_frame").integer(),
      frames: clip.get("frames").integer(1),
      fps:
        clip.get("fps").get("numerator").integer(1) / clip.get("fps").get("denominator").integer(1),
      loop: clip.get("loop").one(true, false),
    })),
    constant: at.get("constant_topology").one(true, false),
    bounds: { min: bounds.get("min").vector(), max: bounds.get("max").vector() },
  };
}

/** Walks through JSON; its errors say where something is missing. */
class Reader {
  /**
   * @param {any} value
   * @param {string} file
   * @param {string} path
   */
  constructor(value, file, path = "") {
    this.value = value;
    this.file = file;
    this.path = path;
  }

  isObject() {
    return typeof this.value === "object" && this.value !== null && !Array.isArray(this.value);
  }

  /**
   * @param {string} key
   * @returns {Reader}
   */
  get(key) {
    const path = this.path ? `${this.path}.${key}` : key;
    const value = this.isObject() && Object.hasOwn(this.value, key) ? this.value[key] : undefined;
    return new Reader(value, this.file, path);
  }

  /**
   * @template T
   * @param {T} value
   * @param {boolean} right
   * @returns {T}
   */
  checked(value, right) {
    if (!right) throw new BakeError(`${this.file}: '${this.path}' is missing or wrong; bake again`);
    return value;
  }

  text() {
    return this.checked(/** @type {string} */ (this.value), typeof this.value === "string");
  }

  integer(least = 0) {
    return this.checked(
      /** @type {number} */ (this.value),
      Number.isSafeInteger(this.value) && this.value >= least,
    );
  }

  /**
   * @template {string | boolean} T
   * @param {...T} values
   * @returns {T}
   */
  one(...values) {
    return this.checked(this.value, values.includes(this.value));
  }

  vector() {
    const list = this.value;
    const right = Array.isArray(list) && list.length === 3 && list.every(Number.isFinite);
    return this.checked(/** @type {number[]} */ (list), right);
  }

  /**
   * @template T
   * @param {(item: Reader) => T} read
   * @returns {T[]}
   */
  list(read) {
    this.checked(null, Array.isArray(this.value) && this.value.length > 0);
    return this.value.map((/** @type {unknown} */ item, /** @type {number} */ i) =>
      read(new Reader(item, this.file, `${this.path}[${i}]`)),
    );
  }

  /** @returns {FileEntry} */
  entry() {
    const name = this.get("name").text();
    this.get("name").checked(null, FILE_NAME.test(name));
    return { name, bytes: this.get("bytes").integer() };
  }
}

/**
 * Ends with a BakeError when the texture is another bake's, or not what the sidecar says.
 *
 * @param {Sidecar} sidecar
 * @param {import("./exr.js").Pixels} pixels
 * @param {import("./header.js").Header} header
 */
export function checkTexture(sidecar, pixels, header) {
  const { layout } = sidecar;
  const name = sidecar.texture.name;
  if (header.bakeId !== sidecar.bakeId) {
    throw new BakeError(
      `${name} is of another bake than ${sidecar.name}${SUFFIX}; take all files of one bake`,
    );
  }
  /** @type {[string, unknown, unknown][]} */
  const pairs = [
    ["width", header.width, layout.width],
    ["width", pixels.width, layout.width],
    ["height", header.height, layout.height],
    ["height", pixels.height, layout.height],
    ["pixel", pixels.pixel, layout.pixel],
    ["header_rows", header.headerRows, layout.headerRows],
    ["rows_per_frame", header.rowsPerFrame, layout.rowsPerFrame],
    ["normal_row", header.normalRow, layout.normalRow],
    ["normal_rows_per_frame", header.normalRowsPerFrame, layout.normalRowsPerFrame],
    ["position.kind", ["absolute", "offset"][header.positionKind], sidecar.position],
    ["normals.encoding", ["none", "oct24", "oct16f"][header.normalKind], sidecar.normals],
    ["slots", header.slots, sidecar.slots],
    ["frames.stored", header.frames, sidecar.frames],
    ["constant_topology", !header.changing, sidecar.constant],
    ["clips", header.clips.length, sidecar.clips.length],
  ];
  for (const [i, clip] of header.clips.entries()) {
    const other = sidecar.clips[i];
    pairs.push([`clips[${i}].first_frame`, clip.firstFrame, other?.firstFrame]);
    pairs.push([`clips[${i}].frames`, clip.frames, other?.frames]);
    pairs.push([`clips[${i}].fps`, clip.fps, other?.fps]);
    pairs.push([`clips[${i}].loop`, clip.loop, other?.loop]);
  }
  for (const [key, texture, json] of pairs) {
    if (texture !== json) {
      throw new BakeError(`${name} and ${sidecar.name}${SUFFIX} differ in '${key}'; bake again`);
    }
  }
  checkRows(sidecar);
}

/** @param {Sidecar} sidecar */
function checkRows(sidecar) {
  const { layout, slots, frames } = sidecar;
  const positions = layout.headerRows + frames * layout.rowsPerFrame;
  const normals = layout.normalRow + frames * layout.normalRowsPerFrame;
  const fits =
    layout.rowsPerFrame * layout.width >= slots &&
    positions <= layout.height &&
    (sidecar.normals !== "oct16f" ||
      (2 * layout.normalRowsPerFrame * layout.width >= slots &&
        layout.normalRow >= layout.headerRows &&
        normals <= layout.height)) &&
    sidecar.clips.every((clip) => clip.firstFrame + clip.frames <= frames);
  if (!fits) throw new BakeError(`${sidecar.texture.name} is too small for its frames; bake again`);
}
