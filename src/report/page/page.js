"use strict";
for (const controls of document.querySelectorAll(".controls")) controls.hidden = false;

// What is shown: rows of a table, or findings.
const rows = Array.from(document.querySelectorAll("[data-row]"), row => ({ row, text: row.textContent.toLowerCase() }));
const search = document.querySelector("input[type=search]");
const shown = document.querySelector("output");
let waiting;
function filter() {
  const words = search.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const { row, text } of rows) {
    row.hidden = !words.every(word => text.includes(word));
    count += !row.hidden;
  }
  shown.textContent = `${count} of ${rows.length}`;
}
search?.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(filter, 150);
});
if (search) filter();

const collator = new Intl.Collator(undefined, { numeric: true });
for (const heading of document.querySelectorAll(".rows thead th")) {
  const button = document.createElement("button");
  button.append(...heading.childNodes);
  heading.append(button);
  button.addEventListener("click", () => {
    const descending = heading.ariaSort === "ascending";
    for (const other of heading.parentElement.children) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const body = heading.closest("table").tBodies[0];
    const cell = row => row.cells[heading.cellIndex].textContent;
    const sorted = Array.from(body.rows, row => ({ row, key: cell(row) }));
    sorted.sort((a, b) => (descending ? -1 : 1) * collator.compare(a.key, b.key));
    body.append(...sorted.map(({ row }) => row));
  });
}
