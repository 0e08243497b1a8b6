// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The one kind of OpenEXR that a bake is: scanlines, uncompressed, A, B, G, R of one type.

import { BakeError } from "./errors.js";

const MAGIC = 20000630;
const SCANLINES_ONLY = 2;
const HALF = 1;
const FLOAT = 2;
const MOST_PIXELS = 16384 * 16384;

/**
 * @typedef {object} Pixels
 * @property {number} width
 * @property {number} height
 * @property {"float32" | "float16"} pixel
 * @property {Float32Array | Uint16Array} data RGBA, the bottom row (the file's last) first;
 *   float16 as its bits
 */

/**
 * @param {ArrayBuffer} buffer
 * @param {string} name of the file, for messages
 * @returns {Pixels}
 */
export function readExr(buffer, name) {
  try {
    return read(new DataView(buffer), name);
  } catch (error) {
    if (error instanceof RangeError) throw new BakeError(`${name} is cut off; bake again`);
    throw error;
  }
}

/**
 * @param {DataView} view
 * @param {string} name
 * @returns {Pixels}
 */
function read(view, name) {
  if (view.getUint32(0, true) !== MAGIC) throw new BakeError(`${name} is not an OpenEXR file`);
  if (view.getUint32(4, true) !== SCANLINES_ONLY) throw unlike(name, "its kind");
  const { attributes, end } = readAttributes(view, name);
  const channels = readChannels(view, attributes.get("channels"), name);
  const { width, height, top } = readWindow(view, attributes, name);
  const compression = attributes.get("compression");
  if (!compression || view.getUint8(compression.start) !== 0) throw unlike(name, "its compression");

  const bytes = channels.type === FLOAT ? 4 : 2;
  const line = width * 4 * bytes;
  // Each scanline has an offset in the table, its number and its size.
  if (view.byteLength < end + height * (16 + line)) throw new RangeError();
  const data =
    channels.type === FLOAT
      ? new Float32Array(width * height * 4)
      : new Uint16Array(width * height * 4);
  const seen = new Uint8Array(height);
  for (let i = 0; i < height; i++) {
    const offset = Number(view.getBigUint64(end + 8 * i, true));
    const y = view.getInt32(offset, true) - top;
    if (!(y >= 0 && y < height) || seen[y] || view.getInt32(offset + 4, true) !== line) {
      throw new BakeError(`${name} is damaged (scanline ${i}); bake again`);
    }
    seen[y] = 1;
    if (offset + 8 + line > view.byteLength) throw new RangeError();
    copyScanline(view, offset + 8, data, (height - 1 - y) * width * 4, width);
  }
  return { width, height, pixel: channels.type === FLOAT ? "float32" : "float16", data };
}

/**
 * @param {DataView} view
 * @param {number} from
 * @param {Float32Array | Uint16Array} data
 * @param {number} to
 * @param {number} width
 */
function copyScanline(view, from, data, to, width) {
  for (const channel of [3, 2, 1, 0]) {
    if (data instanceof Float32Array) {
      for (let x = 0; x < width; x++, from += 4) {
        data[to + 4 * x + channel] = view.getFloat32(from, true);
      }
    } else {
      for (let x = 0; x < width; x++, from += 2) {
        data[to + 4 * x + channel] = view.getUint16(from, true);
      }
    }
  }
}

/** @typedef {{ start: number, size: number }} Attribute */

/**
 * @param {DataView} view
 * @param {string} name
 */
function readAttributes(view, name) {
  /** @type {Map<string, Attribute>} */
  const attributes = new Map();
  let at = 8;
  while (view.getUint8(at) !== 0) {
    const key = readText(view, at);
    const type = readText(view, key.end);
    const size = view.getInt32(type.end, true);
    const start = type.end + 4;
    if (size < 0) throw new BakeError(`${name} is damaged (attribute ${key.text}); bake again`);
    attributes.set(key.text, { start, size });
    at = start + size;
  }
  return { attributes, end: at + 1 };
}

/**
 * @param {DataView} view
 * @param {number} at
 */
function readText(view, at) {
  let text = "";
  for (let byte = view.getUint8(at); byte !== 0; byte = view.getUint8(++at)) {
    text += String.fromCharCode(byte);
  }
  return { text, end: at + 1 };
}

/**
 * @param {DataView} view
 * @param {Attribute | undefined} attribute
 * @param {string} name
 */
function readChannels(view, attribute, name) {
  let at = attribute ? attribute.start : 0;
  const types = new Set();
  let names = "";
  while (attribute && view.getUint8(at) !== 0) {
    const channel = readText(view, at);
    names += channel.text;
    types.add(view.getInt32(channel.end, true));
    if (view.getInt32(channel.end + 8, true) !== 1 || view.getInt32(channel.end + 12, true) !== 1) {
      throw unlike(name, "its sampling");
    }
    at = channel.end + 16;
  }
  const [type] = types;
  if (names !== "ABGR" || types.size !== 1 || (type !== HALF && type !== FLOAT)) {
    throw unlike(name, "its channels");
  }
  return { type };
}

/**
 * @param {DataView} view
 * @param {Map<string, Attribute>} attributes
 * @param {string} name
 */
function readWindow(view, attributes, name) {
  const window = attributes.get("dataWindow");
  if (!window) throw unlike(name, "its data window");
  const [left, top, right, bottom] = [0, 4, 8, 12].map((i) => view.getInt32(window.start + i, true));
  const [width, height] = [right - left + 1, bottom - top + 1];
  if (!(width > 0 && height > 0 && width * height <= MOST_PIXELS)) {
    throw unlike(name, "its data window");
  }
  return { width, height, top };
}

/**
 * @param {string} name
 * @param {string} what
 */
function unlike(name, what) {
  return new BakeError(
    `${name} is not as TrueVAT wrote it (${what}): it was saved anew by another program; ` +
      "use the file that the bake wrote",
  );
}
