// One box for anything by name: what is typed is a moment, a line, an object, an expression, or a part of a name.

import { ask, latest } from "./ask.js";
import { choice, focus, go } from "./focus.js";
import { Rows } from "./rows.js";
import { visit } from "./timeline.js";
import { element, ended, moment, said, simple } from "./words.js";

const work = latest();
const form = document.getElementById("search");
const sought = document.getElementById("sought");
const found = document.getElementById("found");
const host = element("div", { class: "rows" });
found.append(host);
const rows = new Rows(host, "Found", { draw: (row) => row.drawn, choose: (row) => row.choose?.(), flat: true }, "listbox");
let waiting = null;

const line = (text, end = "") => [element("span", { class: "grow" }, text), element("span", { class: "end" }, end)];

function close() {
  found.hidden = true;
}

const then = (action) => () => {
  close();
  action();
};

function list(answer) {
  // The box is as high as what is in it.
  host.style.height = `${Math.max(2, answer.length) * 24}px`;
  rows.active = -1;
  rows.set(answer, "Nothing has that name.");
}

/** The calls of a method, to choose one of. */
async function calls(method) {
  const answer = await ask("activations", { class: method.class, name: method.name, desc: method.desc });
  list(answer.rows.map((call) => ({
    drawn: line(`${simple(method.owner)}.${method.name}(${call.arguments.map(said).join(", ")})`, ended(call.outcome)),
    choose: then(() => go({ call: call.call, at: call.after, behind: true })),
  })));
}

/** When a line ran. */
export async function hits(text) {
  const answer = await ask("hits", { line: text });
  return answer.rows.map((hit, at) => ({
    drawn: line(`${answer.line}, time ${(answer.skip + at + 1).toLocaleString("en")} of ${answer.times.toLocaleString("en")}`, hit.moment),
    choose: then(() => go({ at: hit.moment, call: hit.call, behind: false })),
  }));
}

async function names(text) {
  const answer = await ask("find", { text });
  return answer.rows.map((one) => one.kind === "method"
    ? {
      drawn: line(`${one.method.owner}.${one.method.name}`, one.calls === 1 ? "called once" : `called ${one.calls.toLocaleString("en")} times`),
      choose: () => work(() => calls(one.method)),
    }
    : {
      drawn: line(one.name, one.static ? "static field" : "field"),
      choose: then(() => go(choice(one.name, one.name))),
    });
}

/** What an expression is at the moment. */
async function value(text) {
  const { at, call } = focus();
  const answer = await ask("value", { at, call, path: text });
  return [{
    drawn: line(`${answer.name} = ${said(answer.value)}`, `at ${at}`),
    choose: then(() => go(choice(text, null))),
  }];
}

async function all(text) {
  if (moment(text)) return [{ drawn: line(`moment ${text}`), choose: then(() => visit(text)) }];
  if (/^#\d+([.[].*)?$/.test(text)) return [{ drawn: line(`history of ${text}`), choose: then(() => go(choice(text, text))) }];
  const questions = /^[\w$.]+:\d+$/.test(text) ? [hits(text)] : [value(text), names(text)];
  const answers = await Promise.allSettled(questions);
  return answers.flatMap((answer) => answer.value ?? []);
}

function search() {
  const text = sought.value.trim();
  if (!text) {
    close();
    return Promise.resolve();
  }
  return work(async (isCurrent) => {
    const answer = await all(text);
    if (!isCurrent()) return;
    found.hidden = false;
    list(answer);
  });
}

sought.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(search, 150);
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  clearTimeout(waiting);
  await search();
  if (rows.rows.length === 1) rows.rows[0].choose?.();
  else if (rows.rows.length > 1) host.focus();
});
sought.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" && !found.hidden) {
    event.preventDefault();
    host.focus();
  }
});
form.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    close();
    sought.focus();
  }
});
document.addEventListener("click", (event) => {
  if (!form.contains(event.target) && event.target.isConnected) close();
});
