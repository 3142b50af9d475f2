// Prints in how many milliseconds a page of a run is there: from the address to calls, source, events and variables on it. For whoever measures.

import { performance } from "node:perf_hooks";
import puppeteer from "puppeteer-core";

const TIMES = 5;
const VIEWS = ["calls", "source", "happenings", "variables"];

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server"],
});
try {
  for (let time = 0; time < TIMES; time++) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    const began = performance.now();
    await page.goto(process.argv[2], { waitUntil: "domcontentloaded" });
    await page.waitForFunction((views) => views.every((view) => document.getElementById(view).childElementCount > 0), {}, VIEWS);
    console.log(Math.round(performance.now() - began));
    await context.close();
  }
} finally {
  await browser.close();
}
