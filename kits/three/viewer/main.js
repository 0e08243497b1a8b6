// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later

import { openBake } from "../src/index.js";
import { chosenFiles, droppedFiles, embeddedFiles } from "./files.js";
import { Show } from "./show.js";

const SUFFIX = ".truevat.json";
// A tab in the background is woken with seconds in between: it goes on where it was.
const LONGEST_STEP = 0.25;

const $ = (id) => document.getElementById(id);
const show = new Show($("canvas"));
let files = new Map();
let last = performance.now();

// -------------------------------------------------------------------------------------------------
// Opening

async function openAll(found) {
  const sidecars = [...found.keys()].filter((name) => name.endsWith(SUFFIX)).sort();
  if (!sidecars.length) return complain(new Error(`There is no file *${SUFFIX} among them`));
  files = found;
  $("bakes").replaceChildren(...sidecars.map((name) => new Option(name.slice(0, -SUFFIX.length), name)));
  $("bakes").hidden = sidecars.length < 2;
  await open(sidecars[0]);
}

async function open(sidecar) {
  try {
    const read = async (name) => {
      const content = files.get(name);
      if (!content) throw new Error(`${name} is missing: drop all files of the bake together`);
      return content();
    };
    const bake = await openBake(sidecar, await read(sidecar), read);
    show.open(bake);
    for (const id of ["panel", "transport"]) $(id).hidden = false;
    for (const id of ["welcome", "error"]) $(id).hidden = true;
    describe(bake);
  } catch (error) {
    complain(error);
  }
}

function complain(error) {
  $("error").textContent = error.message;
  $("error").hidden = false;
}

function describe({ sidecar, clips }) {
  $("name").textContent = document.title = sidecar.name;
  const { width, height, pixel } = sidecar.layout;
  const { texture, mesh, slots, frames, constant } = sidecar;
  $("facts").textContent = [
    `${width} × ${height}, ${pixel === "float32" ? "FLOAT" : "HALF"}`,
    `${slots.toLocaleString("en")} slots, ${frames} frames`,
    `${megabytes(texture.bytes)} + ${megabytes(mesh.bytes)}`,
    constant ? "constant topology" : "changing topology",
  ].join("\n");
  $("clips").replaceChildren(...clips.map(clipButton));
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;

function clipButton({ name, frames, fps, loop }, i) {
  const button = document.createElement("button");
  const [title, facts] = [document.createElement("span"), document.createElement("span")];
  title.textContent = name;
  facts.textContent = `${loop ? "↻" : "→"} ${frames} × ${Number(fps.toFixed(2))}`;
  button.append(title, facts);
  button.addEventListener("click", () => {
    const [fade, speed] = [Number($("fade").value), signedSpeed()];
    for (const mixer of show.mixers) mixer.resume().play(i, { fade, speed });
  });
  const item = document.createElement("li");
  item.append(button);
  return item;
}

// -------------------------------------------------------------------------------------------------
// Controls

const backwards = () => $("reverse").ariaPressed === "true";
const signedSpeed = () => Number($("speed").value) * (backwards() ? -1 : 1);

function on(id, event, handle) {
  $(id).addEventListener(event, handle);
}

function setSpeed() {
  for (const mixer of show.mixers) mixer.speed = signedSpeed();
}

const plays = (mixer) => !mixer.paused && !mixer.finished;

/** What has ended begins anew. */
function toggle() {
  const pause = show.mixers.some(plays);
  for (const mixer of show.mixers) {
    if (pause) mixer.pause();
    else if (mixer.finished) mixer.resume().play(mixer.clip.name, { speed: signedSpeed() });
    else mixer.resume();
  }
}

on("play", "click", toggle);
on("reverse", "click", () => {
  $("reverse").ariaPressed = String(!backwards());
  setSpeed();
});
on("speed", "input", setSpeed);
on("scrubber", "input", () => {
  for (const mixer of show.mixers) {
    mixer.pause().seek(Number($("scrubber").value) / mixer.clip.fps);
  }
});
on("wireframe", "change", () => dress("wireframe", $("wireframe").checked));
on("ground", "change", () => dress("ground", $("ground").checked));
on("views", "change", (event) => dress("normals", event.target.value === "normals"));
on("interpolate", "change", interpolate);
on("crowd", "change", () => {
  show.setCrowd($("crowd").checked);
  interpolate();
});
on("bakes", "change", () => open($("bakes").value));
on("choose", "change", () => openAll(chosenFiles($("choose").files)));

function interpolate() {
  const mixes = $("interpolate").checked && show.bake.sidecar.constant;
  for (const mixer of show.mixers) mixer.mixes = mixes;
}

function dress(key, value) {
  show.look[key] = value;
  show.dress();
}

addEventListener("keydown", (event) => {
  if (event.key !== " " || event.target instanceof HTMLButtonElement) return;
  event.preventDefault();
  toggle();
});
for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
  addEventListener(kind, async (event) => {
    event.preventDefault();
    document.body.classList.toggle("dragging", kind === "dragenter" || kind === "dragover");
    if (kind === "drop") await openAll(await droppedFiles(event.dataTransfer));
  });
}

// -------------------------------------------------------------------------------------------------
// Each frame

function report() {
  const [mixer] = show.mixers;
  if (!mixer) return;
  const { clip, frame } = mixer;
  const top = clip.frames - (clip.loop ? 0 : 1);
  $("scrubber").max = String(top);
  if (document.activeElement !== $("scrubber") || !mixer.paused) {
    $("scrubber").value = String(frame);
  }
  $("frame").value = `${frame.toFixed(2)} / ${top}`;
  $("play").textContent = show.mixers.some(plays) ? "Pause" : "Play";
  $("speed-value").value = `${signedSpeed().toFixed(2)}×`;
  $("fade-value").value = `${Number($("fade").value).toFixed(2)} s`;
  const buttons = $("clips").querySelectorAll("button");
  buttons.forEach((button, i) => {
    button.ariaPressed = String(!show.look.crowd && show.bake.clips[i] === clip);
  });
  const { calls, triangles } = show.renderer.info.render;
  $("stats").textContent = `${calls} draw calls, ${triangles.toLocaleString("en")} triangles`;
}

show.renderer.setAnimationLoop((now) => {
  try {
    show.draw(Math.min((now - last) / 1000, LONGEST_STEP));
    report();
  } catch (error) {
    show.renderer.setAnimationLoop(null);
    complain(error);
  }
  last = now;
});

const embedded = embeddedFiles();
if (embedded.size) openAll(embedded);
