// A page in one file has the report in it, whose lines lead into the run.

import { strict as assert } from "node:assert";
import { open } from "./page.mjs";

await open(process.argv[2], async (view) => {
  await view.click("#report");
  const report = await (await view.page.$("dialog.reading iframe")).contentFrame();
  await report.waitForSelector("[data-past] a");
  const lines = await report.$$("[data-past^='line='] a");
  assert.ok(lines.length > 0, "the report has lines that lead into the run");
  const said = await lines[0].evaluate((one) => one.closest("[data-past]").dataset.past);
  await view.picture("reading");
  await lines[0].evaluate((one) => one.click());
  await view.settled();
  assert.equal(await view.page.$eval("dialog.reading", (dialog) => dialog.open), false);
  assert.equal(await view.line(), Number(said.split(":").pop()));
  await view.accessible("from the report");
});
