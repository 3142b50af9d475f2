// What the chosen call did, in order. A call among it can be opened. What wrote the chosen variable is red, a call within which that was
// written is yellow.

import { ask, latest } from "./ask.js";
import { focus, go, whenFocused } from "./focus.js";
import { entries, whenTold } from "./history.js";
import { Parts } from "./parts.js";
import { Rows } from "./rows.js";
import { brief, called, element, isBefore, moment, simple } from "./words.js";

// Events before a moment that are shown with it, in a long call.
const BEFORE = 100;
// Behind so many events those before it are left for later.
const FAR = 20_000;

const work = latest();
let root = null;
const rows = new Rows(document.getElementById("happenings"), "Events of the call", {
  draw,
  toggle: (row) => work(() => toggle(row.node)),
  choose: (row) => work(() => choose(row)),
});

function draw(row) {
  if (row.more) return [element("span", { class: "dim" }, "more …")];
  const { data } = row.node;
  return [
    element("span", { class: "dim" }, data.line ? String(data.line).padStart(4) : "    "),
    element("span", { class: "grow" }, ...words(data)),
    row.mark ? element("span", { class: `mark ${row.mark === "!" ? "changed" : "below"}` }, row.mark) : "",
  ];
}

function words(data) {
  switch (data.kind) {
    case "wrote":
      return [element("b", {}, data.name), ` = ${brief(data.value)}`];
    case "called":
      return [element("span", { class: data.call ? "" : "not" }, `${simple(data.method.owner)}.${called(data.method)}()`)];
    case "returned":
      return [element("span", { class: "k" }, "return"), data.value ? ` ${brief(data.value)}` : ""];
    case "threw":
      return [element("span", { class: "threw" }, "ended by "), data.value ? brief(data.value) : "an exception"];
    default:
      return [element("span", { class: "threw" }, "caught "), data.value ? brief(data.value) : "an exception"];
  }
}

/** Did it write what was written by one of these, or did a call within it? */
function mark(data, told) {
  if (data.kind === "wrote" && told.some((entry) => entry.after === data.after && entry.before === data.before)) return "!";
  const within = (entry) => !isBefore(entry.after, data.before) && !isBefore(data.after, entry.after);
  const thread = data.before.split(":")[0];
  return data.kind === "called" && told.some((entry) => entry.call && entry.after.split(":")[0] === thread && within(entry)) ? "~" : null;
}

function flat(node, level, all, told) {
  const { data } = node;
  const found = mark(data, told);
  all.push({
    node, level, here: false, mark: found,
    kind: found === "!" ? "red" : found === "~" ? "yellow" : "",
    open: data.call ? node.open : undefined,
  });
  if (!node.open) return;
  node.kids.each((kid) => flat(kid, level + 1, all, told), (more) => all.push({ more, node, level: level + 1 }));
}

function show() {
  if (!root) return;
  const all = [];
  const told = entries();
  root.kids.each((kid) => flat(kid, 1, all, told), (more) => all.push({ more, node: root, level: 1 }));
  const { at } = focus();
  // Where it is: what was done last before the moment.
  const done = ({ node, more }) => !more && at && node.data.after.split(":")[0] === at.split(":")[0] && !isBefore(at, node.data.after);
  const here = all.findLast(done);
  if (here) here.here = true;
  rows.set(all, "It did nothing that is recorded.");
}

/** Something that was done; of a call, what is done in it. */
function made(data, call = data.call) {
  const kids = new Parts(async (from) => {
    const answer = await ask("happenings", { call, from });
    return { rows: answer.rows.map((row) => made(row)), more: answer.more };
  });
  return { data, call, kids, open: false, before: data?.before };
}

async function toggle(node) {
  if (!node.open) await node.kids.begin();
  node.open = !node.open;
  show();
}

async function choose(row) {
  if (row.more) {
    await row.node.kids.grow(row.more);
    show();
    return;
  }
  go({ at: row.node.data.after, behind: true });
}

/** A part of what a call did that has the moment in it. */
async function load(now, isCurrent) {
  const fresh = root?.call === now.call ? root : made(null, now.call);
  const [at, call] = [moment(now.at ?? now.call), moment(now.call)];
  if (at.thread === call.thread && at.event > call.event) {
    await fresh.kids.reach(`${at.thread}:${Math.max(call.event, at.event - BEFORE)}`, at.event - call.event > FAR);
  }
  await fresh.kids.begin();
  if (isCurrent()) root = fresh;
}

whenFocused((now, before) => {
  if (!now.call) return;
  work(async (isCurrent) => {
    if (now.call !== before.call || now.at !== before.at || root?.call !== now.call) await load(now, isCurrent);
    if (!isCurrent()) return;
    show();
    rows.reveal();
  });
});
whenTold(show);
