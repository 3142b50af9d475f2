// Questions about calls, few of them, until one method is to blame. The server leads the session and keeps its answers, where `jinsi ask` does.

import { fetched, latest, say } from "./ask.js";
import { go, link } from "./focus.js";
import { element } from "./words.js";

// Calls whose standing is asked for at a time.
const CALLS = 200;
const WORDS = {
  valid: ["\u2713 right", "green", "It was said to be right, or a call around it was"],
  invalid: ["\u2717 wrong", "red", "It was said to be wrong"],
  trusted: ["trusted", "yellow", "Its method has no defect, or is not recorded"],
  apart: ["no part", "", "It had no part in what was pointed at as wrong"],
};
// Who answered, where that was not the user.
const BY = {
  failure: ": it failed", asserted: ", said an assertion", contract: ", said a contract", counterpart: ", said another version",
  passed: ", as in a run that passed", earlier: ", as said before",
};
const ANSWERS = { valid: "right", invalid: "wrong", trusted: "trusted", unknown: "not sure" };

const get = (id) => document.getElementById(id);
const work = latest();
const listeners = [];
let told = null;
// By call. What is being asked for is there as nothing.
let known = new Map();

/** Is told when something new is known of calls. */
export function whenAsked(listener) {
  listeners.push(listener);
}

function tell() {
  for (const listener of listeners) listener();
}

/** What is known of a call: its class, and how it is drawn; nothing as long as no questions are asked. */
export function standing(call) {
  if (!told) return null;
  if (told.question?.call === call) return { kind: "", drawn: element("span", { class: "said", title: "Is that right?" }, "?") };
  const words = WORDS[call ? known.get(call) : "trusted"];
  return words ? { kind: words[1], drawn: element("span", { class: "said", title: words[2] }, words[0]) } : null;
}

/** Sees to it that something is known of these calls. */
export function learn(calls) {
  if (!told) return;
  const wanted = calls.filter((call) => !known.has(call)).slice(0, CALLS);
  if (wanted.length === 0) return;
  for (const call of wanted) known.set(call, null);
  const of = known;
  fetched("questions/standing", { calls: wanted.join(",") }).then((answer) => {
    if (known !== of) return;
    wanted.forEach((call, at) => known.set(call, answer.standing[at]));
    tell();
  }).catch((error) => say(error.message, true));
}

function line(label, ...inside) {
  return element("div", {}, element("dt", {}, label), element("dd", {}, ...inside));
}

/** Says that this of what the call gave is wrong. */
function pointer(part) {
  const button = element("button", { type: "button", class: "point", title: `${part} is wrong: only calls that had a part in it stay suspected`, "aria-label": `${part} is wrong` }, "wrong");
  button.addEventListener("click", () => answer("invalid", part));
  return button;
}

function lines(question) {
  const all = (question.calls ?? []).map((call, at) => line(at ? "" : "calls", call));
  const given = question.last ? "before" : "given";
  all.push(...question.given.map((one, at) => line(at ? "" : given, `${one.name} = ${one.value}`)));
  (question.others ?? []).forEach((one, at) => all.push(line(at ? "" : "others", one)));
  if (question.gave) all.push(line("gave", question.gave, question.outcome ? pointer(question.outcome) : null));
  question.changed.forEach((change, at) => {
    const mark = element("span", { class: `mark ${change.mark}` }, change.mark === "below" ? "~" : "!");
    const text = change.mark === "below" ? ` ${change.name}, now ${change.new}` : ` ${change.name}: ${change.old} \u2192 ${change.new}${change.by ? ` (by thread ${change.by})` : ""}`;
    // What is in an object of the JDK's has no name that can be pointed at.
    const points = !question.last && !change.name.includes("(");
    all.push(line(at ? "" : "changed", mark, text, points ? pointer(change.name) : null));
  });
  if (question.changed.length === 0) all.push(line("changed", "nothing that its caller can see"));
  (question.tasks ?? []).forEach((task, at) => all.push(line(at ? "" : "tasks", task)));
  question.printed.forEach((printed, at) => all.push(line(at ? "" : "printed", printed)));
  return element("dl", {}, ...all);
}

function place({ call, after }) {
  return { call, at: after, behind: true };
}

function verdict(blame) {
  const where = `${blame.method}, ${blame.file ?? "?"}:${blame.line}`;
  const why = blame.exact ? "It is wrong, and what it called is not." : "It is wrong, and all that is suspected in it are calls of this method.";
  const parts = [
    element("p", { class: "verdict" }, "The defect is in ", element("b", {}, where), "."),
    element("p", {}, element("a", { href: link(place(told.about)) }, `The call ${blame.call}`), ` ${why}`),
  ];
  if (blame.apart > 0) {
    parts.push(element("p", {}, `${blame.apart} calls in it were not asked about: they had no part in what was pointed at. If one of them should have had, take that back, and say no more than \u201cwrong\u201d.`));
  }
  return parts;
}

function shown() {
  if (told.question) return [element("p", { class: "call" }, told.question.text, element("span", { class: "dim" }, `  ${told.question.place}`)), lines(told.question)];
  if (told.verdict) return verdict(told.verdict);
  const why = told.state === "undecided"
    ? "What is left was answered with \u201cnot sure\u201d. Take answers back to go on."
    : "No call is suspected any more. The defect is in what was trusted or not recorded, or an answer was wrong.";
  return [element("p", {}, why)];
}

function given() {
  const items = told.answers.map((one) => {
    const part = one.part ? `: ${one.part}` : "";
    const by = BY[one.by] ?? "";
    const call = one.last ? `calls ${one.call} to ${one.last} ` : `${one.call} `;
    return element("li", {}, `${one.method} `, element("span", { class: "dim" }, call), `${ANSWERS[one.answer]}${part}${by}`);
  });
  return items.length ? [element("h3", {}, "Answered"), element("ol", {}, ...items)] : [];
}

function show() {
  const asks = Boolean(told.question);
  const alone = asks && !told.question.last;
  const calls = told.suspected === 1 ? "call" : "calls";
  const methods = told.methods === 1 ? "method" : "methods";
  get("askedstate").textContent = asks
    ? `Question ${told.answers.length + 1}. Suspected: ${told.suspected} ${calls} of ${told.methods} ${methods}.`
    : `${told.answers.length} answers, kept in ${told.kept}`;
  get("question").replaceChildren(...shown(), ...given());
  get("question").scrollTop = 0;
  for (const button of document.querySelectorAll("#answering [data-answer]")) button.disabled = !asks;
  const trusts = document.querySelector("#answering [data-answer=trusted]");
  trusts.textContent = told.name ? `Trust ${told.name}` : "Trust";
  trusts.disabled = !alone;
  get("answertest").disabled = !alone && !told.verdict;
  get("answerback").disabled = told.answers.length === 0;
  get("part").disabled = !alone;
  get("pointing").querySelector("button").disabled = !alone;
  const strategy = get("strategy");
  if (strategy.options.length === 0) strategy.append(...told.strategies.map((name) => element("option", {}, name)));
  strategy.value = told.strategy;
}

/** Takes what the server says, and shows the call that it is about. */
function take(document) {
  told = document;
  known = new Map();
  show();
  tell();
  if (told.about) go(place(told.about));
}

/** Shows the call as a test, which takes seconds to write. */
function test() {
  const call = told?.question?.call ?? told?.verdict?.call;
  if (!call) return;
  work(async (isCurrent) => {
    say("Writing the test of this call \u2026");
    const { test: text } = await fetched("questions/test", { call });
    if (!isCurrent()) return;
    say("");
    const shown = [element("h3", {}, "It fails as long as the call gives what it gave"), element("pre", { id: "calltest", tabindex: "0" }, text)];
    for (const old of document.querySelectorAll("#question .test")) old.remove();
    get("question").append(element("div", { class: "test" }, ...shown));
    get("calltest").scrollIntoView({ block: "nearest" });
  });
}

function next(strategy) {
  work(async (isCurrent) => {
    if (!told) say("Going over the calls \u2026");
    const document = await fetched("questions/next", strategy ? { strategy } : {});
    if (!isCurrent()) return;
    say("");
    take(document);
  });
}

function answer(kind, part) {
  const { call, last } = told?.question ?? {};
  if (!call) return;
  work(async () => {
    if (part) say(`Looking for the calls that had a part in ${part} \u2026`);
    const document = await fetched("questions/answer", { call, answer: kind, ...(last ? { last } : {}), ...(part ? { part } : {}) }, "POST");
    say("");
    get("part").value = "";
    take(document);
  });
}

for (const button of document.querySelectorAll("#answering [data-answer]")) {
  button.addEventListener("click", () => answer(button.dataset.answer));
}
get("answertest").addEventListener("click", test);
get("answerback").addEventListener("click", () => work(async () => take(await fetched("questions/back", {}, "POST"))));
get("strategy").addEventListener("change", (event) => next(event.target.value));
get("pointing").addEventListener("submit", (event) => {
  event.preventDefault();
  const part = get("part").value.trim();
  if (part) answer("invalid", part);
});
get("tab-asked").addEventListener("click", () => {
  if (!told) next();
});
