// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// node viewer.mjs JOB.json: opens pages of `truevat view` in Chromium, clicks, and tells what it saw.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { open } from "./browser.mjs";

const job = JSON.parse(await readFile(process.argv[2], "utf8"));
const { browser, page, complaints } = await open({ width: 720, height: 480 });
const requests = [];
page.on("request", (request) => {
  if (!/^(file|blob|data):/.test(request.url())) requests.push(request.url());
});

const text = (selector) => page.locator(selector).textContent();
const frame = async () => parseFloat(await text("#frame"));

/** Until what has been clicked is drawn, however slowly. */
const drawn = () =>
  page.evaluate(async () => {
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  });

/** Until the frame's number is, or is no longer, this one. */
const until = (value, same) =>
  page.waitForFunction(
    ([value, same]) => (parseFloat(document.getElementById("frame").value) === value) === same,
    [value, same],
  );

async function shoot(name) {
  await drawn();
  await page.screenshot({ path: path.join(job.pictures, `viewer-${name}.png`) });
}

/** The canvas as it is when all is drawn. */
async function canvas() {
  await drawn();
  return page.evaluate(() => document.getElementById("canvas").toDataURL());
}

async function scrubTo(value) {
  await page.locator("#scrubber").evaluate((input, value) => {
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, String(value));
  await drawn();
}

const STEPS = {
  /** A page with a bake inside: all of its controls. */
  async embedded({ page: file }) {
    await page.goto(pathToFileURL(file).href);
    await page.locator("#panel").waitFor();
    await drawn();
    const seen = {
      name: await text("#name"),
      title: await page.title(),
      facts: await text("#facts"),
      clips: await page.locator("#clips span:first-child").allTextContents(),
    };
    await until(await frame(), false);
    await page.locator("#play").click();
    await drawn();
    const [paused, still] = [await frame(), await canvas()];
    await page.waitForTimeout(300);
    seen.pauses = (await frame()) === paused && (await canvas()) === still;
    await scrubTo(6);
    seen.scrubbed = await frame();
    const six = await canvas();
    await shoot("material");
    await scrubTo(12.5);
    seen.scrubbedOn = await frame();
    seen.scrubbingShows = (await canvas()) !== six;
    await scrubTo(6);
    seen.sameAgain = (await canvas()) === six;
    await page.locator("#wireframe").check();
    await drawn();
    seen.wireframeShows = (await canvas()) !== six;
    await shoot("wireframe");
    await page.locator("#wireframe").uncheck();
    await page.locator("input[value=normals]").check();
    await drawn();
    seen.normalsShow = (await canvas()) !== six;
    await shoot("normals");
    await page.locator("input[value=material]").check();
    await page.locator("#ground").uncheck();
    await drawn();
    seen.groundGoes = (await canvas()) !== six;
    await page.locator("#ground").check();
    await drawn();
    seen.sameAtTheEnd = (await canvas()) === six;
    await page.mouse.move(400, 300);
    await page.mouse.down();
    await page.mouse.move(520, 340, { steps: 4 });
    await page.mouse.up();
    seen.orbits = (await canvas()) !== six;
    await shoot("orbit");
    await page.locator("#clips button").nth(1).click();
    await until(12, true);
    seen.second = await text("#clips button[aria-pressed=true] span:first-child");
    seen.calls = parseInt(await text("#stats"));
    await page.locator("#reverse").click();
    await until(0, true);
    await page.locator("#play").click(); // anew, from the other end
    await until(0, false);
    await page.locator("#crowd").check();
    await drawn();
    seen.crowdCalls = parseInt(await text("#stats"));
    await shoot("crowd");
    return seen;
  },

  /** Files dropped on an empty page; some of them may be missing. */
  async dropped({ page: file, files, shot }) {
    await page.goto(pathToFileURL(file).href);
    await page.locator("#welcome").waitFor();
    if (shot) await shoot("welcome");
    const contents = await Promise.all(
      files.map(async (each) => [path.basename(each), (await readFile(each)).toString("base64")]),
    );
    await page.evaluate((contents) => {
      const transfer = new DataTransfer();
      for (const [name, data] of contents) {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name));
      }
      for (const kind of ["dragenter", "dragover", "drop"]) {
        const init = { dataTransfer: transfer, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new DragEvent(kind, init));
      }
    }, contents);
    await page.locator("#panel:visible, #error:visible").first().waitFor();
    await drawn();
    if (shot) await shoot(shot);
    return {
      name: await text("#name"),
      error: await page.locator("#error").evaluate((p) => (p.hidden ? "" : p.textContent)),
      bakes: await page.locator("#bakes option").allTextContents(),
    };
  },

  /** What a hostile bake did to the page. */
  async hostile({ page: file, shot }) {
    await page.goto(pathToFileURL(file).href);
    await page.locator("#panel:visible, #error:visible").first().waitFor();
    await drawn();
    if (shot) await shoot(shot);
    return {
      name: await text("#name"),
      error: await page.locator("#error").evaluate((p) => (p.hidden ? "" : p.textContent)),
      clips: await page.locator("#clips span:first-child").allTextContents(),
      harmed: await page.evaluate(() => "harmed" in window),
      images: await page.locator("img").count(),
    };
  },
};

const results = [];
try {
  for (const { step, ...given } of job.steps) {
    const seen = await STEPS[step](given);
    results.push({ ...seen, requests: requests.splice(0), complaints: complaints.splice(0) });
  }
} finally {
  await browser.close();
}
console.log(JSON.stringify(results));
