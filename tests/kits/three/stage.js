// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What all jobs of page.js draw with.

import * as THREE from "three";
import { TrueVATLoader } from "truevat-three";

const SIZE = 384;
// Of 255: a pixel that differs by more is another pixel.
const SAME = 8;

export const renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE, false);
renderer.shadowMap.enabled = true;
renderer.info.autoReset = false;
document.body.append(renderer.domElement);

/** Of a bake as "folder/name". */
export const load = (name) => new TrueVATLoader().loadAsync(`/bakes/${name}.truevat.json`);

/** float32 (count, 6): positions and normals of all corners. */
export async function loadTruth(file) {
  const values = new THREE.InterleavedBuffer(
    new Float32Array(await (await fetch(`/truth/${file}`)).arrayBuffer()),
    6,
  );
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.InterleavedBufferAttribute(values, 3, 0));
  geometry.setAttribute("normal", new THREE.InterleavedBufferAttribute(values, 3, 3));
  return geometry;
}

/** A stage that fits the bake: a ground that takes shadows, and one light of the given kind. */
export function makeStage(bake, light, scale = 1) {
  const box = new THREE.Box3();
  for (const { geometry, matrix } of bake.parts) {
    box.union(geometry.boundingBox.clone().applyMatrix4(matrix));
  }
  const sphere = box.getBoundingSphere(new THREE.Sphere());
  const radius = sphere.radius * scale;
  const { center } = sphere;
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x202428);
  const ground = new THREE.Mesh(
    new THREE.PlaneGeometry(8 * radius, 8 * radius),
    new THREE.MeshStandardMaterial({ color: 0xcccccc }),
  );
  ground.rotation.x = -Math.PI / 2;
  ground.position.set(center.x, box.min.y - 0.02 * radius, center.z);
  ground.receiveShadow = true;
  const lamp =
    light === "point"
      ? new THREE.PointLight(0xffffff, 40 * radius * radius)
      : new THREE.DirectionalLight(0xffffff, 3);
  lamp.position.copy(center).add(new THREE.Vector3(1, 2.5, 0.7).multiplyScalar(radius));
  lamp.castShadow = true;
  lamp.shadow.mapSize.set(1024, 1024);
  lamp.shadow.bias = -0.002;
  Object.assign(lamp.shadow.camera, { near: 0.05 * radius, far: 10 * radius });
  if (light !== "point") {
    lamp.target.position.copy(center);
    const side = 2 * radius;
    Object.assign(lamp.shadow.camera, { left: -side, right: side, top: side, bottom: -side });
  }
  lamp.shadow.camera.updateProjectionMatrix();
  scene.add(ground, lamp, lamp.target ?? new THREE.Object3D());
  scene.add(new THREE.AmbientLight(0xffffff, 0.4));
  const camera = new THREE.PerspectiveCamera(40, 1, 0.02 * radius, 20 * radius);
  camera.position.copy(center).add(new THREE.Vector3(1.4, 1.0, 2.2).multiplyScalar(radius));
  camera.lookAt(center);
  return { scene, camera, ground };
}

export function draw(stage, objects) {
  for (const object of objects) stage.scene.add(object);
  renderer.info.reset();
  renderer.render(stage.scene, stage.camera);
  for (const object of objects) stage.scene.remove(object);
  const gl = renderer.getContext();
  const pixels = new Uint8Array(4 * SIZE * SIZE);
  gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return pixels;
}

/** The part of the pixels that differ, and their largest difference. */
export function compare(a, b) {
  let [count, largest] = [0, 0];
  for (let i = 0; i < a.length; i += 4) {
    const difference = Math.max(...[0, 1, 2].map((c) => Math.abs(a[i + c] - b[i + c])));
    if (difference > SAME) count++;
    largest = Math.max(largest, difference);
  }
  return { different: count / (a.length / 4), largest };
}

export const MATERIALS = {
  standard: () => new THREE.MeshStandardMaterial({ color: 0xe08030, roughness: 0.6 }),
  // Of colour 0: nothing but the specular light, which shows the normals.
  physical: () => new THREE.MeshPhysicalMaterial({ color: 0x3060c0, clearcoat: 1 }),
  lambert: () => new THREE.MeshLambertMaterial({ color: 0x40a060 }),
  normal: () => new THREE.MeshNormalMaterial(),
  basic: () => new THREE.MeshBasicMaterial({ color: 0x40a060 }),
  flat: () => new THREE.MeshStandardMaterial({ color: 0xe08030, flatShading: true }),
};

export function truthMesh(geometry, material) {
  const mesh = new THREE.Mesh(geometry, MATERIALS[material]());
  mesh.castShadow = mesh.receiveShadow = true;
  mesh.frustumCulled = false;
  return mesh;
}

/** The canvas as it is, where a picture is asked for. */
export function picture(wanted) {
  return wanted && renderer.domElement.toDataURL();
}
