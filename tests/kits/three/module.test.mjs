// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The module TRUEVAT_MODULE that a bake for the web has beside it, as a page would import it.

import assert from "node:assert/strict";
import { copyFile, readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const MODULE = process.env.TRUEVAT_MODULE;

test("loads its bake", async () => {
  // Beside this file, where Node finds the package; its files are looked for where it came from.
  const here = path.join(import.meta.dirname, "module.mjs");
  await copyFile(MODULE, here);
  const { fetch } = globalThis;
  const asked = [];
  globalThis.fetch = async ({ url }) => {
    const name = path.basename(fileURLToPath(url));
    asked.push(name);
    return new Response(await readFile(path.join(path.dirname(MODULE), name)));
  };
  // What a browser has and Node has not.
  globalThis.ProgressEvent ??= class extends Event {};
  try {
    const { default: load } = await import(pathToFileURL(here).href);
    const bake = await load();
    assert.deepEqual(bake.clips.map((clip) => clip.name), ["wave", "fall"]);
    assert.equal(new Set(asked).size, 3);
  } finally {
    globalThis.fetch = fetch;
  }
});
