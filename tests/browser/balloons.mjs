// Sakurai and Masuhara's example, clicked: the list that nobody filled, and the jump on line 12 that kept it so.

import { strict as assert } from "node:assert";
import { open } from "./page.mjs";

const balloons = (view) => view.page.$$eval("#calls .row .balloon", (all) => all.map((one) => `${/(\w+)\(/.exec(one.closest(".row").innerText)[1]} ${one.innerText}`));

await open(process.argv[2], async (view) => {
  await view.click("#tab-undone");
  await view.page.type("#missed", "FileLister.addItem()");
  await view.press("Enter");
  assert.equal((await view.rows("undone")).length, 1);
  // The call is folded, so main has its balloon; then it has its own.
  assert.equal((await balloons(view)).length, 1);
  await view.choose("undone", "active != 0");
  assert.equal(await view.line(), 12);
  assert.deepEqual(await balloons(view), ["run 1"]);
  await view.picture("balloons");
  await view.accessible("with balloons");
  const title = await view.page.$eval("#calls .balloon", (one) => one.title);
  assert.match(title, /active was (0|false)[^]*not done: /);

  // The balloon leads back to the jump.
  await view.choose("calls", "main(");
  await view.choose("calls", "run(", 0, ".balloon");
  assert.equal(await view.line(), 12);

  // What nobody misses is hidden by its name.
  await view.click("#operations input");
  assert.deepEqual(await view.rows("undone"), []);
  assert.deepEqual(await balloons(view), []);
});
