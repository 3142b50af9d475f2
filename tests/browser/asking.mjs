// Hermanns and Kuchen's session, clicked: top-down, seven questions, and the last merge is to blame. Then one answer taken back, and a part pointed at.

import { strict as assert } from "node:assert";
import { open } from "./page.mjs";

const BLAMED = "The defect is in mergesort.MergeSort.merge, MergeSort.java:9.";

/** What is said of the calls in the tree: method, kind, words. */
const tree = (view) => view.page.$$eval("#calls .row", (rows) => rows.map((row) => {
  const name = /(\w+)\(/.exec(row.innerText)[1];
  const kind = ["green", "red", "yellow"].find((one) => row.classList.contains(one)) ?? "-";
  return `${name} ${kind} ${row.querySelector(".said")?.innerText ?? "-"}`;
}));

const asked = (view) => view.text("#question .call");

await open(process.argv[2], async (view) => {
  const answer = (kind) => view.click(`#answering [data-answer=${kind}]`);
  await view.click("#tab-asked");
  await view.page.select("#strategy", "top-down");
  await view.settled();
  assert.match(await view.text("#askedstate"), /^Question 1\. Suspected: 7 calls of 4 methods\.$/);
  assert.match(await asked(view), /MergeSort\.main\(/);
  await answer("invalid");
  assert.match(await asked(view), /MergeSort\.sort\(a\)/);
  assert.match(await view.text("#question"), /given\s+a = \{4, 9, 1, 7\}[^]*! a\[1\]: 9 → 4/);
  // What sort gave is no result, so there is no test of it.
  await view.click("#answertest");
  assert.match(await view.text("#status"), /a test is written only for what a call returns to another class/);
  await answer("invalid");
  await view.picture("asking");
  for (const name of ["distribute", "merge", "merge", "distribute"]) {
    assert.match(await asked(view), new RegExp(`MergeSort\\.${name}\\(`));
    await answer("valid");
  }
  assert.match(await view.text("#askedstate"), /^Question 7\./);
  await view.accessible("with a question");
  // The page is at the call: its variables are marked as the question has them.
  assert.ok((await view.rows("calls", ".here"))[0].includes("merge("), "the tree shows the call");
  assert.ok((await view.rows("variables", ".red")).length >= 4);
  await answer("invalid");
  assert.ok((await view.text("#question")).startsWith(BLAMED), await view.text("#question"));
  assert.deepEqual(await tree(view), [
    "main red ✗ wrong", "sort red ✗ wrong", "distribute green ✓ right", "merge green ✓ right", "merge green ✓ right",
    "distribute green ✓ right", "merge red ✗ wrong", "toString yellow trusted", "println yellow trusted",
  ]);
  await view.picture("blamed");
  await view.accessible("with a verdict");
  await view.dark(true);
  await view.picture("blamed-dark");
  await view.accessible("with a verdict, dark");
  await view.dark(false);

  // The verdict leads to the call.
  await view.choose("calls", "main(");
  await view.click("#question a");
  assert.ok((await view.rows("calls", ".here"))[0].includes("merge("), "the link leads to the call");

  await view.click("#answerback");
  assert.match(await view.text("#askedstate"), /^Question 7\./);
  await view.page.type("#part", "c[9]");
  await view.press("Enter");
  assert.match(await view.text("#askedstate"), /^Question 7\./, "what is not there cannot be wrong");
  await view.page.$eval("#part", (input) => { input.value = ""; });
  await view.click("#question [aria-label='c[2] is wrong']");
  assert.ok((await view.text("#question")).startsWith(BLAMED));
  assert.match(await view.text("#question"), /MergeSort\.merge [\d:]+ wrong: c\[2\]/);

  // Answers are kept: who comes again finds them.
  await view.page.reload();
  await view.settled();
  await view.click("#tab-asked");
  assert.ok((await view.text("#question")).startsWith(BLAMED));
  await view.size(400, 800);
  await view.fits("400 pixels");
  await view.accessible("400 pixels, with a verdict");
  await view.picture("narrow-blamed");
});
