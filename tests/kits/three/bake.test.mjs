// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Bakes of TRUEVAT_BAKES, a folder with a folder for each; read, and spoiled in every way.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";

import { Box3, FloatType, HalfFloatType, NearestFilter, NoColorSpace, Vector3 } from "three";
import { EXRLoader } from "three/addons/loaders/EXRLoader.js";
import { BakeError, openBake } from "truevat-three";

import { readExr } from "../src/exr.js";

const ROOT = process.env.TRUEVAT_BAKES;
const NAMES = await readdir(ROOT);

async function filesOf(name) {
  const folder = path.join(ROOT, name);
  const files = new Map();
  for (const file of await readdir(folder)) {
    const content = await readFile(path.join(folder, file));
    files.set(file, new Uint8Array(content).buffer);
  }
  return files;
}

function open(name, files) {
  const read = async (file) => files.get(file);
  return openBake(`${name}.truevat.json`, files.get(`${name}.truevat.json`), read);
}

/** With a changed sidecar. */
function edited(name, files, edit) {
  const key = `${name}.truevat.json`;
  const json = JSON.parse(new TextDecoder().decode(files.get(key)));
  edit(json);
  return new Map(files).set(key, new TextEncoder().encode(JSON.stringify(json)).buffer);
}

for (const name of NAMES) {
  test(`${name}: texture and bounds`, async () => {
    const bake = await open(name, await filesOf(name));
    const { texture, sidecar } = bake;
    assert.equal(texture.type, sidecar.layout.pixel === "float32" ? FloatType : HalfFloatType);
    assert.deepEqual(
      [texture.minFilter, texture.magFilter, texture.generateMipmaps, texture.colorSpace],
      [NearestFilter, NearestFilter, false, NoColorSpace],
    );
    assert.equal(texture.flipY, false);
    const box = new Box3();
    const point = new Vector3();
    for (const part of bake.parts) {
      for (let frame = 0; frame < sidecar.frames; frame++) {
        const { positions } = bake.decode(part, frame);
        const slots = part.geometry.getAttribute("truevatSlot");
        for (let i = 0; i < slots.count; i++) {
          if (slots.getX(i)) box.expandByPoint(point.fromArray(positions, 3 * i));
        }
      }
    }
    for (const { geometry } of bake.parts) {
      for (const side of ["min", "max"]) {
        const away = geometry.boundingBox[side].distanceTo(box[side]);
        assert.ok(away < 0.01, `${side} is off by ${away}`);
      }
      assert.ok(geometry.boundingSphere.radius >= box.getSize(point).length() / 2 - 0.01);
    }
  });

  test(`${name}: the pixels are those that three.js reads`, async () => {
    const exr = (await filesOf(name)).get(`${name}.truevat.exr`);
    const mine = readExr(exr, name);
    const loader = new EXRLoader();
    loader.setDataType(mine.pixel === "float32" ? FloatType : HalfFloatType);
    const theirs = loader.parse(exr);
    assert.deepEqual([mine.width, mine.height], [theirs.width, theirs.height]);
    assert.deepEqual(new Uint8Array(mine.data.buffer), new Uint8Array(theirs.data.buffer));
  });
}

const [ONE] = NAMES.filter((name) => /float_wrapped/.test(name));
const [HALF] = NAMES.filter((name) => /half_wrapped/.test(name));

/** What is wrong, how the sidecar says it, and what the message must name. */
const EDITS = {
  "a later version": [(json) => (json.version = 2), /version 2; update/],
  "another format": [(json) => (json.format = "vat"), /not the sidecar/],
  "another profile": [(json) => (json.profile = "openvat"), /openvat.*bake with truevat/],
  "another bake": [(json) => (json.bake_id = "0".repeat(32)), /exr is of another bake/],
  "no mesh": [(json) => delete json.files.mesh, /no GLB mesh/],
  "an FBX": [(json) => (json.files.mesh.name = "a.fbx"), /no GLB mesh/],
  "another size": [(json) => json.files.mesh.bytes++, /glb has \d+ bytes where/],
  "another width": [(json) => json.texture.width++, /differ in 'width'/],
  "another height": [(json) => json.texture.height++, /differ in 'height'/],
  "other rows": [(json) => json.texture.rows_per_frame++, /differ in 'rows_per_frame'/],
  "another pixel": [(json) => (json.texture.pixel = "float16"), /differ in 'pixel'/],
  "another kind": [(json) => (json.position.kind = "offset"), /differ in 'position.kind'/],
  "a kind unknown": [(json) => (json.position.kind = "remapped"), /'position.kind' is missing/],
  "other normals": [(json) => (json.normals.encoding = "none"), /differ in 'normals.encoding'/],
  "another topology": [(json) => (json.constant_topology = false), /'constant_topology'/],
  "other slots": [(json) => json.slots--, /differ in 'slots'/],
  "other frames": [(json) => json.frames.stored--, /differ in 'frames.stored'/],
  "fewer clips": [(json) => json.clips.pop(), /differ in 'clips'/],
  "a longer clip": [(json) => json.clips[1].frames++, /differ in 'clips\[1\].frames'/],
  "a faster clip": [(json) => (json.clips[0].fps.numerator = 7), /differ in 'clips\[0\].fps'/],
  "no clips": [(json) => (json.clips = []), /'clips' is missing or wrong/],
  "a clip as text": [(json) => (json.clips[0].frames = "24"), /'clips\[0\].frames' is missing/],
  "no bounds": [(json) => delete json.bounds, /'bounds.min' is missing/],
};

for (const [what, [edit, message]] of Object.entries(EDITS)) {
  test(`refused: ${what}`, async () => {
    const files = edited(ONE, await filesOf(ONE), edit);
    await assert.rejects(open(ONE, files), { name: "BakeError", message });
  });
}

for (const name of ["../a.exr", "a/b.exr", "a\\b.exr", "..", ".", "", "https://x", "a?b", "a.", 7, null]) {
  test(`refused: a file named ${JSON.stringify(name)}`, async () => {
    const files = edited(ONE, await filesOf(ONE), (json) => (json.files.texture.name = name));
    await assert.rejects(open(ONE, files), { name: "BakeError", message: /'files.texture/ });
  });
}

test("refused: texture and mesh of different bakes", async () => {
  const [one, half] = [await filesOf(ONE), await filesOf(HALF)];
  const key = `${ONE}.truevat.exr`;
  const exr = half.get(`${HALF}.truevat.exr`);
  const other = edited(ONE, one, (json) => (json.files.texture.bytes = exr.byteLength));
  await assert.rejects(open(ONE, other.set(key, exr)), { message: /another bake/ });
  const glb = half.get(`${HALF}.glb`);
  const third = edited(ONE, one, (json) => (json.files.mesh.bytes = glb.byteLength));
  await assert.rejects(open(ONE, third.set(`${ONE}.glb`, glb)), { message: /glb is of another/ });
});

/** A GLB with its JSON changed: the chunk's length may change with it. */
function editGlb(glb, edit) {
  const view = new DataView(glb);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(glb, 20, length)));
  edit(json);
  let text = JSON.stringify(json);
  text += " ".repeat((4 - (text.length % 4)) % 4);
  const rest = new Uint8Array(glb, 20 + length);
  const made = new Uint8Array(20 + text.length + rest.length);
  made.set(new Uint8Array(glb, 0, 20));
  made.set(new TextEncoder().encode(text), 20);
  made.set(rest, 20 + text.length);
  new DataView(made.buffer).setUint32(8, made.length, true);
  new DataView(made.buffer).setUint32(12, text.length, true);
  return made.buffer;
}

/** Which attribute's numbers to change, by its accessor. */
function editFloats(glb, attribute, edit) {
  const copy = glb.slice(0);
  const length = new DataView(copy).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(copy, 20, length)));
  for (const { attributes } of json.meshes[0].primitives) {
    const accessor = json.accessors[attributes[attribute]];
    const view = json.bufferViews[accessor.bufferView];
    const from = 28 + length + view.byteOffset + (accessor.byteOffset ?? 0);
    const values = new Float32Array(copy.slice(from, from + view.byteLength));
    edit(values);
    new Uint8Array(copy).set(new Uint8Array(values.buffer), from);
  }
  return copy;
}

const GLBS = {
  "another file's buffer": [(glb) => editGlb(glb, (json) => (json.buffers[0].uri = "b.bin")), /./],
  "an image from afar": [
    (glb) =>
      editGlb(glb, (json) => {
        json.images = [{ uri: "http://127.0.0.1:9/a.png" }];
        json.textures = [{ source: 0 }];
        json.materials[0].pbrMetallicRoughness.baseColorTexture = { index: 0 };
      }),
    null,
  ],
  "no bake id": [(glb) => editGlb(glb, (json) => delete json.nodes[0].extras), /no bake id/],
  "no mesh": [(glb) => editGlb(glb, (json) => (json.nodes = [{}])), /no mesh/],
  "no second UVs": [
    (glb) =>
      editGlb(glb, (json) => {
        for (const { attributes } of json.meshes[0].primitives) delete attributes.TEXCOORD_1;
      }),
    /lost its second UV map/,
  ],
  "slots too high": [
    (glb) => editFloats(glb, "TEXCOORD_1", (uv) => (uv[0] += 5000)),
    /lost its second UV map/,
  ],
  "slots that are no numbers": [
    (glb) => editFloats(glb, "TEXCOORD_1", (uv) => uv.fill(NaN)),
    /lost its second UV map/,
  ],
  "a moved vertex": [
    (glb) => editFloats(glb, "POSITION", (xyz) => (xyz[4] += 0.01)),
    /not the mesh that.*use the files/,
  ],
  "other axes": [
    (glb) =>
      editFloats(glb, "POSITION", (xyz) => {
        for (let i = 0; i < xyz.length; i += 3) [xyz[i + 1], xyz[i + 2]] = [-xyz[i + 2], xyz[i + 1]];
      }),
    /not the mesh that/,
  ],
  "half of it": [(glb) => glb.slice(0, glb.byteLength / 2), /cannot be read/],
};

for (const [what, [spoil, message]] of Object.entries(GLBS)) {
  test(`a GLB with ${what}`, async () => {
    const files = await filesOf(ONE);
    const glb = spoil(files.get(`${ONE}.glb`));
    const given = edited(ONE, files, (json) => (json.files.mesh.bytes = glb.byteLength));
    given.set(`${ONE}.glb`, glb);
    // Nothing is ever fetched, whatever becomes of it.
    const { fetch } = globalThis;
    const asked = [];
    globalThis.fetch = async (request) => {
      asked.push(request.url ?? request);
      throw new Error("no network");
    };
    try {
      if (message) await assert.rejects(open(ONE, given), { name: "BakeError", message });
      else await open(ONE, given).catch((error) => assert.equal(error.name, "BakeError"));
    } finally {
      globalThis.fetch = fetch;
    }
    assert.deepEqual(asked, []);
  });
}

test("a cut or damaged texture is refused or read, and nothing else", async () => {
  const exr = (await filesOf(HALF)).get(`${HALF}.truevat.exr`);
  for (let length = 0; length < exr.byteLength; length += 1 + (length >> 3)) {
    assert.throws(() => readExr(exr.slice(0, length), "cut"), BakeError);
  }
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647);
  let refused = 0;
  for (let i = 0; i < 3000; i++) {
    const copy = exr.slice(0);
    for (let n = 0; n < 3; n++) new Uint8Array(copy)[random() % 400] = random();
    try {
      readExr(copy, "damaged");
    } catch (error) {
      assert.ok(error instanceof BakeError, error.stack);
      refused++;
    }
  }
  assert.ok(refused > 1000);
});
