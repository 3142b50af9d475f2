// Hermanns and Kuchen's example, clicked: the tree of calls, what the last merge changed, the history of c[2], and its line.

import { strict as assert } from "node:assert";
import { open } from "./page.mjs";

const names = (rows) => rows.map((row) => /(\w+)\(/.exec(row)[1]);

await open(process.argv[2], async (view) => {
  await view.picture("begin");
  await view.accessible("at the beginning");
  await view.toggle("calls", "sort(");
  assert.deepEqual(names(await view.rows("calls")), ["main", "sort", "distribute", "merge", "merge", "distribute", "merge", "toString", "println"]);

  await view.choose("calls", "merge(", -1);
  const first = (row) => row.split(" ").find((word) => /\w/.test(word));
  assert.deepEqual((await view.rows("variables", ".red")).map(first), ["la", "lb", "[0]", "[1]", "[2]", "lc"]);
  assert.deepEqual((await view.rows("variables", ".yellow")).map(first), ["c"]);
  await view.picture("merge");

  // All that the element ever held, and who wrote it.
  await view.choose("variables", "[2]");
  const history = await view.rows("history");
  assert.deepEqual(history.map((row) => /= (\d+) MergeSort\.(\w+):(\d+)/.exec(row).slice(1).join(" ")),
    ["1 main 38", "1 merge 10", "7 merge 10", "9 merge 12"]);
  assert.deepEqual(await view.rows("happenings", ".red"), ["10 c[2] = 7 !", "12 c[2] = 9 !"]);
  await view.choose("history", "= 9");
  assert.equal(await view.line(), 12);
  assert.match(await view.text("#source .row.here"), /c\[lb\+\+\] = a\[la\+\+\];.*c\[2\] = 9/s);
  assert.deepEqual(await view.rows("happenings", ".here"), ["12 c[2] = 9 !"]);
  await view.picture("line-12");
  await view.accessible("with all views filled");

  // Who called the last merge wrote the element within calls.
  await view.choose("calls", "sort(");
  const yellow = await view.rows("happenings", ".yellow");
  assert.ok(yellow.length >= 2 && yellow.every((row) => row.includes("merge()")), `${yellow}`);
  await view.page.goBack();
  await view.settled();
  assert.equal(await view.line(), 12);

  // A moment has a link: another visit begins there.
  const link = await view.hash();
  await view.page.goto("about:blank");
  await view.page.goto(`${process.argv[2]}${link}`);
  await view.settled();
  assert.equal(await view.line(), 12);
  assert.ok((await view.rows("calls", ".here"))[0].includes("merge("), "the tree shows the call");

  // Keys go a line back and forward again.
  await view.page.focus("#source");
  const at = await view.text("#moment");
  await view.press("n");
  assert.notEqual(await view.text("#moment"), at);
  await view.press("p");
  assert.equal(await view.line(), 12, "a line forward and back");

  await found(view);
  await noted(view);
  await view.dark(true);
  await view.picture("dark");
  await view.accessible("dark");
  await view.dark(false);
  await view.size(400, 800);
  await view.fits("400 pixels");
  await view.accessible("400 pixels");
  await view.picture("narrow");
});

/** One box for a method, a line, an expression. */
async function found(view) {
  const look = async (text) => {
    await view.page.click("#sought", { count: 3 });
    await view.page.keyboard.type(text);
    await new Promise((done) => setTimeout(done, 300));
    await view.settled();
    return view.rows("found");
  };
  assert.deepEqual(await look("distri"), ["mergesort.MergeSort.distribute called 2 times"]);
  assert.ok((await look("c[2]"))[0].startsWith("c[2] = "));
  const hits = await look("MergeSort:12");
  assert.equal(hits.length, 1, `${hits}`);
  await view.picture("found");
  await view.accessible("with what was found");
  await view.choose("found", hits.at(-1));
  assert.equal(await view.line(), 12);
}

/** A note stays in the browser, and leads back. */
async function noted(view) {
  await view.click("#tab-notes");
  await view.page.type("#notetext", "lb must be lc");
  await view.press("Enter");
  await view.choose("calls", "main(");
  await view.page.reload();
  await view.settled();
  await view.click("#tab-notes");
  await view.choose("notes", "lb must be lc");
  assert.equal(await view.line(), 12);
  await view.click("#tab-output");
  assert.deepEqual((await view.rows("output")).length, 1);
}
