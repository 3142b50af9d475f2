// A long list of which parts are known: its beginning, and what lies around places that were gone to. Between parts, and behind the last, there
// may be more.

import { isBefore } from "./words.js";

export class Parts {
  /** `fetch(from)` gives `rows`, each with `before`, and in `more` from where the next are to be asked for. */
  constructor(fetch) {
    this.fetch = fetch;
    this.parts = [];
  }

  get begun() {
    return this.parts.length > 0;
  }

  get last() {
    return this.parts.at(-1);
  }

  /** All that is known. */
  get known() {
    return this.parts.flatMap((part) => part.rows);
  }

  async begin() {
    if (!this.begun) this.parts.push(await this.fetch());
  }

  /** The next rows of a part, up to where the part behind it begins. */
  async grow(part) {
    const at = this.parts.indexOf(part);
    const answer = await this.fetch(part.unbegun ? undefined : part.more);
    part.unbegun = false;
    const next = this.parts[at + 1]?.rows[0];
    const fresh = next ? answer.rows.filter((row) => isBefore(row.before, next.before)) : answer.rows;
    part.rows.push(...fresh);
    part.more = answer.more;
    if (next && (fresh.length < answer.rows.length || !answer.more)) {
      part.rows.push(...this.parts[at + 1].rows);
      part.more = this.parts[at + 1].more;
      this.parts.splice(at + 1, 1);
    }
  }

  /** What begins at a moment or later, if the beginning does not reach so far. `far`: it will not, so it is left for later. */
  async reach(moment, far = false) {
    if (far && !this.begun) {
      const answer = await this.fetch(moment);
      this.parts = [{ rows: [], more: "the beginning", unbegun: true }, answer];
      return;
    }
    await this.begin();
    const part = this.parts.findLast(({ rows }) => rows.length > 0 && !isBefore(moment, rows[0].before));
    if (!part?.more || part.unbegun || isBefore(moment, part.more)) return;
    const answer = await this.fetch(moment);
    if (answer.rows.length > 0) this.parts.splice(this.parts.indexOf(part) + 1, 0, answer);
  }

  /** One after the other: `row` for each that is known, `gap` where there is more. */
  each(row, gap) {
    for (const part of this.parts) {
      part.rows.forEach(row);
      if (part.more) gap(part);
    }
  }
}
