// What a person has seen, each with its moment. It stays in this browser.

import { focus, go, link } from "./focus.js";
import { Rows } from "./rows.js";
import { element } from "./words.js";

const text = document.getElementById("notetext");
const forget = document.getElementById("forget");
let key = null;
let notes = [];
let chosen = null;

const rows = new Rows(document.getElementById("notes"), "Notes", {
  draw: ({ note }) => [element("span", { class: "grow" }, note.text), element("span", { class: "dim" }, note.focus.at ?? "")],
  choose: ({ note }) => {
    chosen = note;
    go({ what: null, variable: null, of: null, ...note.focus });
    show();
  },
  flat: true,
}, "listbox");

function show() {
  rows.set(notes.map((note) => ({ note, here: note === chosen, title: link(note.focus) })), "No notes yet. They stay in this browser.");
  forget.disabled = !chosen;
}

function keep() {
  try {
    localStorage.setItem(key, JSON.stringify(notes));
  } catch {
    // A browser that stores nothing still shows them.
  }
  show();
}

document.getElementById("note").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!text.value.trim()) return;
  const { at, call, behind, what, variable, of } = focus();
  notes.push({ text: text.value.trim(), focus: { at, call, behind, what, variable, of } });
  text.value = "";
  keep();
});
forget.addEventListener("click", () => {
  notes = notes.filter((note) => note !== chosen);
  chosen = null;
  keep();
});

/** The notes of a run. */
export function begin(run) {
  key = `jinsi-notes-${run}`;
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? "[]");
    notes = Array.isArray(stored) ? stored.filter((note) => typeof note?.text === "string" && note.focus) : [];
  } catch {
    notes = [];
  }
  show();
}
