"use strict";
for (const controls of document.querySelectorAll(".controls")) controls.hidden = false;

const search = document.querySelector("input[type=search]");
const shown = document.querySelector("output");
const table = document.querySelector("table.rows");
const charts = document.querySelectorAll("table.chart");
const { format } = new Intl.NumberFormat("en");

// Lines of cells: a section for each chart, and one for the table.
const lines = section => section.split("\n").slice(0, -1);
async function sections() {
  const data = document.querySelector("script[type='text/plain']").textContent;
  const bytes = Uint8Array.fromBase64?.(data) ?? Uint8Array.from(atob(data), digit => digit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const text = await new Response(stream).text();
  return text.split("\f");
}

// The last row of a chart opens a hundred of the others at a time.
function extend(chart, others) {
  const [name, sum] = chart.tFoot?.rows[0].cells ?? [];
  if (!others.length) return;
  const button = document.createElement("button");
  button.append("show more of ", ...name.childNodes);
  name.append(button);
  const [body] = chart.tBodies;
  const number = cell => Number(cell.textContent.replaceAll(",", ""));
  const most = number(body.rows[0].cells[1]);
  button.addEventListener("click", () => {
    let rest = number(sum);
    for (const line of others.splice(0, 100)) {
      const [count, key] = line.split("\t");
      const row = body.rows[0].cloneNode(true);
      row.cells[0].textContent = key;
      row.cells[1].textContent = format(count);
      row.querySelector("rect").setAttribute("width", 100 * count / most);
      body.append(row);
      rest -= count;
    }
    sum.textContent = format(rest);
    if (!others.length) button.replaceWith("all others");
    if (!rest) chart.tFoot.remove();
  });
}

// The table has a body for each hundred rows, which are written when it comes near the window.
const waiting = new WeakMap();
const near = new IntersectionObserver(entries => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting) write(target);
  }
}, { rootMargin: "1000px" });
function write(body) {
  near.unobserve(body);
  const { cells } = table.tHead.rows[0];
  for (const line of waiting.get(body)) {
    const row = body.insertRow();
    line.split("\t").forEach((text, index) => {
      if (cells[index].hidden) return;
      const cell = row.insertCell();
      cell.className = cells[index].className;
      cell.textContent = cell.className === "number" ? format(text) : text;
    });
  }
}
function draw(rows) {
  near.disconnect();
  for (const body of Array.from(table.tBodies)) body.remove();
  for (let at = 0; at < rows.length; at += 100) {
    const body = table.createTBody();
    waiting.set(body, rows.slice(at, at + 100));
    near.observe(body);
  }
}

// Lines of the table, whose text is in lower case when it is searched.
let items = [];
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(word => word);
  const matches = item => words.every(word => (item.text ??= item.line.toLowerCase()).includes(word));
  const matching = items.filter(matches);
  draw(matching.map(({ line }) => line));
  shown.textContent = `${format(matching.length)} of ${format(items.length)}`;
}

const collator = new Intl.Collator(undefined, { numeric: true });
function sort(heading) {
  const descending = heading.ariaSort === "ascending";
  for (const other of heading.parentElement.children) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  for (const item of items) item.key = item.line.split("\t", heading.cellIndex + 1).pop();
  // A collator takes seconds for very many.
  const compare = items.length < 20_000 ? collator.compare : (a, b) => (a < b ? -1 : a > b);
  const isNumber = heading.classList.contains("number");
  const order = isNumber ? (a, b) => a - b : compare;
  items.sort((a, b) => (descending ? order(b.key, a.key) : order(a.key, b.key)));
  filter();
}

sections().then(data => {
  charts.forEach((chart, index) => extend(chart, lines(data[index])));
  if (table) {
    const rows = data[charts.length];
    // Columns that no row has anything in.
    Array.from(table.tHead.rows[0].cells).forEach((heading, index) => {
      heading.hidden = !new RegExp(`^(?:[^\\t\\n]*\\t){${index}}[^\\t\\n]`, "m").test(rows);
    });
    items = lines(rows).map(line => ({ line }));
  }
  if (search) filter();
});
let typing;
search?.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(filter, 150);
});
for (const heading of document.querySelectorAll(".rows th")) {
  const button = document.createElement("button");
  button.append(...heading.childNodes);
  heading.append(button);
  button.addEventListener("click", () => sort(heading));
}
