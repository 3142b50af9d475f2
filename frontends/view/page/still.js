// The answers of a page that is one file: they lie in it, packed.

import { isBefore } from "./words.js";

const packed = document.getElementById("answers");
const UNKNOWN = "This page was written without that answer: jinsi view with the trace has it.";

/** Does the page have its answers in itself? */
export const still = packed !== null;

const unpacked = still ? unpack(packed.textContent) : null;

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/** The answer to a question with these parts. */
export async function answered(question, parts) {
  const all = await unpacked;
  const find = (left) => {
    const place = all.keys[[question, ...left.map(([name, value]) => `${name}=${value}`)].join("\n")];
    return place === undefined ? null : all.answers[place];
  };
  if (question === "find") return found(all.names, Object.fromEntries(parts).text);
  const whole = find(parts);
  if (whole) return whole;
  // Lists lie here as a whole, of which the page asks for parts.
  const by = Object.fromEntries(parts);
  const list = find(parts.filter(([name]) => !["from", "skip", "most"].includes(name)));
  if (!list?.rows) throw new Error(UNKNOWN);
  const rows = by.from !== undefined ? list.rows.filter((row) => !isBefore(row.before, by.from)) : list.rows.slice(by.skip ?? 0);
  return { ...list, rows: by.most === undefined ? rows : rows.slice(0, by.most) };
}

/** The report of the run. */
export async function report() {
  return (await unpacked).report;
}

function found(names, text) {
  const wanted = text.trim().toLowerCase();
  const full = (one) => one.kind === "method" ? `${one.method.owner}.${one.method.name}` : one.name;
  return { rows: wanted ? names.filter((one) => full(one).toLowerCase().includes(wanted)) : [], more: false };
}
