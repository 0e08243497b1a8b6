// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One object whose clips fade at a click, before a crowd of its kind. Which bake: the page's address
// ends with ?bake=FOLDER/NAME.truevat.json

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { TrueVATLoader } from "truevat-three";

const CROWD = 500;
const FADE = 0.4;

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);

const say = (text) => (document.getElementById("text").textContent = text);

async function start() {
  const file = new URLSearchParams(location.search).get("bake") ?? "bake/bake.truevat.json";
  const bake = await new TrueVATLoader().loadAsync(file);
  const box = bake.parts[0].geometry.boundingBox;
  const { radius } = bake.parts[0].geometry.boundingSphere;

  const scene = new THREE.Scene();
  scene.add(new THREE.HemisphereLight(0xffffff, 0x606060, 1.5));
  const sun = new THREE.DirectionalLight(0xffffff, 2.5);
  sun.position.set(2, 5, 3).multiplyScalar(radius);
  sun.castShadow = true;
  const reach = 6 * radius;
  Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach });
  Object.assign(sun.shadow.camera, { near: 0.1 * radius, far: 30 * radius });
  const ground = new THREE.Mesh(
    new THREE.CircleGeometry(60 * radius, 64).rotateX(-Math.PI / 2),
    new THREE.MeshStandardMaterial({ color: 0x50565e }),
  );
  ground.position.y = box.min.y + bake.parts[0].matrix.elements[13];
  ground.receiveShadow = true;
  scene.add(sun, ground);

  const hero = bake.createObject();
  const crowd = bake.createInstances(CROWD);
  for (let i = 0; i < CROWD; i++) {
    const [angle, far] = [i * 2.399963, radius * (4 + 1.4 * Math.sqrt(i))];
    const place = new THREE.Vector3(Math.cos(angle), 0, Math.sin(angle)).multiplyScalar(far);
    crowd.setMatrixAt(i, new THREE.Matrix4().makeRotationY(angle).setPosition(place));
    const options = { phase: (i * 0.618034) % 1, speed: 0.7 + (i % 13) / 20, loop: true };
    crowd.mixerAt(i).play(i % bake.clips.length, options);
  }
  scene.add(hero, crowd);

  let clip = 0;
  addEventListener("click", () => {
    clip = (clip + 1) % bake.clips.length;
    hero.mixer.crossFade(clip, FADE);
    say(bake.clips[clip].name);
  });

  const camera = new THREE.PerspectiveCamera(40, innerWidth / innerHeight, radius / 50, radius * 200);
  camera.position.set(1.5, 1.2, 4).multiplyScalar(radius);
  const controls = new OrbitControls(camera, renderer.domElement);
  const timer = new THREE.Timer();
  renderer.setAnimationLoop((now) => {
    timer.update(now);
    for (const object of [hero, crowd]) object.update(timer.getDelta());
    controls.update();
    renderer.render(scene, camera);
  });
}

start().catch((error) => say(error.message));
