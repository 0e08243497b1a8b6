// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The scene: a ground, a light, and one object or a crowd.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const CROWD = 1000;
const SKY = 0x1b1e22;
// Of the window, which the panel covers to the right.
const PANEL = 244;
const NARROW = 700;

export class Show {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.info.autoReset = false;
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(SKY);
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.01, 100);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.light = new THREE.DirectionalLight(0xffffff, 2.5);
    this.light.castShadow = true;
    this.light.shadow.mapSize.set(2048, 2048);
    this.ground = new THREE.Mesh(
      new THREE.CircleGeometry(1, 96),
      new THREE.MeshStandardMaterial({ color: 0x50565e, roughness: 1 }),
    );
    this.ground.rotation.x = -Math.PI / 2;
    this.ground.receiveShadow = true;
    this.scene.add(this.ground, this.light, this.light.target);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x606060, 1.2));
    this.bake = null;
    this.player = null;
    this.look = { normals: false, wireframe: false, ground: true, crowd: false };
  }

  /** @param {import("../src/index.js").Bake} bake */
  open(bake) {
    this.#clear();
    this.bake?.dispose();
    this.bake = bake;
    this.#place();
  }

  /** @param {boolean} crowd */
  setCrowd(crowd) {
    this.look.crowd = crowd;
    if (this.bake) this.#place();
  }

  get mixers() {
    return this.player ? this.player.mixerTexture.mixers : [];
  }

  /** The materials that the file has, or normals as colours. */
  dress() {
    const { normals, wireframe, ground } = this.look;
    this.ground.visible = ground;
    this.renderer.shadowMap.enabled = ground;
    this.player?.meshes.forEach((mesh, i) => {
      for (const material of [mesh.material].flat()) material.dispose();
      const { material } = this.bake.parts[i];
      mesh.material = this.player.adopt(
        normals ? new THREE.MeshNormalMaterial({ side: material.side }) : material.clone(),
      );
      mesh.material.wireframe = wireframe;
    });
  }

  /** @param {number} delta seconds */
  draw(delta) {
    const { clientWidth: width, clientHeight: height } = this.renderer.domElement;
    const size = this.renderer.getSize(new THREE.Vector2());
    if (size.x !== width || size.y !== height) {
      this.renderer.setSize(width, height, false);
      this.camera.aspect = width / height;
      const aside = width > NARROW ? PANEL / 2 : 0;
      this.camera.setViewOffset(width, height, aside, 0, width, height);
    }
    this.controls.update();
    this.player?.update(delta);
    this.renderer.info.reset();
    this.renderer.render(this.scene, this.camera);
  }

  #clear() {
    if (!this.player) return;
    this.scene.remove(this.player);
    this.player.dispose();
    this.player = null;
  }

  #place() {
    this.#clear();
    this.player = this.look.crowd ? this.#makeCrowd() : this.bake.createObject();
    this.scene.add(this.player);
    this.dress();
    this.#frame();
  }

  /** Of the whole animation. */
  #bounds() {
    const box = new THREE.Box3();
    for (const { geometry, matrix } of this.bake.parts) {
      box.union(geometry.boundingBox.clone().applyMatrix4(matrix));
    }
    return box;
  }

  #makeCrowd() {
    const instances = this.bake.createInstances(CROWD);
    const size = this.#bounds().getSize(new THREE.Vector3());
    const step = 1.15 * Math.max(size.x, size.z);
    const side = Math.ceil(Math.sqrt(CROWD));
    const matrix = new THREE.Matrix4();
    const { clips } = this.bake;
    for (let i = 0; i < CROWD; i++) {
      const [x, z] = [(i % side) - (side - 1) / 2, Math.floor(i / side) - (side - 1) / 2];
      instances.setMatrixAt(i, matrix.makeTranslation(x * step, 0, z * step));
      const phase = (i * 0.618034) % 1;
      instances.mixerAt(i).play(i % clips.length, { phase, speed: 0.7 + (i % 13) / 20, loop: true });
    }
    return instances;
  }

  /** Camera, light and ground to fit what is shown. */
  #frame() {
    const box = this.#bounds();
    const { center, radius: one } = box.getBoundingSphere(new THREE.Sphere());
    const radius = Math.max(one, 1e-6) * (this.look.crowd ? 12 : 1);
    const { camera, controls, light, ground } = this;
    Object.assign(camera, { near: radius / 100, far: radius * 100 });
    controls.target.copy(center);
    camera.position.copy(center).add(new THREE.Vector3(1.3, 0.9, 2.4).multiplyScalar(radius * 1.15));
    camera.updateProjectionMatrix();
    ground.position.set(center.x, box.min.y - radius / 500, center.z);
    ground.scale.setScalar(radius * 6);
    light.position.copy(center).add(new THREE.Vector3(1, 2.2, 0.8).multiplyScalar(radius * 2));
    light.target.position.copy(center);
    const reach = radius * (this.look.crowd ? 2.2 : 1.6);
    Object.assign(light.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach });
    Object.assign(light.shadow.camera, { near: radius / 10, far: radius * 12 });
    light.shadow.camera.updateProjectionMatrix();
    light.shadow.normalBias = radius / 500;
  }
}
