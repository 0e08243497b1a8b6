// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The words in a texture's first rows.

import { DataUtils } from "three";

import { BakeError } from "./errors.js";

const MAGIC = 0x54415654;
const VERSION = 1;
const KNOWN_FLAGS = 0;
const FIXED_WORDS = 32;
const MOST_CLIPS = 65536;

/**
 * @param {import("./exr.js").Pixels} pixels
 * @param {number} i of the component
 * @returns {number}
 */
export function component(pixels, i) {
  const value = pixels.data[i];
  return pixels.pixel === "float32" ? value : DataUtils.fromHalfFloat(value);
}

/**
 * @param {import("./exr.js").Pixels} pixels
 * @param {number} i
 * @param {string} name
 * @returns {number}
 */
export function readWord(pixels, i, name) {
  if (i >= pixels.width * pixels.height) throw new BakeError(`${name} has a damaged header`);
  let word = 0;
  for (let digit = 3; digit >= 0; digit--) {
    const value = component(pixels, 4 * i + digit);
    if (!Number.isInteger(value) || value < 0 || value > (digit === 3 ? 3 : 1023)) {
      throw new BakeError(`${name} has no TrueVAT header, or another program has changed it`);
    }
    word = word * 1024 + value;
  }
  return word;
}

/** @param {number} word */
function asFloat(word) {
  return new Float32Array(new Uint32Array([word]).buffer)[0];
}

/**
 * @param {import("./exr.js").Pixels} pixels
 * @param {string} name of the file, for messages
 */
export function readHeader(pixels, name) {
  /** @param {number} i */
  const word = (i) => readWord(pixels, i, name);
  if (word(0) !== MAGIC) throw new BakeError(`${name} has no TrueVAT header; bake again`);
  if (word(1) !== VERSION) {
    throw new BakeError(`${name} has format version ${word(1)}; update truevat-three`);
  }
  if (word(2) & ~KNOWN_FLAGS) {
    throw new BakeError(
      `${name} needs a feature that is not known here (flags ${word(2)}); update truevat-three`,
    );
  }
  const [count, step, first] = [word(15), word(16), word(17)];
  if (count < 1 || count > MOST_CLIPS || step < 5 || first < FIXED_WORDS) {
    throw new BakeError(`${name} has a damaged table of clips; bake again`);
  }
  return {
    width: word(3),
    height: word(4),
    headerRows: word(5),
    rowsPerFrame: word(6),
    slots: word(7),
    frames: word(8),
    positionKind: word(11),
    normalKind: word(12),
    normalRow: word(13),
    normalRowsPerFrame: word(14),
    min: [18, 19, 20].map((i) => asFloat(word(i))),
    max: [21, 22, 23].map((i) => asFloat(word(i))),
    bakeId: [24, 25, 26, 27].map((i) => word(i).toString(16).padStart(8, "0")).join(""),
    changing: word(28) === 1,
    clips: Array.from({ length: count }, (_, i) => {
      const at = first + step * i;
      return {
        firstFrame: word(at),
        frames: word(at + 1),
        fps: word(at + 2) / word(at + 3),
        loop: (word(at + 4) & 1) === 1,
      };
    }),
  };
}

/** @typedef {ReturnType<typeof readHeader>} Header */
