// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// node demo.mjs FOLDER QUERY PICTURE: the demo page of a folder, clicked once.

import { open, serve } from "./browser.mjs";

const [folder, query, picture] = process.argv.slice(2);
const server = await serve(folder);
const { browser, page, complaints } = await open({ width: 640, height: 400 });
try {
  await page.goto(`http://127.0.0.1:${server.address().port}/index.html?${query}`);
  await page.locator("canvas").waitFor();
  const text = () => page.locator("#text").textContent();
  await page.waitForTimeout(2000);
  const before = await text();
  await page.mouse.click(300, 200);
  await page.waitForTimeout(500);
  await page.screenshot({ path: picture });
  console.log(JSON.stringify({ before, after: await text(), complaints }));
} finally {
  await browser.close();
  server.close();
}
