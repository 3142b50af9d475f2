// The source of the chosen call, with what ran of it; without sources, the numbers of the lines that ran.

import { ask, latest } from "./ask.js";
import { focus, go, whenFocused } from "./focus.js";
import { Rows } from "./rows.js";
import { called, coloured, element, simple } from "./words.js";

const PART = 200;
const work = latest();
const heading = document.getElementById("h-source");
const stack = document.getElementById("stack");
const rows = new Rows(document.getElementById("source"), "Source", { draw, choose, seen, flat: true }, "listbox");

let course = { lines: [] };
let ran = new Map();
// What is known of the file: its lines by number, and which parts were asked for.
let file = { name: null, count: 0, lines: new Map(), parts: new Set() };
let call = null;

function draw({ line }) {
  const of = ran.get(line);
  const at = line === here();
  const marks = of ? (of.round ? "ran round" : "ran") : "";
  const wrote = of?.wrote.map(([name, value]) => `${name} = ${value}`).join(", ");
  const text = file.lines.get(line);
  return [
    element("span", { class: `no ${marks}` }, element("span", { class: "mark", "aria-hidden": "true" }, at ? "▶" : " "), String(line)),
    element("span", { class: "text" }, ...(text === undefined ? [] : coloured(text.replaceAll("\t", "    ")))),
    wrote ? element("span", { class: "wrote" }, wrote) : "",
  ];
}

/** The line that the page is about: the one that ran last, of something that was chosen; else the one that comes next. */
function here() {
  return focus().behind ? course.ran ?? course.next : course.next ?? course.ran;
}

function choose({ line }) {
  const of = ran.get(line);
  if (of) go({ at: of.last, behind: false });
}

function title(line) {
  const of = ran.get(line);
  if (!of) return null;
  const times = of.times === 1 ? "once" : `${of.times.toLocaleString("en")} times`;
  return `ran ${times} in this call${of.round ? "" : ", not in this round of the loop"}`;
}

function show() {
  const known = file.count > 0;
  const numbers = known
    ? Array.from({ length: file.count }, (_, at) => at + 1)
    : course.lines.map((of) => of.line);
  rows.set(numbers.map((line) => ({ line, here: line === here(), title: title(line) })), "No line of it is recorded.");
}

/** The parts of the file that are seen. */
function seen(first, last) {
  if (!file.name || file.count === 0) return;
  for (let part = Math.floor(first / PART); part * PART < last; part++) {
    if (!file.parts.has(part)) load(file, part);
  }
}

async function load(of, part) {
  of.parts.add(part);
  try {
    const answer = await ask("source", { class: of.inner, file: of.name, from: part * PART + 1, most: PART });
    answer.lines.forEach((text, at) => of.lines.set(answer.from + at, text));
    if (of === file) {
      file.count = answer.count;
      show();
    }
    return answer;
  } catch {
    return null;
  }
}

async function open(method, name) {
  const outer = method.class.split("$")[0];
  if (file.name === name && file.class === outer) return;
  file = { name, class: outer, inner: method.class, count: 0, lines: new Map(), parts: new Set() };
  const answer = name ? await load(file, 0) : null;
  heading.textContent = answer ? `Source: ${name}` : `Source: ${name ?? simple(method.owner)}, not found; lines only`;
  heading.title = answer?.path ?? "jinsi view --source DIR says where it is";
}

/** The open calls at the moment, outermost first; of what lies behind the call, those around it. */
async function drawStack(now, isCurrent) {
  const { frames } = await ask("stack", { at: now.at }).catch(() => ({ frames: [] }));
  if (!isCurrent()) return;
  const all = frames.toReversed();
  stack.replaceChildren(...all.map((frame) => {
    const current = frame.call === now.call;
    const button = element("button", { type: "button", "aria-current": current ? "true" : null, title: `${frame.method.owner}.${frame.method.name}:${frame.line}` },
      `${called(frame.method)}:${frame.line}`);
    button.addEventListener("click", () => go({ call: frame.call, behind: false, what: null, variable: null }));
    return button;
  }));
  stack.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

whenFocused((now, before) => {
  if (!now.call || !now.at) return;
  if (now.call === before.call && now.at === before.at && now.behind === before.behind && call) return;
  work(async (isCurrent) => {
    const [answer, of] = await Promise.all([
      ask("course", { call: now.call, at: now.at }),
      call?.call === now.call ? call : ask("call", { call: now.call }),
    ]);
    if (!isCurrent()) return;
    [course, call] = [answer, of];
    ran = new Map(answer.lines.map((line) => [line.line, line]));
    await open(of.method, of.file);
    if (!isCurrent()) return;
    show();
    rows.reveal();
    await drawStack(now, isCurrent);
  });
});
