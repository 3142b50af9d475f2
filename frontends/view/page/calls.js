// The tree of calls: who called whom, with what, and what came of it. Parts of it are asked for when they are opened.

import { ask, latest } from "./ask.js";
import { learn, standing, whenAsked } from "./asking.js";
import { focus, go, whenFocused } from "./focus.js";
import { Parts } from "./parts.js";
import { Rows } from "./rows.js";
import { balloons, drawn, open, whenUndone } from "./undone.js";
import { brief, called, element, ended, moment, said, simple } from "./words.js";

// Behind so many events a call is gone to without those before it.
const FAR = 20_000;

const work = latest();
let roots = null;
const rows = new Rows(document.getElementById("calls"), "Calls", {
  draw,
  toggle: (row) => work(() => toggle(row.node)),
  choose: (row) => work(() => choose(row)),
  balloon: (row) => open(row.balloons),
});

function draw(row) {
  if (row.more) return [element("span", { class: "dim" }, "more …")];
  const { data } = row.node;
  const name = called(data.method);
  const owner = simple(data.this?.object ? brief(data.this).split(" ").pop() : data.method.owner);
  const result = ended(data.outcome);
  const parts = [
    element("span", { class: "grow" },
      data.call ? element("b", {}, name) : element("span", { class: "not" }, name),
      element("span", { class: "dim" }, `(${data.arguments.map(brief).join(", ")})${data.method.name.startsWith("<") ? "" : `  ${owner}`}`)),
    drawn(row.balloons),
    row.standing?.drawn,
    element("span", { class: `end ${data.outcome?.how === "threw" ? "threw" : ""}` }, result),
  ];
  return parts.filter(Boolean);
}

/** What is shown of a node and what is below it. */
function flat(node, level, all) {
  const { data } = node;
  const here = Boolean(data.call) && data.call === focus().call;
  const known = standing(data.call);
  const seen = node.open ? node.kids.known.map((kid) => kid.data.call) : [];
  all.push({
    node, level, here, standing: known, kind: known?.kind,
    // What is folded is summarised.
    balloons: data.call ? balloons(data.call, seen) : [],
    open: data.inside ? node.open : undefined,
    title: `${data.this ? `${said(data.this)} ` : ""}${data.method.owner}.${data.method.name}(${data.arguments.map(said).join(", ")}) ${ended(data.outcome)}`,
  });
  if (!node.open) return;
  node.kids.each((kid) => flat(kid, level + 1, all), (more) => all.push({ more, node, level: level + 1 }));
}

function show() {
  const all = [];
  roots.kids.each((kid) => flat(kid, 1, all), (more) => all.push({ more, node: roots, level: 1 }));
  rows.set(all, "No call of this thread was recorded.");
  learn(all.map((row) => row.more ? null : row.node.data.call).filter(Boolean));
}

/** A call, or with `thread` the root of all of them. */
function made(data, thread = null) {
  const parts = (from) => data ? { call: data.call, from } : { thread, skip: from };
  const kids = new Parts(async (from) => {
    const answer = await ask("calls", parts(from));
    return { rows: answer.rows.map((row) => made(row)), more: answer.more };
  });
  return { data, thread, kids, open: false, before: data?.before };
}

async function toggle(node) {
  if (!node.open) await node.kids.begin();
  node.open = !node.open;
  // It turned out that it called nothing.
  if (node.open && node.kids.known.length === 0) node.data.inside = false;
  show();
}

async function choose(row) {
  if (row.more) {
    await row.node.kids.grow(row.more);
    show();
    return;
  }
  const { data } = row.node;
  if (data.call) go({ call: data.call, at: data.after, behind: true });
  else go({ at: data.after, behind: true });
}

/** Opens all that is around a call. */
async function reveal(name, isCurrent) {
  const thread = name.split(":")[0];
  if (roots?.thread !== thread) {
    roots = made(null, thread);
    await roots.kids.begin();
  }
  const { around } = await ask("call", { call: name });
  let node = roots;
  for (const wanted of [...around, name]) {
    const found = await below(node, wanted);
    if (!found || !isCurrent()) break;
    if (node !== roots) node.open = true;
    node = found;
    show();
  }
  // An outermost call is not looked at for itself.
  if (roots.kids.known.includes(node) && node.data.inside) {
    await node.kids.begin();
    node.open = true;
  }
  if (!isCurrent()) return;
  show();
  rows.reveal();
}

async function below(node, wanted) {
  const find = () => node.kids.known.find((kid) => kid.data.call === wanted);
  if (node.data) {
    const [own, at] = [moment(node.data.call), moment(wanted)];
    await node.kids.reach(`${at.thread}:${Math.max(0, at.event - 1)}`, at.event - own.event > FAR);
  } else {
    await node.kids.begin();
    while (!find() && node.kids.last.more) await node.kids.grow(node.kids.last);
  }
  return find();
}

whenFocused((now, before) => {
  if (now.call && (now.call !== before.call || !roots)) work((isCurrent) => reveal(now.call, isCurrent));
});

whenUndone(() => {
  if (roots) show();
});

whenAsked(() => {
  if (roots) show();
});

/** Shows a thread from its first call on. */
export function showThread(thread) {
  work(async () => {
    roots = made(null, thread);
    await roots.kids.begin();
    show();
    const first = roots.kids.known[0]?.data;
    if (first) go({ call: first.call, at: first.after, behind: true, what: null, variable: null });
  });
}
