// Questions to the server, and what is said when one has no answer.

import { answered, still } from "./still.js";

const status = document.getElementById("status");

/** Says something in the last line of the page. */
export function say(text, bad = false) {
  status.textContent = text;
  status.classList.toggle("bad", bad);
}

/** The answer to a question. */
export async function ask(question, parts = {}) {
  const given = Object.entries(parts).filter(([, value]) => value !== undefined && value !== null);
  if (still) {
    const answer = await answered(question, given);
    if (answer.error) throw new Error(answer.error);
    return answer;
  }
  return fetched(`api/${question}`, given);
}

/** A document of the server. `method`: `POST` where that changes something. */
export async function fetched(path, given, method = "GET") {
  let response;
  try {
    response = await fetch(`${path}?${new URLSearchParams(given)}`, { method });
  } catch {
    throw new Error("jinsi view has ended: start it again");
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? `status ${response.status}`);
  return answer;
}

/** Does something, and says it if that fails. Of several that overlap only the last is shown: `current` says whether it still is. */
export function latest() {
  let last = 0;
  return async (work) => {
    const own = ++last;
    document.body.setAttribute("aria-busy", "true");
    try {
      await work(() => own === last);
    } catch (error) {
      if (own === last) say(error.message, true);
    } finally {
      if (own === last) document.body.removeAttribute("aria-busy");
    }
  };
}
