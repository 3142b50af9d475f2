// A page of a run in Chromium, as a person has it: what rows say, clicks, keys. Findings of axe are errors.

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import puppeteer from "puppeteer-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WIDE = { width: 1400, height: 860 };
const PATIENCE = 60_000;

/** Opens the page, has `visit` look at it, and closes it again. */
export async function open(address, visit) {
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server"],
    protocolTimeout: 2 * PATIENCE,
  });
  try {
    const page = await browser.newPage();
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    // That a question has no answer (404) is no fault of the page.
    page.on("console", (message) => message.type() === "error" && !message.text().includes("404") && complaints.push(message.text()));
    await page.setViewport(WIDE);
    await page.goto(address, { timeout: PATIENCE });
    const view = new View(page);
    await view.settled();
    await visit(view);
    assert.deepEqual(complaints, [], "the browser complains");
  } finally {
    await browser.close();
  }
}

class View {
  constructor(page) {
    this.page = page;
    this.clicks = 0;
  }

  /** Waits until nothing is asked any more. */
  async settled() {
    await this.page.waitForNetworkIdle({ idleTime: 250, timeout: PATIENCE });
  }

  /** What the rows say, one after the other; with their classes, if these are wanted. */
  rows(view, kind = "") {
    return this.page.$$eval(`#${view} .row${kind}`, (rows) => rows.map((row) => row.innerText.replaceAll(/\s+/g, " ").trim()));
  }

  /** Clicks the row that says so, or what is in it. */
  async choose(view, says, nth = 0, part = null) {
    const rows = await this.page.$$(`#${view} .row`);
    const saying = [];
    for (const row of rows) {
      if ((await row.evaluate((one) => one.innerText.replaceAll(/\s+/g, " "))).includes(says)) saying.push(row);
    }
    const row = saying.at(nth);
    assert.ok(row, `no row ${nth} of ${view} says ${says}: ${await this.rows(view)}`);
    await (part ? await row.$(part) : row).click();
    this.clicks++;
    await this.settled();
  }

  /** Opens or closes a row. */
  toggle(view, says, nth = 0) {
    return this.choose(view, says, nth, ".twist");
  }

  async press(key) {
    await this.page.keyboard.press(key);
    await this.settled();
  }

  async click(selector) {
    await this.page.click(selector);
    this.clicks++;
    await this.settled();
  }

  /** The number of the line that is marked. */
  line() {
    return this.page.$eval("#source .row.here .no", (no) => Number(no.innerText.replaceAll(/\D/g, "")));
  }

  text(selector) {
    return this.page.$eval(selector, (one) => one.innerText.trim());
  }

  hash() {
    return this.page.evaluate(() => location.hash);
  }

  async size(width, height) {
    await this.page.setViewport({ width, height });
  }

  async dark(is) {
    await this.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: is ? "dark" : "light" }]);
  }

  async picture(name) {
    const directory = process.env.PICTURES;
    if (directory) await this.page.screenshot({ path: `${directory}/${name}.png`, fullPage: name.startsWith("narrow") });
  }

  /** What axe finds, by the rules of WCAG 2.2 AA and good practice. */
  async accessible(where) {
    await this.page.evaluate(AXE);
    const found = await this.page.evaluate(async () => (await globalThis.axe.run()).violations.map((one) => ({
      rule: one.id,
      help: one.help,
      where: one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`),
    })));
    assert.deepEqual(found, [], `axe, ${where}`);
  }

  /** Nothing sticks out at the side. */
  async fits(where) {
    const wide = await this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0, `${where}: wider than the window by ${wide}`);
  }
}
