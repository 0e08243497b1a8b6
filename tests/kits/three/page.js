// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a bake and, with the same camera, lights and material, the mesh that it should be.

import * as THREE from "three";
import { TrueVATLoader, loadBake } from "truevat-three";

import {
  MATERIALS,
  compare,
  draw,
  load,
  loadTruth,
  makeStage,
  picture,
  renderer,
  truthMesh,
} from "./stage.js";

function played(bake, job) {
  const object = bake.createObject();
  for (const mesh of object.meshes) mesh.material = object.adopt(MATERIALS[job.material]());
  object.mixer.play(job.clip).seek(job.seconds);
  if (job.hours) object.mixer.setTime(3600 * job.hours);
  object.update(0);
  return object;
}

/** What must not look right. */
const SPOILED = {
  vFlipped(bake) {
    const { width, height, data } = bake.pixels;
    const rows = new data.constructor(data.length);
    for (let y = 0; y < height; y++) {
      rows.set(data.subarray(4 * width * y, 4 * width * (y + 1)), 4 * width * (height - 1 - y));
    }
    bake.texture.image.data = rows;
    bake.texture.needsUpdate = true;
  },
  axesSwapped(bake) {
    for (let i = 0; i < bake.pixels.data.length; i += 4) {
      const { data } = bake.pixels;
      [data[i + 1], data[i + 2]] = [data[i + 2], data[i + 1]];
    }
    bake.texture.needsUpdate = true;
  },
  restShadow(bake, object) {
    for (const mesh of object.meshes) {
      mesh.customDepthMaterial = mesh.customDistanceMaterial = undefined;
    }
  },
};

async function image({ bake: name, truth, light = "directional", spoil, ...job }) {
  const bake = await load(name);
  const stage = makeStage(bake, light);
  const object = played(bake, job);
  if (spoil) SPOILED[spoil](bake, object);
  const mine = draw(stage, [object]);
  const calls = renderer.info.render.calls;
  const shown = picture(job.picture);
  const right = draw(stage, [truthMesh(await loadTruth(truth), job.material)]);
  const pictures = shown && [shown, picture(true)];
  object.dispose();
  bake.dispose();
  return { ...compare(mine, right), calls, pictures };
}

/** Instances, each with a clip and time of its own, against as many plain meshes. */
async function crowd({ bake: name, members, picture: wanted }) {
  const bake = await load(name);
  const stage = makeStage(bake, "directional", 3);
  const radius = bake.parts[0].geometry.boundingSphere.radius;
  const instances = bake.createInstances(members.length);
  for (const mesh of instances.meshes) {
    mesh.material = instances.adopt(MATERIALS.standard());
  }
  const meshes = [];
  for (const [i, { clip, seconds, truth }] of members.entries()) {
    const side = Math.ceil(Math.sqrt(members.length));
    const place = new THREE.Matrix4().compose(
      new THREE.Vector3((i % side) - side / 2, 0, Math.floor(i / side) - side / 2).multiplyScalar(
        1.2 * radius,
      ),
      new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), i),
      new THREE.Vector3(1, 1, 1).multiplyScalar(0.5),
    );
    instances.setMatrixAt(i, place);
    instances.mixerAt(i).play(clip).seek(seconds);
    const mesh = truthMesh(await loadTruth(truth), "standard");
    mesh.applyMatrix4(place);
    meshes.push(mesh);
  }
  instances.update(0);
  const mine = draw(stage, [instances]);
  const shown = picture(wanted);
  const right = draw(stage, meshes);
  return { ...compare(mine, right), pictures: shown && [shown, picture(true)] };
}

/** Draw calls of many instances, without the ground: the shadow's pass and the camera's. */
async function drawCalls({ bake: name, count, picture: wanted }) {
  const bake = await load(name);
  const stage = makeStage(bake, "directional", 12);
  const instances = bake.createInstances(count);
  const radius = bake.parts[0].geometry.boundingSphere.radius;
  const side = Math.ceil(Math.sqrt(count));
  for (let i = 0; i < count; i++) {
    const place = [(i % side) - side / 2, 0, Math.floor(i / side) - side / 2];
    instances.setMatrixAt(
      i,
      new THREE.Matrix4().setPosition(new THREE.Vector3(...place).multiplyScalar(radius)),
    );
    const clip = i % bake.clips.length;
    instances.mixerAt(i).play(clip, { phase: (i * 0.37) % 1, speed: 0.5 + (i % 7) / 4 });
  }
  instances.update(0.5);
  stage.ground.visible = false;
  draw(stage, [instances]);
  const { calls, triangles } = renderer.info.render;
  stage.ground.visible = true;
  draw(stage, [instances]);
  const shown = picture(wanted);
  return { calls, triangles, parts: bake.parts.length, pictures: shown && [shown] };
}

/** Of the whole GLB: how far its vertices are from the decoded first frame. */
async function firstFrame({ bake: name }) {
  const bake = await load(name);
  let [error, vertices] = [0, 0];
  for (const part of bake.parts) {
    const { positions } = bake.decode(part, 0);
    const own = part.geometry.getAttribute("position").array;
    const slots = part.geometry.getAttribute("truevatSlot").array;
    for (let i = 0; i < slots.length; i++) {
      // The six corners at slot 0's that widen the bounds are left out by their distance from it.
      const d = Math.hypot(...[0, 1, 2].map((c) => positions[3 * i + c] - own[3 * i + c]));
      if (slots[i] !== 0) [error, vertices] = [Math.max(error, d), vertices + 1];
    }
  }
  return {
    error,
    vertices,
    materials: bake.parts.map(({ material }) => [material.name, material.color.toArray()]),
    attributes: bake.parts.map(({ geometry }) => Object.keys(geometry.attributes)),
  };
}

/** A normal map, whose light shows where tangents point. */
function bumpy() {
  const side = 64;
  const data = new Uint8Array(4 * side * side);
  for (let i = 0; i < side * side; i++) {
    const [u, v] = [(i % side) / side, Math.floor(i / side) / side];
    const normal = [0.6 * Math.sin(40 * u), 0.6 * Math.sin(25 * v), 1];
    const length = Math.hypot(...normal);
    data.set([...normal.map((n) => 127.5 + (127.5 * n) / length), 255], 4 * i);
  }
  const texture = new THREE.DataTexture(data, side, side);
  texture.needsUpdate = true;
  return texture;
}

/** Tangents turned on the CPU, by quaternions. `turned` false leaves them as they rest. */
async function tangents({ bake: name, frame, turned, picture: wanted }) {
  const bake = await load(name);
  const stage = makeStage(bake, "directional");
  const material = () => new THREE.MeshStandardMaterial({ normalMap: bumpy(), roughness: 0.4 });
  const right = [];
  for (const part of bake.parts) {
    part.geometry.computeTangents();
    const geometry = part.geometry.clone();
    const { positions, normals } = bake.decode(part, frame);
    const tangent = geometry.getAttribute("tangent");
    const rests = geometry.getAttribute("normal");
    const [rest, normal, vector] = [0, 0, 0].map(() => new THREE.Vector3());
    for (let i = 0; i < tangent.count && turned; i++) {
      rest.fromBufferAttribute(rests, i).normalize();
      normal.fromArray(normals, 3 * i);
      vector.fromBufferAttribute(tangent, i);
      vector.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(rest, normal));
      tangent.setXYZ(i, ...vector);
    }
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
    const mesh = new THREE.Mesh(geometry, material());
    mesh.applyMatrix4(part.matrix);
    mesh.castShadow = mesh.receiveShadow = true;
    right.push(mesh);
  }
  const object = bake.createObject();
  for (const mesh of object.meshes) mesh.material = object.adopt(material());
  object.mixer.play(0).seek(frame / bake.clips[0].fps);
  object.update(0);
  const mine = draw(stage, [object]);
  const shown = picture(wanted);
  const found = compare(mine, draw(stage, right));
  return { ...found, pictures: shown && [shown, picture(true)] };
}

/** From where the rest pose is not seen, but the animation is. */
async function culled({ bake: name, restBounds }) {
  const bake = await load(name);
  const object = bake.createObject();
  for (const mesh of object.meshes) mesh.material = object.adopt(MATERIALS.basic());
  object.mixer.play(1).setTime(1000);
  object.update(0);
  // The lowest corner of what falls; the sheet, which is large, is left out.
  object.meshes[0].visible = false;
  const { positions } = bake.decode(bake.parts[1], bake.sidecar.frames - 1);
  let lowest = 0;
  for (let i = 0; i < positions.length; i += 3) {
    if (positions[i + 1] < positions[lowest + 1]) lowest = i;
  }
  const aim = new THREE.Vector3().fromArray(positions, lowest).applyMatrix4(bake.parts[1].matrix);
  if (restBounds) {
    // As three.js would make them, of the rest pose without the triangles that widen it.
    for (const { geometry } of bake.parts) {
      const slots = geometry.getAttribute("truevatSlot");
      const points = [];
      for (let i = 0; i < slots.count; i++) {
        if (slots.getX(i)) {
          points.push(new THREE.Vector3().fromBufferAttribute(geometry.getAttribute("position"), i));
        }
      }
      geometry.boundingSphere = new THREE.Sphere().setFromPoints(points);
    }
  }
  const camera = new THREE.PerspectiveCamera(8, 1, 0.01, 100);
  camera.position.copy(aim).add(new THREE.Vector3(0, 0, 8));
  camera.lookAt(aim);
  const scene = new THREE.Scene();
  const empty = draw({ scene, camera }, []);
  return { seen: compare(draw({ scene, camera }, [object]), empty).different };
}

/** A copy plays by itself, and what it was made from goes on. */
async function clones({ bake: name }) {
  const bake = await load(name);
  const one = bake.createObject();
  one.position.set(1, 2, 3);
  const other = one.clone();
  other.mixer.seek(0.5);
  const many = bake.createInstances(3);
  many.setMatrixAt(2, new THREE.Matrix4().setPosition(4, 5, 6));
  const place = new THREE.Matrix4();
  many.clone().meshes[0].getMatrixAt(2, place);
  return {
    position: other.position.toArray(),
    meshes: [one.meshes.length, other.children.length],
    frames: [one.mixer.frame, other.mixer.frame],
    shared: one.meshes[0].material === other.meshes[0].material,
    place: new THREE.Vector3().setFromMatrixPosition(place).sub(
      new THREE.Vector3().setFromMatrixPosition(bake.parts[0].matrix),
    ).toArray(),
  };
}

/** What a loader says of a bake that lies under another name, or is not there. */
async function loads({ urls, url }) {
  try {
    const bake = await (urls ? loadBake(urls) : new TrueVATLoader().loadAsync(url));
    return { clips: bake.clips.map((clip) => clip.name), message: "" };
  } catch (error) {
    return { message: error.message, name: error.name };
  }
}

/** Materials that cannot play, and renderers that are too small. */
async function drawErrors({ bake: name }) {
  const bake = await load(name);
  const stage = makeStage(bake, "directional");
  const message = (change) => {
    const object = bake.createObject();
    change(object);
    try {
      draw(stage, [object]);
      return "";
    } catch (error) {
      stage.scene.remove(object);
      return error.message;
    }
  };
  const foreign = new THREE.ShaderMaterial({ name: "glass" });
  const material = message((object) => (object.meshes[0].material = object.adopt(foreign)));
  const limit = renderer.capabilities.maxTextureSize;
  renderer.capabilities.maxTextureSize = 32;
  const size = message(() => {});
  renderer.capabilities.maxTextureSize = limit;
  const [mesh] = bake.createObject().meshes;
  let other = "";
  try {
    mesh.onBeforeRender({ isWebGPURenderer: true });
  } catch (error) {
    other = error.message;
  }
  return { material, size, other };
}

const extra = { tangents, culled, clones, loads, drawErrors };
window.truevatTests = { image, crowd, drawCalls, firstFrame, ...extra };
