// SQL about the run, or a query with a name; the rows of the answer, in which moments lead to the run. The question stands in the address.

import { ask, fetched, latest, say } from "./ask.js";
import { link } from "./focus.js";
import { element, moment } from "./words.js";

const work = latest();
const text = document.getElementById("text");
const named = document.getElementById("named");
const says = document.getElementById("says");
const answer = document.getElementById("answer");

const asked = () => new URLSearchParams(location.hash.slice(1)).get("ask") ?? "";

function cell(value) {
  if (value === null) return element("td", { class: "dim" }, "NULL");
  if (typeof value === "number") return element("td", { class: "number" }, String(value));
  const said = String(value);
  return element("td", {}, moment(said) ? element("a", { href: `./${link({ at: said })}` }, said) : said);
}

function table(rows) {
  const names = Object.keys(rows[0]);
  const head = element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)));
  const body = rows.map((row) => element("tr", {}, ...names.map((name) => cell(row[name]))));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

function show({ rows, most, notes }) {
  answer.replaceChildren(...(rows.length > 0 ? [table(rows)] : [element("p", { class: "empty" }, "No rows.")]));
  const count = `${rows.length.toLocaleString("en")} row${rows.length === 1 ? "" : "s"}`;
  say([rows.length === most ? `the first ${count}` : count, ...notes].join(". "));
}

function run() {
  const question = asked();
  text.value = question;
  answer.replaceChildren();
  say("");
  if (!question.trim()) return Promise.resolve();
  return work(async (isCurrent) => {
    say("asking …");
    try {
      const said = await fetched("queries/sql", { text: question });
      if (isCurrent()) show(said);
    } catch (error) {
      if (!isCurrent()) return;
      answer.replaceChildren(element("pre", { class: "why" }, error.message));
      say("no answer", true);
    }
  });
}

function submit() {
  const question = text.value.trim();
  const hash = `#${new URLSearchParams({ ask: question })}`;
  if (hash !== location.hash) history.pushState(null, "", hash);
  run();
}

async function names() {
  const { rows } = await fetched("queries/named", {});
  for (const one of rows) named.append(element("option", { value: one.usage, title: one.says }, one.name));
  named.addEventListener("change", () => {
    const one = rows.find(({ usage }) => usage === named.value);
    says.textContent = one ? `${one.usage}: ${one.says}` : "";
    if (!one) return;
    text.value = one.usage;
    text.focus();
    // The first argument is what is typed next.
    const first = one.name.length + 1;
    if (one.usage.length > one.name.length) text.setSelectionRange(first, one.usage.length);
  });
}

document.getElementById("asking").addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  submit();
});
window.addEventListener("popstate", run);

async function begin() {
  const { name } = await ask("run");
  document.title = `Queries – ${name} – jinsi`;
  document.getElementById("name").textContent = name;
  run();
  await names();
}

begin().catch((error) => {
  if (!answer.hasChildNodes()) answer.replaceChildren(element("pre", { class: "why" }, error.message));
  say("nothing can be asked", true);
});
