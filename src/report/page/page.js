"use strict";
for (const controls of document.querySelectorAll(".controls")) controls.hidden = false;

const search = document.querySelector("input[type=search]");
const shown = document.querySelector("output");
const table = document.querySelector("table.rows");
const charts = document.querySelectorAll("table.chart");
const months = document.querySelector("table.months");
const { format } = new Intl.NumberFormat("en");

const collator = new Intl.Collator(undefined, { numeric: true });

// Lines of cells: a section for each chart, one for the months, and one for the table.
const lines = section => section.split("\n").slice(0, -1);
const counts = section => lines(section).map(line => line.split("\t")).map(([count, name]) => [Number(count), name]);
async function sections() {
  const data = document.querySelector("script[type='text/plain']").textContent;
  const bytes = Uint8Array.fromBase64?.(data) ?? Uint8Array.from(atob(data), digit => digit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const text = await new Response(stream).text();
  return text.split("\f");
}

// Adds a row with a name, and cells that each have a class and a text.
function add(section, name, cells) {
  const row = section.insertRow();
  const heading = document.createElement("th");
  heading.scope = "row";
  heading.append(name);
  row.append(heading);
  for (const [className, text] of cells) {
    const cell = row.insertCell();
    cell.className = className;
    cell.append(text);
  }
  return row;
}
// Returns a bar that is so wide, in percent.
function bar(percent) {
  const [svg, rect] = ["svg", "rect"].map(name => document.createElementNS("http://www.w3.org/2000/svg", name));
  svg.setAttribute("viewBox", "0 0 100 10");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  rect.setAttribute("width", percent);
  rect.setAttribute("height", 10);
  svg.append(rect);
  return svg;
}

// A chart shows the most frequent names; its last row opens a hundred of the others at a time.
function drawChart(chart, counts) {
  const most = counts[0][0];
  let rest = counts.reduce((sum, [count]) => sum + count, 0);
  const named = counts.filter(([, name]) => name);
  const body = chart.createTBody();
  const open = number => {
    for (const [count, name] of named.splice(0, number)) {
      const row = add(body, name, [["number", format(count)], ["bar", bar(100 * count / most)]]);
      row.cells[0].className = "text";
      rest -= count;
    }
  };
  open(15);
  if (!rest) return;
  const others = document.createElement("i");
  others.append("all others");
  const button = document.createElement("button");
  button.append(others.cloneNode(true), ": show more");
  const row = add(chart.createTFoot(), named.length ? button : others, [["number", format(rest)], ["", ""]]);
  button.addEventListener("click", () => {
    open(100);
    row.cells[1].textContent = format(rest);
    if (!named.length) button.replaceWith(others);
    if (!rest) chart.tFoot.remove();
  });
}

// The years with the most links, with a cell for each month.
function drawMonths(counts) {
  const years = new Map();
  for (const [count, month] of counts) {
    const [year, number] = [month.slice(0, -3), Number(month.slice(-2))];
    if (!years.has(year)) years.set(year, Array(12).fill(0));
    years.get(year)[number - 1] = count;
  }
  const rows = Array.from(years, ([year, all]) => ({ year, all, total: all.reduce((one, other) => one + other) }));
  rows.sort((a, b) => b.total - a.total).splice(60);
  const mostOfMonth = Math.max(...rows.flatMap(({ all }) => all));
  const mostOfYear = rows[0].total;
  rows.sort((a, b) => collator.compare(a.year, b.year));
  const names = Array.from({ length: 12 }, (_, month) => ["number", String(month + 1).padStart(2, "0")]);
  add(months.createTHead(), "Year", [...names, ["number", "All"], ["", ""]]);
  const body = months.createTBody();
  const level = count => count ? `h${Math.ceil(Math.sqrt(count / mostOfMonth) * 5)}` : "";
  for (const { year, all, total } of rows) {
    const cells = all.map(count => [level(count), count ? format(count) : ""]);
    add(body, year, [...cells, ["", format(total)], ["bar", bar(100 * total / mostOfYear)]]);
  }
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
  for (const chart of charts) drawChart(chart, counts(data.shift()));
  if (months) drawMonths(counts(data.shift()));
  if (table) {
    const rows = data[0];
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
