// Expected and measured gains, a point a version.
// In: `gains` of the data. Invariant: what was not measured is hollow and stands apart.

function drawGains() {
  const plot = byId("gains-plot");
  const points = DATA.gains;
  if (points.every((point) => point.estimated === null)) {
    const why = points.length ? "No gain was estimated, so there is nothing to compare." : "Nothing was expected or measured: no loop was specialized, and none was declined.";
    plot.replaceChildren(el("p", { class: "muted" }, why));
    drawGainTable(points);
    return;
  }
  const width = Math.max(280, plot.clientWidth);
  const [left, right, top] = [46, 12, 10];
  const inner = Math.min(width - left - right, 640);
  const measured = points.filter((point) => point.state === "measured" && point.estimated !== null);
  const height = measured.length ? Math.min(320, Math.max(200, inner * 0.6)) : 0;
  const apart = points.filter((point) => point.state !== "measured" && point.estimated !== null);
  const values = measured.flatMap((point) => [point.measured, ...(point.interval || [])]);
  const low = Math.min(0, ...values, -0.05);
  const high = Math.min(1, Math.max(0.2, ...values, ...measured.map((point) => point.estimated)) + 0.05);
  const widest = Math.min(1, Math.max(0.2, ...points.map((point) => point.estimated ?? 0)) + 0.05);
  const least = Math.min(0, ...points.map((point) => point.estimated ?? 0));
  const x = (gain) => left + ((gain - least) / (widest - least)) * inner;
  const y = (gain) => top + ((high - gain) / (high - low)) * height;
  const strip = top + height + 34;
  const bottom = apart.length ? strip + 44 : top + height;
  const picture = svg("svg", { role: "group", "aria-label": "Expected and measured gains", viewBox: `0 0 ${width} ${bottom + 36}`, width, height: bottom + 36 });
  for (const at of measured.length ? ticks(low, high, 5) : []) {
    picture.append(svg("line", { class: at === 0 ? "axis" : "grid", x1: left, x2: left + inner, y1: y(at), y2: y(at) }), svg("text", { class: "small quiet", x: left - 6, y: y(at) + 4, "text-anchor": "end" }, percent(at)));
  }
  for (const at of ticks(least, widest, Math.max(2, inner / 100))) {
    picture.append(svg("line", { class: "grid", x1: x(at), x2: x(at), y1: top, y2: bottom }), svg("text", { class: "small quiet", x: x(at), y: bottom + 15, "text-anchor": "middle" }, percent(at)));
  }
  const [from, to] = [Math.max(low, least), Math.min(high, widest)];
  if (measured.length) {
    picture.append(svg("line", { class: "axis", x1: x(from), y1: y(from), x2: x(to), y2: y(to), "stroke-width": 1.5 }));
    picture.append(svg("text", { class: "small quiet", x: left + 4, y: top + 10 }, "measured, of the program's time"));
  }
  picture.append(svg("text", { class: "small quiet", x: left + inner / 2, y: bottom + 31, "text-anchor": "middle" }, "expected, of the loop's time"));
  if (apart.length) {
    picture.append(svg("text", { class: "small quiet", x: left, y: strip - 12 }, "not measured: in use above, declined below"), svg("line", { class: "axis", x1: left, x2: left + inner, y1: strip + 18, y2: strip + 18 }));
  }
  for (const point of apart) picture.append(gainPoint(point, x(point.estimated), strip + (point.state === "declined" ? 30 : 6)));
  for (const point of measured) {
    if (point.interval) picture.append(svg("line", { x1: x(point.estimated), x2: x(point.estimated), y1: y(point.interval[0]), y2: y(point.interval[1]), style: "stroke: var(--muted); stroke-width: 2" }));
    picture.append(gainPoint(point, x(point.estimated), y(point.measured)));
  }
  put(plot, picture);
  drawGainTable(points);
}

function gainPoint(point, x, y) {
  const isHollow = point.state !== "measured";
  const isOn = chosen.version !== null ? point.version === chosen.version : chosen.function !== null && point.function === chosen.function;
  const colour = point.state === "measured" && point.measured < 0 ? "var(--bad)" : "var(--specialized)";
  const node = svg("circle", { class: "link", cx: x, cy: y, r: isOn ? 7 : 5, tabindex: 0, role: "button", "aria-label": gainWords(point), style: `fill: ${isHollow ? "var(--surface)" : colour}; stroke: ${isOn ? "var(--ink)" : colour}; stroke-width: 2` });
  withTip(node, () => [el("b", {}, `${functionName(point.function, point.name)}${point.line ? `, loop ${point.line}` : ""}`), el("p", {}, gainWords(point))]);
  return withAction(node, () => choose({ function: point.function, version: point.version }));
}

function gainWords(point) {
  const words = [`at ${time(point.time)}`];
  if (point.estimated !== null) words.push(`expected ${percent(point.estimated)}`);
  if (point.measured !== null) words.push(`measured ${percent(point.measured)}${point.interval ? ` (${percent(point.interval[0])} to ${percent(point.interval[1])}, ${count(point.pairs, "pair")} of turns)` : ""}`);
  else words.push(point.state === "declined" ? `declined: ${point.reason}` : "not measured");
  return words.join(", ");
}

/** What has no place in the picture: no gain was estimated of it. */
function drawGainTable(points) {
  const rows = points.filter((point) => point.estimated === null);
  const words = (point) => `${functionName(point.function, point.name)}${point.line ? `, loop ${point.line}` : ""}: ${gainWords(point)}.`;
  const open = el("details", { class: "how" }, el("summary", {}, `${count(rows.length)} without an estimate, ${rows.filter((point) => point.state === "declined").length} of them declined`), rows.slice(0, 60).map((point) => el("p", {}, words(point))));
  byId("gains-table").replaceChildren(...(rows.length ? [open] : []));
}
