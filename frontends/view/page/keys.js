// Single letters as keys, which can be switched off.

import { step, visit } from "./timeline.js";

const STEPS = { n: "over", p: "back-over", i: "into", u: "back-into", o: "out", b: "back-out" };
const helping = document.getElementById("helping");
const box = document.getElementById("keys");
let failure = null;

function stored() {
  try {
    return localStorage.getItem("jinsi-keys") !== "off";
  } catch {
    return true;
  }
}

/** Where the failure is, if there is one. */
export function begin(at) {
  failure = at;
}

box.checked = stored();
box.addEventListener("change", () => {
  try {
    localStorage.setItem("jinsi-keys", box.checked ? "on" : "off");
  } catch {
    // For this visit it holds all the same.
  }
});
document.getElementById("help").addEventListener("click", () => helping.showModal());
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input:not([type=range]):not([type=checkbox]), select, textarea, dialog");
  if (typing || !box.checked || event.ctrlKey || event.metaKey || event.altKey) return;
  if (STEPS[event.key]) step(STEPS[event.key]);
  else if (event.key === "f" && failure) visit(failure);
  else if (event.key === "/") document.getElementById("sought").focus();
  else if (event.key === "?") helping.showModal();
  else return;
  event.preventDefault();
});
