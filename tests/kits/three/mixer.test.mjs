// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later

import assert from "node:assert/strict";
import { test } from "node:test";

import { ClipMixer } from "truevat-three";

const WALK = { name: "walk", firstFrame: 0, frames: 24, fps: 24, loop: true };
const FALL = { name: "fall", firstFrame: 24, frames: 13, fps: 30000 / 1001, loop: false };
const WAVE = { name: "wave", firstFrame: 37, frames: 10, fps: 10, loop: true };
const CLIPS = [WALK, FALL, WAVE];
const HOURS = 10 * 3600;

/** The layers as the shader gets them: [a, b, fraction, weight]. */
function shown(mixer) {
  const data = new Float32Array(16).fill(NaN);
  mixer.write(data);
  const layers = [0, 1, 2, 3].map((i) => [...data.subarray(4 * i, 4 * i + 4)]);
  const used = layers.filter(([, , , weight]) => weight > 0);
  assert.deepEqual(layers.slice(0, used.length), used, "unused layers come last");
  const sum = used.reduce((total, layer) => total + layer[3], 0);
  assert.ok(Math.abs(sum - 1) < 1e-6, `weights add up to 1, not ${sum}`);
  return used;
}

function near(actual, expected, error = 1e-6) {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) => {
    if (Array.isArray(value)) near(value, expected[i], error);
    else assert.ok(Math.abs(value - expected[i]) <= error, `${actual} is not ${expected}`);
  });
}

const of = (name, options) => new ClipMixer(CLIPS).play(name, options);

test("plays its first clip at once", () => {
  near(shown(new ClipMixer(CLIPS).update(0.5 / 24)), [[0, 1, 0.5, 1]]);
});

test("a loop mixes its last frame with its first, and nothing of the next clip", () => {
  near(shown(of("walk").update(23.5 / 24)), [[23, 0, 0.5, 1]]);
  near(shown(of("walk").update(1)), [[0, 1, 0, 1]]);
  near(shown(of("wave").update(0.95)), [[46, 37, 0.5, 1]]);
});

test("what does not loop holds its last frame", () => {
  const mixer = of("fall").update(12 / FALL.fps - 1e-9);
  assert.equal(mixer.finished, false);
  mixer.update(100);
  assert.equal(mixer.finished, true);
  near(shown(mixer), [[36, 36, 0, 1]]);
});

test("backwards: from the end to the beginning, which is held", () => {
  const mixer = of("fall", { speed: -1 });
  near(shown(mixer), [[36, 36, 0, 1]]);
  near(shown(mixer.update(0.5 / FALL.fps)), [[35, 36, 0.5, 1]]);
  near(shown(mixer.update(100)), [[24, 25, 0, 1]]);
  assert.equal(mixer.finished, true);
  near(shown(of("walk", { speed: -1, phase: 0 }).update(0.25 / 24)), [[23, 0, 0.75, 1]]);
});

test("reverse turns round where it is", () => {
  const mixer = of("walk").update(0.5);
  near(shown(mixer.reverse()), [[12, 13, 0, 1]]);
  near(shown(mixer.update(0.25)), [[6, 7, 0, 1]]);
  assert.equal(mixer.speed, -1);
  const held = of("fall").update(100).reverse();
  near(shown(held.update(1 / FALL.fps)), [[35, 36, 0, 1]], 1e-5);
});

test("pause, resume and seek", () => {
  const mixer = of("walk").update(0.25).pause();
  near(shown(mixer.update(7)), [[6, 7, 0, 1]]);
  near(shown(mixer.seek(0.5).update(7)), [[12, 13, 0, 1]]);
  near(shown(mixer.resume().update(1 / 24)), [[13, 14, 0, 1]]);
});

test("phase, speed and start", () => {
  near(shown(of("walk", { phase: 0.5, speed: 2 }).update(1 / 24)), [[14, 15, 0, 1]]);
  near(shown(of("walk", { start: -0.25 })), [[6, 7, 0, 1]]);
  near(shown(of("fall", { phase: 1 })), [[36, 36, 0, 1]]);
  const mixer = of("walk").update(0.5);
  mixer.speed = 0;
  near(shown(mixer.update(9)), [[12, 13, 0, 1]]);
});

test("loop as the clip says, or as asked", () => {
  near(shown(of("walk", { loop: false }).update(2)), [[23, 23, 0, 1]]);
  near(shown(of("fall", { loop: true }).update(12.5 / FALL.fps)), [[36, 24, 0.5, 1]]);
});

test("queue begins to the moment, whatever the step", () => {
  for (const step of [1 / 240, 1 / 60, 0.7, 5]) {
    const mixer = of("fall").queue("wave").queue("walk");
    while (mixer.time < 0.9 - 1e-9) mixer.update(Math.min(step, 0.9 - mixer.time));
    const x = (0.9 - 12 / FALL.fps) * 10;
    near(shown(mixer), [[37 + Math.floor(x), 38 + Math.floor(x), x % 1, 1]], 1e-5);
    const end = 12 / FALL.fps + 1;
    mixer.setTime(end + 0.5 / 24);
    near(shown(mixer), [[0, 1, 0.5, 1]], 1e-5);
  }
});

test("queue after a loop waits for the end of its round", () => {
  const mixer = of("walk").update(3.4).queue("wave");
  near(shown(mixer.update(0.5)), [[21, 22, 0.6, 1]], 1e-4);
  near(shown(mixer.update(0.15)), [[37, 38, 0.5, 1]], 1e-4);
});

test("queue after a clip that has ended begins now", () => {
  const mixer = of("fall").update(50).queue("wave");
  near(shown(mixer.update(0.25)), [[39, 40, 0.5, 1]], 1e-4);
});

test("play drops what waits", () => {
  const mixer = of("fall").queue("wave").play("fall");
  near(shown(mixer.update(50)), [[36, 36, 0, 1]]);
});

test("cross-fade: both clips go on", () => {
  const mixer = of("walk").update(0.25).crossFade("wave", 0.5);
  near(shown(mixer), [[6, 7, 0, 1]]);
  near(shown(mixer.update(0.125)), [
    [38, 39, 0.25, 0.25],
    [9, 10, 0, 0.75],
  ]);
  near(shown(mixer.update(0.375)), [[42, 43, 0, 1]], 1e-5);
  assert.equal(mixer.layers.length, 1);
});

test("a fade begun during a fade does not jump", () => {
  const mixer = of("walk").crossFade("wave", 1).update(0.5);
  const before = shown(mixer);
  mixer.crossFade("fall", 1);
  near(shown(mixer), before);
  const after = shown(mixer.update(0.25));
  near(after.map((layer) => layer[3]), [0.25, 0.75 * 0.75, 0.75 * 0.25]);
});

test("no more than four layers: the one that is seen least goes", () => {
  const mixer = of("walk");
  for (let i = 0; i < 40; i++) {
    mixer.crossFade(i % 3, 1);
    const weights = shown(mixer).map((layer) => layer[3]);
    mixer.update(0.05);
    assert.ok(weights.length <= 4);
  }
  near(shown(mixer.update(1)).map((layer) => layer[3]), [1]);
});

test("a queued clip fades in from the moment on which it begins", () => {
  const mixer = of("fall").queue("wave", { fade: 0.5 });
  mixer.update(12 / FALL.fps + 0.25);
  near(
    shown(mixer).map((layer) => layer[3]),
    [0.5, 0.5],
  );
});

test("where the topology changes, frames are never mixed", () => {
  const mixer = new ClipMixer(CLIPS, { mixes: false });
  near(shown(mixer.update(0.9 / 24)), [[0, 0, 0, 1]]);
  near(shown(mixer.crossFade("wave", 1).update(0.25)), [[39, 39, 0, 1]]);
});

test("a clip of one frame", () => {
  for (const loop of [true, false]) {
    const mixer = new ClipMixer([{ ...WALK, frames: 1, firstFrame: 5, loop }]);
    near(shown(mixer.update(1 / 96))[0].filter((_, i) => i !== 2), [5, 5, 1]);
    shown(mixer.queue(0).queue(0).update(HOURS));
  }
});

test("ten hours on, each step is as even as in the first second", () => {
  for (const clip of CLIPS.filter((each) => each.loop)) {
    for (const speed of [1, 0.37, -1.83]) {
      const steps = [0, HOURS].map((begin) => {
        const mixer = of(clip.name, { speed }).setTime(begin);
        return Array.from({ length: 600 }, () => {
          const [[a, , fraction]] = shown(mixer);
          const before = a - clip.firstFrame + fraction;
          const [[b, , next]] = shown(mixer.update(1 / 60));
          const step = b - clip.firstFrame + next - before;
          return step - clip.frames * Math.round(step / clip.frames);
        });
      });
      for (const step of steps.flat()) {
        assert.ok(Math.abs(step - (speed * clip.fps) / 60) < 1e-5, `${step}`);
      }
    }
  }
});

test("ten hours of single steps drift by nothing that is seen", () => {
  const mixer = of("walk");
  for (let i = 0; i < HOURS * 60; i++) mixer.time += 1 / 60;
  const frames = mixer.frame > 12 ? mixer.frame - 24 : mixer.frame;
  assert.ok(Math.abs(frames) < 1e-3, `${frames}`);
});

test("an unknown clip is named, with those that there are", () => {
  assert.throws(() => of("run"), { name: "BakeError", message: /'run'.*'walk', 'fall', 'wave'/ });
  assert.throws(() => of(3), { name: "BakeError" });
});
