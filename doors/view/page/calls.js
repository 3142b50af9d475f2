// The tree of calls: who called whom, with what, and what came of it. Parts of it are asked for when they are opened.

import { ask, latest } from "./ask.js";
import { focus, go, whenFocused } from "./focus.js";
import { Rows } from "./rows.js";
import { called, element, ended, said, simple } from "./words.js";

// Parts of a long list of calls that are looked through for one, before it is asked for by where it is.
const PARTS = 5;

const work = latest();
let roots = null;
const rows = new Rows(document.getElementById("calls"), "Calls", {
  draw,
  toggle: (row) => work(() => toggle(row.node)),
  choose: (row) => work(() => choose(row)),
});

function draw(row) {
  if (row.more) return [element("span", { class: "dim" }, "more …")];
  const { data } = row.node;
  const name = called(data.method);
  const owner = data.this ? `${said(data.this)}.` : `${simple(data.method.owner)}.`;
  const result = ended(data.outcome);
  return [
    element("span", { class: "grow" },
      data.method.name.startsWith("<") ? "" : element("span", { class: "dim" }, owner),
      data.call ? element("b", {}, name) : element("span", { class: "not" }, name),
      element("span", { class: "dim" }, `(${data.arguments.map(said).join(", ")})`)),
    element("span", { class: `end ${data.outcome?.how === "threw" ? "threw" : ""}` }, result),
  ];
}

/** What is shown of a node and what is below it. */
function flat(node, level, all) {
  const { data } = node;
  const here = Boolean(data.call) && data.call === focus().call;
  all.push({
    node, level, here,
    open: data.inside ? node.open : undefined,
    title: `${data.method.owner}.${data.method.name}(${data.arguments.map(said).join(", ")}) ${ended(data.outcome)}`,
  });
  if (!node.open) return;
  for (const kid of node.kids) flat(kid, level + 1, all);
  if (node.more) all.push({ more: true, node, level: level + 1 });
}

function show() {
  const all = [];
  for (const kid of roots.kids) flat(kid, 1, all);
  if (roots.more) all.push({ more: true, node: roots, level: 1 });
  rows.set(all, "No call of this thread was recorded.");
}

const made = (data) => ({ data, open: false, kids: [], more: null, begun: false });

/** The next part of what is below a node. */
async function more(node, from = node.more) {
  const parts = node.data ? { call: node.data.call, from } : { thread: node.thread, skip: from };
  const answer = await ask("calls", parts);
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
  const { data } = row.node;
  if (data.call) go({ call: data.call, at: data.after, behind: true });
  else go({ at: data.after, behind: true });
}

/** Opens all that is around a call. */
async function reveal(name, isCurrent) {
  const thread = name.split(":")[0];
  if (roots?.thread !== thread) {
    roots = { thread, kids: [], more: null, begun: false };
    await more(roots);
  }
  const { around } = await ask("call", { call: name });
  let node = roots;
  for (const wanted of [...around, name]) {
    const found = await below(node, wanted);
    if (!found || !isCurrent()) break;
    if (node !== roots) node.open = true;
    node = found;
  }
  // An outermost call is not looked at for itself.
  if (roots.kids.includes(node) && !node.begun && node.data.inside) {
    await more(node);
    node.open = true;
  }
  if (!isCurrent()) return;
  show();
  rows.reveal();
}

async function below(node, wanted) {
  const find = () => node.kids.find((kid) => kid.data.call === wanted);
  if (!node.begun) await more(node);
  for (let part = 0; !find() && node.more && part < PARTS; part++) await more(node);
  if (!find() && node.more && node.data) {
    const [thread, event] = wanted.split(":");
    await more(node, `${thread}:${Math.max(0, event - 1)}`);
  }
  return find();
}

whenFocused((now, before) => {
  if (now.call && (now.call !== before.call || !roots)) work((isCurrent) => reveal(now.call, isCurrent));
});

/** Shows a thread from its first call on. */
export function showThread(thread) {
  work(async () => {
    roots = { thread, kids: [], more: null, begun: false };
    await more(roots);
    show();
    const first = roots.kids[0]?.data;
    if (first) go({ call: first.call, at: first.after, behind: true, what: null, variable: null });
  });
}
