// Opens pages of jinsi in a browser without a window, looks whether a person finds on them what they are for, and takes pictures.
// Arguments: the browser, the directory for the pictures, and for each page its name and its file. A line a view; status 1 if one is bad.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const [executablePath, pictures, ...named] = process.argv.slice(2);
const WIDTHS = [1280, 400];
const HEIGHT = 900;



const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
let good = true;
for (let at = 0; at < named.length; at += 2) {
  const [name, file] = named.slice(at, at + 2);
  for (const width of WIDTHS) {
    for (const colorScheme of ["light", "dark"]) {
      const faults = await look(name, file, width, colorScheme);
      console.log(`${faults.length ? "BAD " : "good"} ${name} ${width} ${colorScheme}`);
      faults.forEach(fault => console.log(`     ${fault}`));
      good &&= faults.length === 0;
    }
  }
}
await browser.close();
process.exit(good ? 0 : 1);

async function look(name, file, width, colorScheme) {
  // The page's own policy lets nothing else in: axe comes past it, as an extension of the browser would.
  const context = await browser.newContext({
    viewport: { width, height: HEIGHT }, colorScheme, bypassCSP: true, permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  const faults = [];
  page.on("console", message => message.type() === "error" && faults.push(`console: ${message.text()}`));
  page.on("pageerror", error => faults.push(`script: ${error.message}`));
  page.on("request", request => request.url().startsWith("file:") || faults.push(`asks for ${request.url()}`));
  await page.goto(pathToFileURL(file).href);
  const view = width < 1000 ? "-narrow" : "";
  await page.screenshot({ path: `${pictures}/${name}${view}${colorScheme === "dark" ? "-dark" : ""}.png` });
  await firstScreen(page, faults);
  await copies(page, faults);
  await page.evaluate(() => document.querySelectorAll("details").forEach(details => { details.open = true; }));
  faults.push(...await page.evaluate(overflowing));
  await page.addScriptTag({ content: axe });
  const found = await page.evaluate(() => window.axe.run(document));
  for (const violation of found.violations) {
    const where = violation.nodes.slice(0, 3).map(node => node.target.join(" ")).join(", ");
    faults.push(`axe: ${violation.id}, ${violation.nodes.length} times: ${where}`);
  }
  await context.close();
  return faults;
}

// The recommended test begins on the first screen, with the call that the test is named for.
async function firstScreen(page, faults) {
  const test = page.locator("#code-keep > pre").last();
  if (await test.count() === 0) {
    return;
  }
  const box = await test.boundingBox();
  if (!box || box.y + 60 > HEIGHT) {
    faults.push(`the test begins at ${box?.y} of ${HEIGHT}`);
  }
}

// The button copies the whole file.
async function copies(page, faults) {
  const button = page.locator("button.copy").first();
  if (await button.count() === 0) {
    return;
  }
  await button.click();
  await page.getByText("Copied").first().waitFor({ timeout: 5000 }).catch(() => faults.push("the button says nothing"));
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const shown = await page.evaluate(() =>
    Array.from(document.querySelectorAll("#code-keep pre"), part => part.textContent).join(""));
  if (shown && copied !== shown) {
    faults.push("what the button copies is not the test");
  }
}

// Code that is cut off, and a page that is wider than its window. Runs in the page.
function overflowing() {
  const faults = [];
  const wide = document.documentElement.scrollWidth - window.innerWidth;
  if (wide > 0) {
    faults.push(`it reaches ${wide} pixels beyond the window`);
  }
  for (const code of document.querySelectorAll("pre, code, .mono, h1, h2, h3, td")) {
    const cut = code.scrollWidth - code.clientWidth;
    if (cut > 1 && code.clientWidth > 0 && getComputedStyle(code).display !== "inline") {
      faults.push(`cut off by ${cut} pixels: ${code.textContent.trim().slice(0, 50)}`);
    }
  }
  return faults;
}
