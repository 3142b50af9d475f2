// Begins: asks what the run is, and goes to where the address says, or to the failure.

import { ask, say } from "./ask.js";
import "./asking.js";
import { showThread } from "./calls.js";
import { announce, focus, go, whenFocused } from "./focus.js";
import "./happenings.js";
import "./history.js";
import * as keys from "./keys.js";
import * as notes from "./notes.js";
import { opens } from "./reading.js";
import { hits } from "./search.js";
import "./source.js";
import { still } from "./still.js";
import { visit } from "./timeline.js";
import "./undone.js";
import "./variables.js";
import { element, simple } from "./words.js";

const threads = document.getElementById("thread");
const tabs = [...document.querySelectorAll("[role=tab]")];

function select(tab) {
  for (const one of tabs) {
    const is = one === tab;
    one.setAttribute("aria-selected", String(is));
    one.tabIndex = is ? 0 : -1;
    document.getElementById(one.getAttribute("aria-controls")).hidden = !is;
  }
}

for (const tab of tabs) {
  tab.addEventListener("click", () => select(tab));
  tab.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const seen = tabs.filter((one) => !one.hidden);
    const next = seen[(seen.indexOf(tab) + by + seen.length) % seen.length];
    // A click also begins what is behind the tab.
    next.click();
    next.focus();
  });
}

/** What an address means that has no moment: the last run of a line, the last call of a method. */
async function resolve() {
  const { line, method, at } = focus();
  if (at) return;
  if (line) {
    const rows = await hits(line);
    if (rows.length > 0) rows.at(-1).choose();
    else say(`${line} never ran.`, true);
  } else if (method) {
    const [of, nth] = method.split("@");
    const [, owner, name, desc] = /^(.*)\.([^.(]+)(\(.*)$/.exec(of) ?? [];
    const answer = await ask("activations", { class: owner?.replaceAll(".", "/"), name, desc, skip: Math.max(0, (nth ?? 1) - 1), most: 1 });
    const call = answer.rows[0];
    if (call) go({ call: call.call, at: call.after, behind: true }, true);
    else say(`${of} was never called.`, true);
  }
}

whenFocused((now) => {
  if (!now.at && (now.line || now.method)) resolve().catch((error) => say(error.message, true));
  const thread = now.at?.split(":")[0];
  if (thread) threads.value = thread;
});

async function begin() {
  const run = await ask("run");
  document.title = `${run.name} – jinsi`;
  document.getElementById("name").textContent = run.name;
  threads.replaceChildren(...run.threads.map((thread) => element("option", { value: thread.no }, `${thread.name}, ${thread.events.toLocaleString("en")} events`)));
  threads.addEventListener("change", () => showThread(threads.value));
  const remarks = [...run.remarks];
  if (run.detail === "instructions") remarks.push("Recorded with detail=instructions: some values are not known.");
  const told = document.getElementById("remarks");
  told.textContent = remarks.join(" ");
  told.hidden = remarks.length === 0;
  const report = document.getElementById("report");
  report.hidden = !run.report;
  if (still && run.report) opens(report);
  document.getElementById("queries").hidden = !run.queries;
  document.getElementById("tab-asked").hidden = !run.asks;
  notes.begin(run.key);
  keys.begin(run.failure);
  const failure = document.getElementById("failure");
  failure.hidden = !run.failure;
  failure.addEventListener("click", () => visit(run.failure));
  if (run.failures[0]) {
    const { class: name, message } = run.failures[0];
    failure.title = `${simple(name ?? "")}${message ? `: ${message}` : ""}`;
  }
  if (!focus().at && (focus().line || focus().method)) await resolve();
  else if (focus().at && focus().call) announce();
  else if (focus().at ?? run.begin) await visit(focus().at ?? run.begin, true);
}

begin().catch((error) => say(error.message, true));
