// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Where the files of a bake come from: embedded in this page, dropped on it, or chosen.

/** @typedef {Map<string, () => Promise<ArrayBuffer>>} Files content by name */

/** @returns {Files} */
export function embeddedFiles() {
  /** @type {Files} */
  const files = new Map();
  const index = document.getElementById("truevat-files");
  if (!index) return files;
  const chunks = [...document.querySelectorAll("script.truevat-data")];
  for (const { name, bytes, chunks: count } of JSON.parse(index.textContent)) {
    const mine = chunks.splice(0, count);
    files.set(name, async () => {
      const content = new Uint8Array(bytes);
      let at = 0;
      for (const chunk of mine) {
        const part = fromBase64(chunk.textContent);
        content.set(part, at);
        at += part.length;
      }
      return content.buffer;
    });
  }
  return files;
}

/** @param {string} text */
function fromBase64(text) {
  if ("fromBase64" in Uint8Array) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/**
 * @param {Iterable<File>} list
 * @returns {Files}
 */
export function chosenFiles(list) {
  return new Map([...list].map((file) => [file.name, () => file.arrayBuffer()]));
}

/**
 * Files, and those of folders that were dropped.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<Files>}
 */
export async function droppedFiles(transfer) {
  // Both lists are gone after the first wait.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry.isDirectory)) return chosenFiles(plain);
  return chosenFiles((await Promise.all(entries.map(filesOf))).flat());
}

/**
 * @param {FileSystemEntry} entry
 * @returns {Promise<File[]>}
 */
async function filesOf(entry) {
  if (entry.isFile) return [await new Promise((done, failed) => entry.file(done, failed))];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    // A part at a time, until there are no more.
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) break;
    found.push(...some.filter((each) => each.isFile));
  }
  return (await Promise.all(found.map(filesOf))).flat();
}
