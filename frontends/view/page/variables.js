// The variables of the chosen call: what they held when it began, and what they hold. Red: something else. Yellow: what is below changed.

import { ask, latest } from "./ask.js";
import { choice, chosen, focus, go, whenFocused } from "./focus.js";
import { Rows } from "./rows.js";
import { brief, element, ended, said } from "./words.js";

const MARKS = { changed: "!", below: "~", unknown: "?", same: "" };
const work = latest();
const interval = document.getElementById("interval");
let roots = [];
let span = null;
// What was open stays so from one moment to the next.
const opened = new Set();

const host = document.getElementById("variables");
host.classList.add("vars");
const rows = new Rows(host, "Variables", {
  draw,
  flat: true,
  toggle: (row) => work(() => toggle(row.node)),
  choose: (row) => work(() => choose(row)),
});

function draw(row) {
  const { node } = row;
  if (row.note) return [element("span"), element("span", { class: "note dim" }, row.note)];
  const { data } = node;
  const twist = row.open === undefined ? " " : row.open ? "▾" : "▸";
  const indent = "  ".repeat(row.level - 1);
  const label = { changed: "changed", below: "changed below", unknown: data.why ?? "not known" }[data.mark];
  return [
    element("span", { class: `mark ${data.mark}`, title: label, "aria-hidden": "true" }, MARKS[data.mark] ?? ""),
    element("span", { class: data.mark }, indent, element("span", { class: "twist" }, twist), ` ${row.level > 1 ? data.name : data.name.split(".").slice(-2).join(".")}`),
    element("span", { class: "dim", title: said(data.old) }, data.mark === "same" ? "" : old(data.old)),
    element("span", { class: data.mark === "changed" ? "changed" : "", title: said(data.new) }, brief(data.new)),
  ];
}

function old(shown) {
  return shown.unknown === "it has no value yet" ? "–" : brief(shown);
}

const objectOf = (data) => data.new?.object ?? null;

function flat(node, level, all) {
  const { data } = node;
  const now = focus();
  const here = Boolean(now.what) && (now.variable ? now.variable === data.variable : now.what === node.path && chosen().call === now.call);
  const kind = data.mark === "changed" ? "red" : data.mark === "below" ? "yellow" : "";
  all.push({ node, level, here, kind, open: objectOf(data) === null ? undefined : node.open, title: `${node.path} = ${said(data.new)}` });
  if (!node.open) return;
  for (const kid of node.kids) flat(kid, level + 1, all);
  if (node.note) all.push({ node, level: level + 1, note: node.note });
  if (node.more !== null) all.push({ node, level: level + 1, note: "more …", more: true });
}

function show() {
  const all = [];
  for (const root of roots) flat(root, 1, all);
  rows.set(all, "It has no variables.");
}

function made(data, parent) {
  const path = parent ? parent.path + data.name : data.name;
  return { data, path, known: data.below ?? [], open: false, kids: [], more: null, note: null, begun: false };
}

/** What is in an object; what is known of its changes marks it. */
async function more(node) {
  const inside = await ask("inside", { object: objectOf(node.data), old: span.from, new: span.until, from: node.more });
  for (const data of inside.rows) {
    const change = node.known.find((known) => known.name === node.path + data.name);
    node.kids.push(made(change ? { ...change, name: data.name, variable: data.variable } : data, node));
  }
  node.more = inside.more;
  node.note = inside.note ?? (inside.rows.length === 0 ? "nothing is in it" : null);
  node.begun = true;
}

async function toggle(node) {
  if (!node.open && !node.begun) await more(node);
  node.open = !node.open;
  opened[node.open ? "add" : "delete"](node.path);
  show();
}

async function choose(row) {
  if (row.more) {
    await more(row.node);
    show();
    return;
  }
  if (row.note) return;
  const { data, path } = row.node;
  if (data.name === "(returned)") return;
  go(choice(path, data.variable ?? null));
}

/** Opens what was open, and whatever changed below. */
async function open(nodes, depth) {
  for (const node of nodes) {
    const changed = node.data.mark === "below" && depth < 4;
    if (objectOf(node.data) === null || !(changed || opened.has(node.path))) continue;
    await more(node);
    node.open = true;
    await open(node.kids, depth + 1);
  }
}

whenFocused((now, before) => {
  if (!now.call) return;
  if (now.call === before.call && now.at === before.at && span) {
    show();
    return;
  }
  work(async (isCurrent) => {
    const answer = await ask("variables", { call: now.call, until: now.at });
    if (!isCurrent()) return;
    span = answer;
    const fresh = answer.rows.map((data) => made(data, null));
    if (answer.whole && answer.outcome?.value) {
      const shown = answer.outcome.value;
      fresh.push(made({ name: answer.outcome.how === "threw" ? "(threw)" : "(returned)", old: {}, new: shown, mark: "same", below: [] }, null));
    }
    await open(fresh, 0);
    if (!isCurrent()) return;
    roots = fresh;
    const end = answer.whole ? `its end${answer.outcome ? `, ${ended(answer.outcome) || "returned"}` : ""}` : now.at;
    interval.textContent = `Name, value when the call began, value at ${end}`;
    show();
  });
});
