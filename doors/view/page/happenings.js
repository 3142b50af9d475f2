// What the chosen call did, in order. A call among it can be opened. What wrote the chosen variable is red, a call within which that was
// written is yellow.

import { ask, latest } from "./ask.js";
import { focus, go, whenFocused } from "./focus.js";
import { entries, whenTold } from "./history.js";
import { Rows } from "./rows.js";
import { called, element, isBefore, said, simple } from "./words.js";

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
      return [element("b", {}, data.name), ` = ${said(data.value)}`];
    case "called":
      return [element("span", { class: data.call ? "" : "not" }, `${simple(data.method.owner)}.${called(data.method)}()`)];
    case "returned":
      return [element("span", { class: "k" }, "return"), data.value ? ` ${said(data.value)}` : ""];
    case "threw":
      return [element("span", { class: "threw" }, "ended by "), data.value ? said(data.value) : "an exception"];
    default:
      return [element("span", { class: "threw" }, "caught "), data.value ? said(data.value) : "an exception"];
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
  for (const kid of node.kids) flat(kid, level + 1, all, told);
  if (node.more) all.push({ more: true, node, level: level + 1 });
}

function show() {
  if (!root) return;
  const all = [];
  const told = entries();
  for (const kid of root.kids) flat(kid, 1, all, told);
  if (root.more) all.push({ more: true, node: root, level: 1 });
  const { at } = focus();
  // Where it is: what was done last before the moment.
  const done = ({ node, more }) => !more && at && node.data.after.split(":")[0] === at.split(":")[0] && !isBefore(at, node.data.after);
  const here = all.findLast(done);
  if (here) here.here = true;
  rows.set(all, "It did nothing that is recorded.");
}

const made = (data) => ({ data, name: data.call, open: false, kids: [], more: null, begun: false });

async function more(node, from = node.more) {
  const answer = await ask("happenings", { call: node.name, from });
  node.kids.push(...answer.rows.map(made));
  node.more = answer.more;
  node.begun = true;
}

async function toggle(node) {
  if (!node.open && !node.begun) await more(node);
  node.open = !node.open;
  show();
}

async function choose(row) {
  if (row.more) {
    await more(row.node);
    show();
    return;
  }
  go({ at: row.node.data.after, behind: true });
}

/** As much of a call as is needed to have the moment in it. */
async function load(now, isCurrent) {
  const fresh = { name: now.call, kids: [], more: null, begun: false };
  await more(fresh);
  const within = () => !now.at || !fresh.more || now.at.split(":")[0] !== now.call.split(":")[0] || !isBefore(fresh.more, now.at);
  // The moment may be far behind: the part around it will do then.
  if (!within() && !now.behind) await more(fresh, now.at);
  for (let part = 0; part < 5 && !within(); part++) await more(fresh);
  if (!isCurrent()) return;
  root = fresh;
}

whenFocused((now, before) => {
  if (!now.call) return;
  work(async (isCurrent) => {
    if (now.call !== before.call || !root || root.name !== now.call) await load(now, isCurrent);
    if (!isCurrent()) return;
    show();
    rows.reveal();
  });
});
whenTold(show);
