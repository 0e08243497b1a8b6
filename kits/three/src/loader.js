// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later

import { FileLoader, Loader, LoaderUtils, LoadingManager } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

import { Bake } from "./bake.js";
import { BakeError } from "./errors.js";
import { readExr } from "./exr.js";
import { addSlots, checkFirstFrame, setBounds } from "./geometry.js";
import { readHeader } from "./header.js";
import { SUFFIX, checkTexture, parseSidecar } from "./sidecar.js";

/** Loads <name>.truevat.json, and the texture and the GLB beside it. */
export class TrueVATLoader extends Loader {
  /**
   * @param {string} url of the sidecar
   * @param {(bake: Bake) => void} onLoad
   * @param {(event: ProgressEvent) => void} [onProgress]
   * @param {(error: unknown) => void} [onError]
   */
  load(url, onLoad, onProgress, onError) {
    this.loadAsync(url, onProgress).then(onLoad, (error) => {
      if (!onError) throw error;
      onError(error);
    });
  }

  /**
   * @param {string} url of the sidecar
   * @param {(event: ProgressEvent) => void} [onProgress]
   * @returns {Promise<Bake>}
   */
  async loadAsync(url, onProgress) {
    const loader = new FileLoader(this.manager);
    loader.setResponseType("arraybuffer");
    loader.setPath(this.path);
    loader.setRequestHeader(this.requestHeader);
    loader.setWithCredentials(this.withCredentials);
    const folder = LoaderUtils.extractUrlBase(url.replace(/[?#].*$/s, ""));
    const name = decodeURIComponent(url.replace(/[?#].*$/s, "").slice(folder.length));
    /** @param {string} address */
    const read = async (address) =>
      /** @type {ArrayBuffer} */ (await loader.loadAsync(address, onProgress));
    const sidecar = await read(url);
    return openBake(name, sidecar, (file) => read(folder + encodeURIComponent(file)));
  }
}

/**
 * A bake whose files have addresses of their own, as bundlers give them.
 *
 * @param {Record<string, string | URL>} urls by the names that the files had: the sidecar's and
 *   those that it names
 * @param {LoadingManager} [manager]
 * @returns {Promise<Bake>}
 */
export async function loadBake(urls, manager) {
  const loader = new FileLoader(manager);
  loader.setResponseType("arraybuffer");
  const sidecar = Object.keys(urls).find((name) => name.endsWith(SUFFIX));
  if (!sidecar) throw new BakeError(`There is no ${SUFFIX} among the files to load`);
  /** @param {string} name */
  const read = async (name) => {
    if (!Object.hasOwn(urls, name)) throw new BakeError(`${sidecar} needs ${name}, too`);
    return /** @type {ArrayBuffer} */ (await loader.loadAsync(String(urls[name])));
  };
  return openBake(sidecar, await read(sidecar), read);
}

/**
 * A bake from wherever its files are: dropped on a page, in an archive, embedded.
 *
 * @param {string} name of the sidecar
 * @param {ArrayBuffer} json its content
 * @param {(name: string) => Promise<ArrayBuffer>} read gives the other files
 * @returns {Promise<Bake>}
 */
export async function openBake(name, json, read) {
  const sidecar = parseSidecar(new TextDecoder().decode(json), name);
  const [exr, glb] = await Promise.all(
    [sidecar.texture, sidecar.mesh].map(async (file) => {
      const content = await read(file.name);
      if (content.byteLength !== file.bytes) {
        throw new BakeError(
          `${file.name} has ${content.byteLength} bytes where ${name} says ${file.bytes}: it is of ` +
            "another bake, or not whole; take all files of one bake",
        );
      }
      return content;
    }),
  );
  const pixels = readExr(exr, sidecar.texture.name);
  checkTexture(sidecar, pixels, readHeader(pixels, sidecar.texture.name));
  const parts = await readParts(glb, sidecar);
  for (const { geometry } of parts) {
    addSlots(geometry, sidecar);
    setBounds(geometry, sidecar);
    checkFirstFrame(geometry, sidecar, pixels);
  }
  return new Bake(sidecar, pixels, parts);
}

/**
 * @param {ArrayBuffer} glb
 * @param {import("./sidecar.js").Sidecar} sidecar
 */
async function readParts(glb, sidecar) {
  // What a GLB of a bake has lies inside it: nothing else is fetched on its behalf.
  const manager = new LoadingManager();
  manager.setURLModifier((url) => {
    if (/^(blob|data):/.test(url)) return url;
    throw new BakeError(`${sidecar.mesh.name} refers to another file; use the one that the bake wrote`);
  });
  let scene;
  try {
    ({ scene } = await new GLTFLoader(manager).parseAsync(glb, ""));
  } catch (error) {
    if (error instanceof BakeError) throw error;
    throw new BakeError(`${sidecar.mesh.name} cannot be read (${error})`);
  }
  scene.updateMatrixWorld(true);
  /** @type {import("./bake.js").Part[]} */
  const parts = [];
  scene.traverse((object) => {
    const mesh = /** @type {import("three").Mesh} */ (object);
    if (!mesh.isMesh) return;
    const id = bakeIdOf(mesh);
    if (id !== sidecar.bakeId) {
      throw new BakeError(
        `${sidecar.mesh.name} ${id ? "is of another bake" : "has no bake id"} ('${mesh.name}'); ` +
          "use the file that the bake wrote",
      );
    }
    const material = /** @type {import("three").Material} */ (mesh.material);
    parts.push({ name: mesh.name, geometry: mesh.geometry, material, matrix: mesh.matrixWorld.clone() });
  });
  if (!parts.length) throw new BakeError(`${sidecar.mesh.name} has no mesh; bake again`);
  return parts;
}

/**
 * @param {import("three").Object3D | null} object
 * @returns {unknown}
 */
function bakeIdOf(object) {
  for (; object; object = object.parent) {
    if ("truevat_bake" in object.userData) return object.userData.truevat_bake;
  }
  return undefined;
}
