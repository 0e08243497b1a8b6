// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// node twins.mjs CASES.json: what the kit's JavaScript makes of the cases of tests/kits/shaders.

import { readFileSync } from "node:fs";

import { fadeWeight, frameOf, span } from "../src/clip-time.js";
import { slotsOf } from "../src/geometry.js";
import { readWord } from "../src/header.js";

const seconds = ([epochs, rest]) => 64 * epochs + rest;

const FUNCTIONS = {
  word({ digits }) {
    const pixels = { width: 1, height: 1, pixel: "float32", data: digits };
    return { result: [readWord(pixels, 0, "case")] };
  },
  slot({ address: [u, v] }) {
    return { result: [...slotsOf({ count: 1, getX: () => u, getY: () => v })] };
  },
  frame({ clock, start, rate: [rate], phase: [phase], count: [frames], loops: [loops] }) {
    const layer = { clip: { frames }, phase, start: seconds(start), rate, loop: loops !== 0 };
    return { result: [frameOf(layer, seconds(clock))] };
  },
  span({ x: [x], count: [count], loops: [loops] }) {
    const { a, b, fraction } = span(x, count, loops !== 0);
    return { result: [fraction], a: [a], b: [b] };
  },
  fade({ clock, start, seconds: [fade] }) {
    return { result: [fadeWeight(seconds(clock) - seconds(start), fade)] };
  },
};

const cases = JSON.parse(readFileSync(process.argv[2], "utf8"));
console.log(
  JSON.stringify(cases.map(({ function: name, rows }) => rows.map((row) => FUNCTIONS[name](row)))),
);
