// The time line of a thread: a handle that can be dragged, what was printed and thrown, and steps.

import { ask, latest, say } from "./ask.js";
import { focus, go, whenFocused } from "./focus.js";
import { Rows } from "./rows.js";
import { element, moment } from "./words.js";

const work = latest();
const time = document.getElementById("time");
const marks = document.getElementById("marks");
const shown = document.getElementById("moment");
let thread = null;
let dragging = null;

const output = new Rows(document.getElementById("output"), "Output and exceptions", {
  draw: ({ data }) => [
    element("span", { class: `grow ${data.kind === "printed" ? "" : "threw"}` }, data.kind === "printed" ? data.text : `${data.kind} ${data.text}`),
    element("span", { class: "dim" }, data.moment),
  ],
  choose: ({ data }) => visit(data.moment),
  flat: true,
}, "listbox");

/** Goes to a moment, and to the innermost call there. */
export function visit(at, replace = false) {
  return work(async (isCurrent) => {
    const stack = await ask("stack", { at });
    if (isCurrent()) go({ at: stack.moment, call: stack.frames[0]?.call ?? focus().call, behind: false }, replace);
  });
}

/** A step, as a debugger makes it, but in both directions. */
export function step(how) {
  const { at } = focus();
  if (!at) return;
  work(async () => {
    const { moment: to } = await ask("step", { at, how });
    if (!to) {
      say(how.startsWith("back") ? "Nothing was recorded before that." : "Nothing was recorded behind that.");
      return;
    }
    say("");
    const stack = await ask("stack", { at: to });
    go({ at: stack.moment, call: stack.frames[0]?.call ?? null, behind: false });
  });
}

async function show(of) {
  thread = of;
  const line = await ask("timeline", { thread: of });
  if (thread !== of) return;
  const last = Math.max(1, line.events - 1);
  time.max = last;
  const place = (event) => (event / last) * 1000;
  marks.replaceChildren(...line.marks.map((mark) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [name, value] of Object.entries({ x: place(mark.event) - 1.5, y: 1, width: 3, height: 8, class: mark.kind })) made.setAttribute(name, value);
    return made;
  }));
  output.set(line.marks.map((data) => ({ data })), "It printed nothing, and no exception went through it.");
}

// While it is dragged each moment replaces the one before: one way back is enough.
time.addEventListener("input", () => {
  const at = `${thread}:${time.value}`;
  shown.textContent = at;
  clearTimeout(dragging);
  dragging = setTimeout(() => visit(at, true), 60);
});

for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => step(button.dataset.step));
}

whenFocused((now) => {
  const at = now.at && moment(now.at);
  if (!at) return;
  shown.textContent = now.at;
  if (String(at.thread) !== String(thread)) show(at.thread).catch((error) => say(error.message, true)).then(() => (time.value = at.event));
  else if (document.activeElement !== time || time.value !== String(at.event)) time.value = at.event;
  time.setAttribute("aria-valuetext", `event ${at.event}`);
});
