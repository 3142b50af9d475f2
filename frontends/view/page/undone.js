// What was left undone: balloons in the tree of calls, each at a jump that went another way, and a list of them.

import { ask, latest, say } from "./ask.js";
import { focus, go, whenFocused } from "./focus.js";
import { Rows } from "./rows.js";
import { element } from "./words.js";

const work = latest();
const text = document.getElementById("missed");
const told = document.getElementById("undonehint");
const choices = document.getElementById("operations");
const listeners = [];
let asked = null;
let answer = null;
// Operations that nobody misses.
let hidden = new Set();
let left = [];

const rows = new Rows(document.getElementById("undone"), "Left undone", {
  draw: ({ balloon }) => [
    element("span", { class: "grow" }, balloon.shown[0].text, element("span", { class: "dim" }, `  ${why(balloon)}`)),
    element("span", { class: "end" }, balloon.place.split(".").slice(-2).join(".")),
  ],
  choose: ({ balloon }) => visit(balloon),
  flat: true,
}, "listbox");

const operation = (omitted) => omitted.operation ?? omitted.text;
const why = ({ kind, needed }) => ({ cut: "an exception left it", dispatch: "another method was called", round: "the loop ended" }[kind] ?? "")
  + (needed ? `${kind === "round" ? ", " : ""}${needed} was false` : "");
const visit = ({ call, at }) => go({ call, at, behind: false });

/** A balloon in words. */
function words(balloon) {
  const values = balloon.values.map(({ expression, value }) => `${expression} was ${value ?? "?"}`);
  const missed = balloon.shown.map((omitted) => `not done: ${omitted.text}, in ${omitted.place}`);
  return [`${balloon.place}  ${why(balloon)}`, ...values, ...missed].join("\n");
}

/** Is told when other balloons are to be seen. */
export function whenUndone(listener) {
  listeners.push(listener);
}

/** The balloons of a call and of all below it, but not those that `kids` show, the calls below it that are seen. */
export function balloons(call, kids = []) {
  const within = (one, of) => one.call === of || one.around.includes(of);
  return left.filter((one) => within(one, call) && !kids.some((kid) => within(one, kid)));
}

/** How some balloons are seen together. */
export function drawn(all) {
  if (all.length === 0) return null;
  const title = all.slice(0, 5).map(words).join("\n\n") + (all.length > 5 ? `\n\nand ${all.length - 5} more` : "");
  return element("span", { class: "balloon", title, "data-count": all.length }, String(all.length));
}

/** Goes to the first of some balloons. */
export function open(all) {
  document.getElementById("tab-undone").click();
  if (all[0]) visit(all[0]);
}

function show() {
  left = (answer?.balloons ?? [])
    .map((one) => ({ ...one, shown: one.omitted.filter((omitted) => !hidden.has(operation(omitted))) }))
    .filter((one) => one.shown.length > 0);
  const { at, call } = focus();
  rows.set(left.map((balloon) => ({ balloon, here: balloon.at === at && balloon.call === call, title: words(balloon) })), asked ? "Nothing that ran kept the program from it." : "What should have been done, and was not?");
  for (const listener of listeners) listener();
}

function choose() {
  const counts = new Map();
  for (const omitted of answer.balloons.flatMap((one) => one.omitted)) {
    counts.set(operation(omitted), (counts.get(operation(omitted)) ?? 0) + 1);
  }
  choices.replaceChildren(...[...counts].slice(0, 30).map(([name, count]) => {
    const box = element("input", { type: "checkbox", checked: true });
    box.addEventListener("change", () => {
      if (box.checked) hidden.delete(name);
      else hidden.add(name);
      show();
    });
    return element("label", { title: name }, box, ` ${name.split(".").slice(-2).join(".")} (${count})`);
  }));
}

function inquire(what) {
  asked = what;
  answer = null;
  hidden = new Set();
  text.value = what ?? "";
  if (!what) {
    choices.replaceChildren();
    told.textContent = "";
    show();
    return;
  }
  work(async (isCurrent) => {
    say("Looking for what kept the program from it …");
    const found = await ask("undone", { what });
    if (!isCurrent()) return;
    say("");
    answer = found;
    const more = [found.more && `${found.more} more jumps`, found.reads && `${found.reads} that would only have read it`].filter(Boolean);
    const places = found.jumps === 1 ? "1 place" : `${found.jumps} places`;
    told.textContent = `${places} that ${what === "failure" ? "might" : "kept the program from it:"} ${found.question}${more.length ? `; not shown: ${more.join(", ")}` : ""}`;
    choose();
    show();
    if (!focus().at && left[0]) visit(left[0]);
  });
}

document.getElementById("missing").addEventListener("submit", (event) => {
  event.preventDefault();
  go({ undone: text.value.trim() || null });
});

whenFocused((now) => {
  if (now.undone === asked) {
    if (asked) show();
    return;
  }
  if (now.undone) document.getElementById("tab-undone").click();
  inquire(now.undone);
});

show();
