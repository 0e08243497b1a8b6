// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// node browser.mjs JOBS.json: runs jobs of page.js in headless Chromium.

import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";

import { chromium } from "playwright-core";

export const FLAGS = [
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--no-sandbox",
];

// Software draws, and others may use the processor, too: milliseconds.
const PATIENCE = 150_000;

/** Starts Chromium, and what a page complains of is collected. */
export async function open(viewport) {
  const browser = await chromium.launch({
    executablePath: process.env.TRUEVAT_CHROMIUM,
    args: FLAGS,
  });
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(PATIENCE);
  const complaints = [];
  page.on("console", (message) => {
    if (["warning", "error"].includes(message.type()) && !/GPU stall/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return { browser, page, complaints };
}

// What browsers insist on.
const TYPES = { ".html": "text/html", ".js": "text/javascript" };

/** Files below a folder, by address; `/` is a page with the script. */
export async function serve(folder, script) {
  const server = createServer(async (request, response) => {
    const address = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    try {
      const type = TYPES[path.extname(address)];
      if (type) response.setHeader("content-type", type);
      if (address === "/") {
        response.setHeader("content-type", "text/html");
        response.end('<!doctype html><body><script src="/page.js"></script>');
      } else if (address === "/page.js") response.end(await readFile(script));
      else response.end(await readFile(path.join(folder, address)));
    } catch {
      // Which no page here has, and every browser asks for.
      response.statusCode = address === "/favicon.ico" ? 204 : 404;
      response.end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

async function main(file) {
  const { folder, script, jobs, pictures } = JSON.parse(await readFile(file, "utf8"));
  const server = await serve(folder, script);
  const { browser, page, complaints } = await open({ width: 400, height: 400 });
  const results = {};
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    for (const { id, kind, ...job } of jobs) {
      try {
        const run = ([kind, job]) => window.truevatTests[kind](job);
        const result = await page.evaluate(run, [kind, job]);
        for (const [i, url] of (result.pictures || []).entries()) {
          const name = path.join(pictures, `${id}-${i}.png`);
          await writeFile(name, Buffer.from(url.split(",")[1], "base64"));
        }
        results[id] = { ...result, complaints: complaints.splice(0) };
      } catch (error) {
        results[id] = { failed: String(error), complaints: complaints.splice(0) };
      }
    }
  } finally {
    await browser.close();
    server.close();
  }
  console.log(JSON.stringify(results));
}

if (process.argv[1] === import.meta.filename) await main(process.argv[2]);
