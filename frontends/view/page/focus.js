// What all views are about: a moment, a call, a variable. It stands in the address, so that each moment has a link, and the browser's
// own back and forward go from one to the other.

const listeners = [];
let now = read();

function read() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const get = (name) => parts.get(name) ?? null;
  return {
    at: get("at"),
    call: get("call"),
    // Is the moment right behind something that was chosen, rather than before what comes next?
    behind: get("behind") === "1",
    what: get("what"),
    variable: get("variable"),
    // Where the variable was chosen: call and moment, by which an expression means what it means.
    of: get("of"),
    line: get("line"),
    method: get("method"),
    // What was left undone, if that is asked.
    undone: get("undone"),
  };
}

/** What it is now. */
export function focus() {
  return now;
}

/** Is told of each change: what it is now, and what it was. */
export function whenFocused(listener) {
  listeners.push(listener);
}

/** The chosen variable is asked for by these: its call and moment. */
export function chosen(to = now) {
  const [call, at] = (to.what && to.of ? to.of : `${to.call}@${to.at}`).split("@");
  return { call, at };
}

/** What it takes to choose a variable: by its own name if it has one. */
export function choice(what, variable, { call, at } = now) {
  return { what, variable, of: `${call}@${at}` };
}

/** The address of a focus. */
export function link(to) {
  const parts = new URLSearchParams();
  for (const name of ["at", "call", "what", "variable", "of", "line", "method", "undone"]) {
    if (to[name]) parts.set(name, to[name]);
  }
  if (to.behind) parts.set("behind", "1");
  // Colons and plus signs are the moment's own.
  return `#${parts.toString().replaceAll("%3A", ":").replaceAll("%40", "@")}`;
}

/** Goes there. `replace`: without leaving a way back. */
export function go(to, replace = false) {
  const next = { ...now, line: null, method: null, ...to };
  const hash = link(next);
  if (hash === location.hash) return;
  if (replace) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  changed();
}

/** Tells all views what it is, as if it had just been gone to. */
export function announce() {
  for (const listener of listeners) listener(now, {});
}

function changed() {
  const before = now;
  now = read();
  for (const listener of listeners) listener(now, before);
}

window.addEventListener("popstate", changed);
window.addEventListener("hashchange", () => {
  if (link(now) !== link(read())) changed();
});
