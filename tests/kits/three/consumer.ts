// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Never run: a user's code, which must compile against the package's declarations.

import { Matrix4, MeshStandardMaterial, Scene } from "three";
import {
  type Bake,
  BakeError,
  ClipMixer,
  TrueVATLoader,
  VATInstances,
  VATObject,
  openBake,
  playOn,
} from "truevat-three";

const scene = new Scene();
const bake: Bake = await new TrueVATLoader().setPath("/bakes/").loadAsync("flag.truevat.json");
const names: string[] = bake.clips.map((clip) => clip.name);

const one: VATObject = bake.createObject();
scene.add(one);
const mixer: ClipMixer = one.mixer.play(names[0], { fade: 0.3, phase: 0.5, speed: -1, loop: true });
mixer.crossFade(1, 0.2).queue("idle", { fade: 0.1 }).pause().resume().seek(1.5).reverse();
mixer.speed = 2;
const frame: number = mixer.frame + Number(mixer.finished);
const material: MeshStandardMaterial = one.adopt(new MeshStandardMaterial());
one.meshes[0].material = material;
one.update(frame);
one.dispose();

const many: VATInstances = bake.createInstances(1000);
many.setMatrixAt(3, new Matrix4());
many.mixerAt(3).play("walk");
many.update(1 / 60);
playOn(new MeshStandardMaterial(), bake, many.mixerTexture);

const dropped: Bake = await openBake("a.truevat.json", new ArrayBuffer(0), async () => {
  throw new BakeError("gone");
});
dropped.dispose();

// @ts-expect-error a clip is a name or a number
mixer.play(true);
// @ts-expect-error there is no such option
mixer.play("walk", { weight: 1 });
// @ts-expect-error instances have mixers, one each
many.mixer.play("walk");
// @ts-expect-error seconds are a number
one.update("1");
