// From the failure of Joda-Time 1.6 to where its wrong value came from: the earliest of all instants, which no offset can be taken from.

import { strict as assert } from "node:assert";
import { open } from "./page.mjs";

await open(process.argv[2], async (view) => {
  assert.equal(await view.line(), 348);
  await view.choose("variables", "-9223372036854775808");
  await view.click("#tab-origin");
  await view.choose("origin", "a constant");
  assert.equal(await view.line(), 344);
  assert.ok((await view.text("#stack")).includes("toDateTimeZone:344"), await view.text("#stack"));
  // The way there stays.
  assert.ok((await view.rows("origin")).length > 1);
  assert.ok(view.clicks <= 8, `${view.clicks} clicks`);
  await view.picture("jod3");
  await view.accessible("where the value came from");
});
