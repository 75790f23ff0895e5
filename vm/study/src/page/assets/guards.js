// Failing guards by source line over time, and the share of iterations that failed of each specialized loop.
// In: `guards` of the data. Invariant: a block is the time between two reports about a version.

function drawGuards() {
  const plot = byId("guards-plot");
  const { lines, reports } = DATA.guards;
  if (!reports.length) {
    plot.replaceChildren(el("p", { class: "muted" }, "No guard was reported on: no loop was specialized, or none of its guards failed."));
    return;
  }
  const { width, left, inner, narrow } = across(plot);
  const current = view();
  const x = (micros) => left + ((Math.max(current.from, Math.min(current.to, micros)) - current.from) / (current.to - current.from)) * inner;
  const picture = svg("svg", { role: "group", "aria-label": "Guard failures over time" });
  let top = 2;
  const label = (text, y) => picture.append(svg("text", { x: narrow ? 2 : left - 8, y: narrow ? y - 4 : y + 13, "text-anchor": narrow ? "start" : "end" }, cut(text, charactersIn(narrow ? inner : left - 8))));
  const rows = grouped(lines, guardName, (row) => row.failures).slice(0, 24);
  const rate = (row) => (row.failures / Math.max(1, row.to - row.from)) * 1e3;
  const most = Math.max(1e-9, ...lines.map(rate));
  for (const { key, rows: own, sum } of rows) {
    if (narrow) top += 15;
    label(narrow ? `${key}, ${count(sum)} failures` : key, top);
    for (const row of own.filter((one) => one.to >= current.from && one.from <= current.to)) {
      const block = svg("rect", { class: "link", x: x(row.from), y: top, width: Math.max(2, x(row.to) - x(row.from) - 1), height: 17, rx: 2, style: "fill: var(--bad)", "fill-opacity": (0.12 + 0.88 * Math.sqrt(rate(row) / most)).toFixed(2), tabindex: -1, role: "button", "aria-label": `${count(row.failures)} failures` });
      withTip(block, () => [el("b", {}, key), pairs([["time", `${time(row.from)} to ${time(row.to)}`], ["when", row.arm], ["leads to", row.leads_to ? `line ${row.leads_to}` : null], ["instead of", row.instead_of ? `line ${row.instead_of}` : null], ["failures", count(row.failures)], ["in a millisecond", digits(rate(row))], ["version", row.version === null ? null : DATA.versions[row.version].name]])]);
      picture.append(withAction(block, () => choose({ function: row.function, version: row.version, line: { file: row.file, line: row.line } })));
    }
    top += 21;
  }
  top += 8;
  for (const { rows: own } of grouped(reports, (row) => `${row.function}:${row.line}`, (row) => row.failures).slice(0, 12)) {
    if (narrow) top += 15;
    label(`${functionName(own[0].function, "")}:${own[0].line}, share`, top);
    for (const row of own.filter((one) => one.to >= current.from && one.from <= current.to)) {
      const height = Math.max(2, 17 * Math.min(1, row.rate));
      const block = svg("rect", { class: "link", x: x(row.from), y: top + 17 - height, width: Math.max(2, x(row.to) - x(row.from) - 1), height, style: `fill: ${row.rate > row.break_even ? "var(--bad)" : "var(--specialized)"}`, tabindex: -1, role: "button", "aria-label": `${percent(row.rate)} failed` });
      withTip(block, () => [el("b", {}, row.version === null ? "" : DATA.versions[row.version].name), pairs([["time", `${time(row.from)} to ${time(row.to)}`], ["iterations", count(row.iterations)], ["failed", `${count(row.failures)}, ${percent(row.rate)}`], ["costs more than it saves above", percent(row.break_even)]])]);
      picture.append(withAction(block, () => choose({ function: row.function, version: row.version })));
    }
    picture.append(svg("line", { class: "axis", x1: left, x2: left + inner, y1: top + 17, y2: top + 17 }));
    top += 23;
  }
  picture.append(timeAxis(current, left, inner, top, top));
  withAttributes(picture, { viewBox: `0 0 ${width} ${top + 18}`, width, height: top + 18 });
  put(plot, picture);
}

/** A guard by its place, and the line that the arm leads to which was taken instead of the trace's. */
/** A guard by its line and where it leads, with the file only where there are several: labels are short. */
function guardName(row) {
  const isAlone = DATA.guards.lines.every((other) => other.file === row.file);
  const way = row.leads_to ? ` → ${row.leads_to}${row.instead_of ? `, not ${row.instead_of}` : ""}` : "";
  return `${isAlone ? "line " : `${shortFile(row.file)}:`}${row.line}${way}`;
}

/** Rows by a key, those with the greatest sum first. */
function grouped(rows, keyOf, valueOf) {
  const groups = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (!groups.has(key)) groups.set(key, { key, rows: [], sum: 0 });
    const group = groups.get(key);
    group.rows.push(row);
    group.sum += valueOf(row);
  }
  return [...groups.values()].sort((a, b) => b.sum - a.sum);
}
