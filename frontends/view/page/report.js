// Makes links of what a report says of the run's past: they lead to the page beside it.

for (const place of document.querySelectorAll("[data-past]")) {
  const link = document.createElement("a");
  const [what, ...which] = place.dataset.past.split("=");
  link.href = `./#${new URLSearchParams([[what, which.join("=")]])}`;
  link.append(...place.childNodes);
  place.append(link);
}
