// The report of the run, within a page that is one file: what it says of the past leads there.

import { go } from "./focus.js";
import { report } from "./still.js";
import { element } from "./words.js";

/** Has the link open the report. */
export function opens(link) {
  const close = element("button", { type: "button" }, "Close");
  const frame = element("iframe", { title: "Report" });
  const dialog = element("dialog", { class: "reading", "aria-label": "Report" }, close, frame);
  document.body.append(dialog);
  close.addEventListener("click", () => dialog.close());
  frame.addEventListener("load", () => {
    for (const place of frame.contentDocument.querySelectorAll("[data-past]")) leads(place, () => dialog.close());
  });
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    if (!frame.srcdoc) frame.srcdoc = await report();
    dialog.showModal();
  });
}

function leads(place, close) {
  const [what, ...which] = place.dataset.past.split("=");
  const anchor = place.ownerDocument.createElement("a");
  anchor.href = "#";
  anchor.append(...place.childNodes);
  anchor.addEventListener("click", (event) => {
    event.preventDefault();
    close();
    go({ at: null, call: null, what: null, variable: null, [what]: which.join("=") });
  });
  place.append(anchor);
}
