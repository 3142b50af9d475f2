// All values that the chosen variable ever held, who wrote them, and where the one that it holds now came from.

import { ask, latest } from "./ask.js";
import { choice, chosen, focus, go, whenFocused } from "./focus.js";
import { Rows } from "./rows.js";
import { brief, element, said, simple } from "./words.js";

const [telling, tracing] = [latest(), latest()];
const listeners = [];
// Of which value it is shown where it came from.
let traced = null;
let told = { key: null, rows: [], more: null };

/** The writes that are shown. */
export const entries = () => told.rows;

/** Is told when they are others. */
export const whenTold = (listener) => listeners.push(listener);

const rows = new Rows(document.getElementById("history"), "History", { draw, choose, flat: true, seen }, "listbox");
const origin = new Rows(document.getElementById("origin"), "Where the value came from", { draw: drawStep, choose: chooseStep, flat: true }, "listbox");
const [of, from] = [document.getElementById("of"), document.getElementById("from")];
const NONE = "Choose a variable: what it held, and who wrote that, is told here.";

function draw({ data }) {
  const by = data.method ? `${simple(data.method.owner)}.${data.method.name}:${data.line}` : "code that is not recorded";
  return [
    element("span", { class: "grow" }, `${data.name} = `, element("b", {}, brief(data.value))),
    element("span", { class: "end" }, by),
    element("span", { class: "dim" }, data.after),
  ];
}

function choose({ data }) {
  const to = { at: data.after, behind: true };
  if (data.call) to.call = data.call;
  // An expression has a meaning in its own call only.
  if (told.variable) Object.assign(to, choice(told.variable, told.variable, { call: data.call ?? focus().call, at: data.after }));
  go(to);
}

function show() {
  const now = focus();
  rows.set(told.rows.map((data) => ({ data, here: now.behind && data.after === now.at, title: `${data.name} = ${said(data.value)}` })),
    told.key ? "It was not written while the recording ran." : NONE);
  rows.reveal();
  for (const listener of listeners) listener();
}

/** The next part, when the end of what there is is seen. */
function seen(_, last) {
  if (!told.more || last < told.rows.length || told.asking) return;
  told.asking = true;
  telling(async (isCurrent) => {
    const answer = await ask("history", { ...told.parts, skip: told.more });
    if (!isCurrent()) return;
    Object.assign(told, { rows: [...told.rows, ...answer.rows], more: answer.more, asking: false });
    show();
  });
}

/** How the variable is asked for: by its own name, or as an expression of the call. */
function parts(now) {
  return now.variable ? { what: now.variable } : { what: now.what, ...chosen(now) };
}

function tell(now) {
  const asked = parts(now);
  // The same variable has the same history at all moments.
  const key = now.variable ?? `${now.what} ${chosen(now).call}`;
  if (key === told.key) {
    show();
    return;
  }
  telling(async (isCurrent) => {
    const answer = await ask("history", asked);
    if (!isCurrent()) return;
    told = { key, parts: asked, rows: answer.rows, more: answer.more, variable: answer.variable };
    const times = answer.count === 1 ? "once" : `${answer.count.toLocaleString("en")} times`;
    of.textContent = answer.count > 0 ? `${now.what}${answer.variable && answer.variable !== now.what ? ` is ${answer.variable}` : ""}, written ${times}` : "";
    show();
  });
}

function drawStep({ data, input }) {
  if (input) return [element("span", { class: "grow dim" }, `    of ${said(input)}`), element("span", { class: "dim" }, input.made)];
  return [
    element("span", { class: "grow" }, data.what),
    element("span", { class: "end" }, data.by ? data.by.split(".").slice(-2).join(".") : ""),
    element("span", { class: "dim" }, data.at),
  ];
}

function chooseStep({ data, input }) {
  if (input) go({ at: input.made, behind: false });
  else go({ at: data.at, call: data.call ?? focus().call, behind: false });
}

function trace(now) {
  tracing(async (isCurrent) => {
    const { call, at } = chosen(now);
    const key = `${now.variable ?? `${now.what} ${call}`} ${at}`;
    if (key === traced) return;
    const asked = now.variable ? { what: now.variable, at } : { what: now.what, call, at };
    try {
      const answer = await ask("origin", asked);
      if (!isCurrent()) return;
      traced = key;
      const all = answer.steps.flatMap((data) => [{ data }, ...data.inputs.map((input) => ({ data, input }))]);
      from.textContent = `The value of ${now.what} at ${at}`;
      origin.set(all);
    } catch (error) {
      if (!isCurrent()) return;
      traced = null;
      from.textContent = "";
      origin.set([], error.message);
    }
  });
}

whenFocused((now) => {
  if (!now.what || !now.at) {
    told = { key: null, rows: [], more: null };
    of.textContent = from.textContent = "";
    traced = null;
    origin.set([], NONE);
    show();
    return;
  }
  tell(now);
  trace(now);
});
