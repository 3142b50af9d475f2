// A list or tree of which only what is seen is in the document, however long it is. One stop for the tab key; arrows go about in it.

import { element } from "./words.js";

const HEIGHT = 24;
const AROUND = 8;
let numbers = 0;

export class Rows {
  /**
   * `view.draw(row)`: what is in a row. `view.choose(row)`: it was chosen. `view.toggle(row)`: it is to be opened or closed.
   * `view.seen(first, last)`: rows between these are seen.
   * A row has `level` (from 1), `open` (undefined: there is nothing below), `kind` (classes), `here` (it is what the page is about).
   */
  constructor(host, label, view, role = "tree") {
    this.host = host;
    this.view = view;
    this.item = role === "tree" ? "treeitem" : "option";
    this.name = `rows${++numbers}`;
    this.rows = [];
    this.active = -1;
    this.space = element("div", { class: "space", role: "presentation" });
    this.empty = element("p", { class: "empty" });
    this.role = role;
    this.label = label;
    host.tabIndex = 0;
    host.append(this.space);
    host.addEventListener("scroll", () => this.draw());
    host.addEventListener("keydown", (event) => this.key(event));
    host.addEventListener("click", (event) => this.click(event));
    new ResizeObserver(() => this.draw()).observe(host);
    this.set([]);
  }

  /** Shows these; `why`: what is said if there are none. */
  set(rows, why = "") {
    const active = this.rows[this.active];
    this.rows = rows;
    this.active = rows.indexOf(active);
    if (this.active < 0) this.active = rows.findIndex((row) => row.here);
    this.empty.remove();
    // A list of nothing is no list.
    if (rows.length > 0) {
      this.host.setAttribute("role", this.role);
      this.host.setAttribute("aria-label", this.label);
    } else {
      this.host.removeAttribute("role");
      this.host.removeAttribute("aria-label");
      this.host.removeAttribute("aria-activedescendant");
      this.empty.textContent = why;
      if (why) this.host.append(this.empty);
    }
    this.space.style.height = `${rows.length * HEIGHT}px`;
    this.draw(true);
  }

  /** Brings the row that the page is about into view. */
  reveal() {
    const at = this.rows.findIndex((row) => row.here);
    if (at >= 0) {
      this.active = at;
      this.show(at);
    }
  }

  show(at) {
    const { host } = this;
    const [top, bottom] = [at * HEIGHT, (at + 1) * HEIGHT];
    const inner = host.clientHeight;
    if (top < host.scrollTop || bottom > host.scrollTop + inner) {
      host.scrollTop = Math.max(0, top - Math.floor(inner / 3));
    }
    this.draw(true);
  }

  draw(anew = false) {
    const first = Math.max(0, Math.floor(this.host.scrollTop / HEIGHT) - AROUND);
    const count = Math.ceil(this.host.clientHeight / HEIGHT) + 2 * AROUND;
    const last = Math.min(this.rows.length, first + count);
    if (!anew && first === this.first && last === this.last) return;
    [this.first, this.last] = [first, last];
    const drawn = [];
    for (let at = first; at < last; at++) drawn.push(this.row(at));
    this.space.replaceChildren(...drawn);
    if (this.active >= first && this.active < last) {
      this.host.setAttribute("aria-activedescendant", `${this.name}-${this.active}`);
    } else {
      this.host.removeAttribute("aria-activedescendant");
    }
    if (last > first) this.view.seen?.(first, last);
  }

  row(at) {
    const row = this.rows[at];
    const tree = this.role === "tree";
    const made = element("div", {
      class: `row ${row.kind ?? ""} ${row.here ? "here" : ""} ${at === this.active ? "active" : ""}`,
      role: this.item,
      id: `${this.name}-${at}`,
      "aria-selected": row.here ? "true" : "false",
      "aria-level": tree ? row.level ?? 1 : null,
      "aria-expanded": row.open === undefined ? null : String(row.open),
      "aria-posinset": tree ? null : at + 1,
      "aria-setsize": tree ? null : this.rows.length,
      title: row.title,
      "data-at": at,
    });
    made.style.top = `${at * HEIGHT}px`;
    if (tree && !this.view.flat) {
      const twist = row.open === undefined ? "" : row.open ? "▾" : "▸";
      made.append(element("span", { class: "twist", "aria-hidden": "true" }, twist));
      made.firstChild.style.marginLeft = `${((row.level ?? 1) - 1) * 1.1}em`;
    }
    made.append(...this.view.draw(row));
    return made;
  }

  click(event) {
    const at = event.target.closest?.(".row")?.dataset.at;
    if (at === undefined) return;
    this.active = +at;
    const row = this.rows[this.active];
    if (event.target.classList.contains("twist") && row.open !== undefined) this.view.toggle(row);
    else if (event.target.classList.contains("balloon")) this.view.balloon?.(row);
    else this.view.choose?.(row);
    this.draw(true);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || this.rows.length === 0) return;
    const page = Math.max(1, Math.floor(this.host.clientHeight / HEIGHT) - 1);
    const row = this.rows[this.active];
    const to = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: this.rows.length - 1,
    }[event.key];
    if (to !== undefined) {
      this.active = Math.max(0, Math.min(this.rows.length - 1, to));
      this.show(this.active);
    } else if (event.key === "ArrowRight" && row?.open === false) {
      this.view.toggle(row);
    } else if (event.key === "ArrowLeft" && row?.open) {
      this.view.toggle(row);
    } else if (event.key === "ArrowLeft" && row) {
      const above = this.rows.findLastIndex((one, at) => at < this.active && (one.level ?? 1) < (row.level ?? 1));
      if (above >= 0) this.active = above;
      this.show(this.active);
    } else if ((event.key === "Enter" || event.key === " ") && row) {
      this.view.choose?.(row);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
