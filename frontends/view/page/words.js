// Elements, moments and values as text.

/** An element: attributes, and what is in it. */
export function element(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") made.className = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...inside.filter((one) => one !== null && one !== undefined));
  return made;
}

/** `0:12+3` as numbers. */
export function moment(text) {
  const [, thread, event, step] = /^(\d+):(\d+)(?:\+(\d+))?$/.exec(text) ?? [];
  return thread === undefined ? null : { thread: +thread, event: +event, step: +(step ?? 0) };
}

/** Is one moment before the other, of the same thread? */
export function isBefore(one, other) {
  const [a, b] = [moment(one), moment(other)];
  return a.thread === b.thread && (a.event < b.event || (a.event === b.event && a.step < b.step));
}

/** A value, or why it is not known. */
export function said(shown) {
  if (!shown) return "";
  if (shown.value !== undefined) return shown.value;
  return `? (${shown.unknown ?? "not known"})`;
}

/** The same, short: of an object its number and the class's own name. */
export function brief(shown) {
  const text = said(shown);
  return shown?.object === undefined ? text : text.replace(/^(#\d+ ).*?([^.$]+)$/, "$1$2");
}

/** `pkg.Outer$Inner` → `Inner`. */
export function simple(name) {
  return name.split(/[.$]/).filter(Boolean).pop() ?? name;
}

/** What a method is called in the source. */
export function called(method) {
  const owner = simple(method.owner);
  if (method.name === "<init>") return `new ${owner}`;
  if (method.name === "<clinit>") return `static ${owner}`;
  return method.name;
}

/** How a call ended. */
export function ended(outcome) {
  if (outcome?.how === "threw") return `threw ${outcome.value ? brief(outcome.value) : "an exception"}`;
  if (outcome?.how === "open") return "did not end";
  return outcome?.value ? `→ ${brief(outcome.value)}` : "";
}

const KEYWORDS = new Set(("abstract assert boolean break byte case catch char class const continue default do double else enum extends final " +
  "finally float for fun if implements import instanceof int interface long native new null package private protected public record return sealed " +
  "short static super switch synchronized this throw throws transient true try val var void volatile when while yield false").split(" "));

/** A line of source, with its parts told apart. */
export function coloured(line) {
  const parts = line.match(/\/\/.*|\/\*.*?(?:\*\/|$)|^\s*\*.*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_$][\w$]*|\d[\w.]*|\s+|[^\w\s]/g) ?? [];
  return parts.map((part) => {
    const kind = /^(\/\/|\/\*|\s*\*[^/]*$)/.test(part) && !/^\s+$/.test(part) && (part.startsWith("/") || part.trim().length > 1) ? "c"
      : /^["']/.test(part) ? "s" : KEYWORDS.has(part) ? "k" : /^\d/.test(part) ? "n" : null;
    return kind ? element("span", { class: kind }, part) : part;
  });
}
