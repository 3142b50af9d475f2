// SQL about the run: typed, asked, and from a row of the answer to its moment and back.

import { strict as assert } from "node:assert";
import { open } from "./page.mjs";

await open(process.argv[2], async (view) => {
  const { page } = view;
  const go = (selector) => Promise.all([page.waitForNavigation(), page.click(selector)]);
  await go("#queries");
  await view.settled();
  await page.select("#named", "call_chain MOMENT");
  assert.equal(await page.$eval("#text", (text) => text.value), "call_chain MOMENT");
  assert.match(await page.$eval("#says", (says) => says.textContent), /the open calls/);
  await page.$eval("#text", (text) => { text.value = ""; });
  await page.type("#text", "select 1");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#answer table");
  const cells = () => page.$$eval("#answer td", (all) => all.map((cell) => cell.textContent));
  assert.deepEqual(await cells(), ["select 1", "t.jinsi", "0:7", "NULL"]);
  await view.picture("queries");
  await view.accessible("an answer");
  await go("#answer a");
  await view.settled();
  assert.match(await page.$eval("#moment", (moment) => moment.textContent), /0:7/);
  await Promise.all([page.waitForNavigation(), page.goBack()]);
  await page.waitForSelector("#answer table");
  assert.equal((await cells())[0], "select 1");
});
