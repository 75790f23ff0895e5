// The river: a lane for each hot function and loop over time, marks above it, and the compiler's thread below.
// In: `river`, `marks`, `compilations` and `compare` of the data. Invariant: what is drawn in a moment adds up to all of it.

const KIND_OF_SERIES = (series) => (KINDS.includes(series.tier) ? series.tier : "outside");
const MARK_WORDS = { dropped: "invalidated", guards: "guards failed", osr: "on-stack replacement", installed: "installed", gain: "gain measured", found: "profile looked through", formed: "traces formed", refused: "refused" };
const MARK_ORDER = ["dropped", "guards", "refused", "gain", "formed", "found", "installed", "osr"];
/** Lanes with less than this part of the time are drawn at a third of the height. */
const SMALL = 0.03;

/** Where the keyboard is in the river: a share of the time, and a lane. */
const riverCursor = { share: 0.5, lane: -1 };
const shownMarks = new Set(["dropped", "guards", "refused", "gain", "formed", "found", "installed", "osr"]);

/** The parts of a plot across: what labels take, and what is left. */
function across(plot) {
  const width = Math.max(280, plot.clientWidth);
  const left = width < 620 ? 0 : Math.max(160, Math.min(230, Math.round(width * 0.17)));
  return { width, left, inner: width - left - 2, narrow: left === 0 };
}

function bandName(band) {
  if (band.of === "outside") return "outside of the program";
  if (band.of === "others") return "other functions";
  const name = functionName(band.function);
  return band.loop ? `${name}:${band.loop[1]}` : name;
}

/** Sums a series up in bins of a view: microseconds in each. */
function binned(series, width, view, bins) {
  const sums = new Float64Array(bins);
  const step = (view.to - view.from) / bins;
  for (let at = 0; at < series.at.length; at += 1) {
    const from = series.at[at] * width;
    const to = from + width;
    if (to <= view.from || from >= view.to) continue;
    const rate = series.micros[at] / width;
    const first = Math.max(0, Math.floor((from - view.from) / step));
    const last = Math.min(bins - 1, Math.floor((to - view.from) / step));
    for (let bin = first; bin <= last; bin += 1) {
      const start = view.from + bin * step;
      sums[bin] += rate * Math.max(0, Math.min(to, start + step) - Math.max(from, start));
    }
  }
  return sums;
}

/** The shares of a band's series in a view, and of all of them together. */
function shares(band, view, bins) {
  const step = (view.to - view.from) / bins;
  const series = band.series.map((one) => ({ kind: KIND_OF_SERIES(one), runtime: one.runtime, sums: binned(one, DATA.river.width, view, bins).map((sum) => Math.min(1, sum / step)) }));
  series.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.runtime - b.runtime);
  const all = new Float64Array(bins);
  series.forEach((one) => one.sums.forEach((sum, at) => { all[at] += sum; }));
  return { series, all, peak: all.reduce((most, share) => Math.max(most, share), 0) };
}

/** A filled step line between two heights, in bins; nothing where there is nothing. */
function stepArea(below, above, x, y) {
  let path = "";
  for (let from = 0; from < above.length;) {
    if (above[from] <= below[from]) { from += 1; continue; }
    let to = from;
    while (to < above.length && above[to] > below[to]) to += 1;
    path += `M${x(from).toFixed(1)},${y(above[from]).toFixed(1)}`;
    for (let at = from; at < to; at += 1) path += `V${y(above[at]).toFixed(1)}H${x(at + 1).toFixed(1)}`;
    for (let at = to - 1; at >= from; at -= 1) path += `V${y(below[at]).toFixed(1)}H${x(at).toFixed(1)}`;
    path += "Z";
    from = to;
  }
  return path;
}

function hatch() {
  return svg("defs", {}, svg("pattern", { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { width: 2.2, height: 5, style: "fill: var(--surface)" })));
}

/** Bands of one function after the other, each with its height. */
function lanes(bands, inner, current) {
  const bins = Math.max(20, Math.min(Math.floor(inner / 2), Math.ceil(((current.to - current.from) / DATA.river.width) * 1)));
  const all = bands.map((band) => ({ band, ...shares(band, current, bins) }));
  const peaks = all.reduce((sum, lane) => sum + (lane.band.total < SMALL * DATA.run.sampled ? lane.peak / 3 : lane.peak), 0);
  const unit = Math.max(24, Math.min(110, 470 / Math.max(peaks, 0.01)));
  for (const lane of all) {
    // What has little time is drawn lower: a lane is full where it has all time of the moment.
    lane.unit = lane.band.total < SMALL * DATA.run.sampled ? unit / 3 : unit;
    lane.height = Math.max(13, lane.unit * lane.peak);
  }
  return { bins, all };
}

function drawRiver() {
  const plot = byId("river-plot");
  const { width, left, inner, narrow } = across(plot);
  const current = view();
  if (!DATA.river.bands.length) {
    plot.replaceChildren(el("p", { class: "muted" }, "This run has no samples: runs with --sync-compile, and those that are shorter than a millisecond, have none."));
    return;
  }
  const { bins, all } = lanes(DATA.river.bands, inner, current);
  const x = (micros) => left + ((micros - current.from) / (current.to - current.from)) * inner;
  const binX = (bin) => left + (bin / bins) * inner;
  const picture = svg("svg", { tabindex: 0, role: "application", "aria-label": "CPU time of functions and loops over time, by kind of code; arrows move the cursor" }, hatch());
  let top = 4;
  const seen = new Set();
  for (const lane of all) {
    const isFirst = lane.band.of === "function" && !seen.has(lane.band.function);
    if (isFirst) seen.add(lane.band.function);
    const marks = isFirst ? marksOf(lane.band.function, current, x) : [];
    if (isFirst) top += 3;
    if (narrow) top += 15;
    if (marks.length) top += 12;
    Object.assign(lane, { top, isFirst, markRoom: marks.length ? 12 : 0 });
    drawLane(picture, lane, { left, inner, narrow, binX, bins });
    drawGhost(picture, lane, { current, x });
    if (marks.length) picture.append(svg("g", { transform: `translate(0 ${top - 8})` }, marks));
    top += lane.height + 3;
  }
  top = drawCompiler(picture, { left, inner, narrow, x, top: top + 6, current });
  picture.append(timeAxis(current, left, inner, top, top));
  withAttributes(picture, { viewBox: `0 0 ${width} ${top + 20}`, width, height: top + 20 });
  followPointer(picture, { all, current, left, inner, bins, height: top });
  put(plot, picture);
}

function drawLane(picture, lane, { left, inner, narrow, binX, bins }) {
  const base = lane.top + lane.height;
  const y = (share) => base - share * lane.unit;
  const isOn = chosen.function !== null && lane.band.function === chosen.function;
  const isDim = chosen.function !== null && !isOn;
  const group = svg("g", { class: isDim ? "dim" : null });
  group.append(svg("rect", { class: `lane${isOn ? " on" : ""}`, x: 0, y: lane.top - 1, width: left + inner, height: lane.height + 2 }));
  let below = new Float64Array(bins);
  for (const one of lane.series) {
    const above = below.map((share, at) => share + one.sums[at]);
    const path = stepArea(below, above, binX, y);
    group.append(svg("path", { class: `fill k-${one.kind}`, d: path }));
    if (one.runtime) group.append(svg("path", { d: path, style: "fill: url(#hatch)" }));
    below = above;
  }
  group.append(svg("line", { class: "axis", x1: left, x2: left + inner, y1: base, y2: base }));
  const share = percent(lane.band.total / DATA.run.sampled);
  const name = lane.isFirst || !lane.band.loop ? bandName(lane.band) : `↳ loop ${lane.band.loop[1]}`;
  const labelY = narrow ? lane.top - 4 - lane.markRoom : Math.min(base - 3, lane.top + lane.height / 2 + 4);
  const size = lane.height < 16 ? "small" : "";
  if (narrow) group.append(svg("text", { x: 2, y: labelY, class: size }, `${cut(name, charactersIn(inner - 60))}  ${share}`));
  else {
    group.append(svg("text", { x: left - 52, y: labelY, "text-anchor": "end", class: size }, cut(name, charactersIn(left - 54))));
    group.append(svg("text", { x: left - 8, y: labelY, "text-anchor": "end", class: `quiet ${size}` }, share));
  }
  picture.append(group);
}

/** The second run's share of a lane, as a dashed line. */
function drawGhost(picture, lane, { current, x }) {
  const other = DATA.compare;
  if (!other || lane.band.of !== "function") return;
  const line = lane.band.loop ? lane.band.loop[1] : null;
  const ghost = other.bands.find((band) => band.function === lane.band.function && band.loop === line);
  if (!ghost) return;
  const base = lane.top + lane.height;
  let path = "";
  let before = -2;
  ghost.at.forEach((column, at) => {
    const from = column * other.width;
    const to = from + other.width;
    if (to < current.from || from > current.to) return;
    const y = base - Math.min(lane.height, Math.min(1, ghost.micros[at] / other.width) * lane.unit);
    path += column === before + 1 && path ? `V${y.toFixed(1)}` : `M${x(Math.max(from, current.from)).toFixed(1)},${y.toFixed(1)}`;
    path += `H${x(Math.min(to, current.to)).toFixed(1)}`;
    before = column;
  });
  picture.append(svg("path", { class: "ghost", d: path }));
}

/** The marks of a function, those that would cover each other as one. */
function marksOf(of, current, x) {
  const own = DATA.marks.filter((mark) => mark.function === of && shownMarks.has(mark.kind) && mark.time >= current.from && mark.time <= current.to);
  const groups = [];
  for (const mark of own) {
    const at = x(mark.time);
    const last = groups[groups.length - 1];
    if (last && at - last.at < 7) last.marks.push(mark);
    else groups.push({ at, marks: [mark] });
  }
  return groups.map(({ at, marks }) => {
    const worst = [...marks].sort((a, b) => MARK_ORDER.indexOf(a.kind) - MARK_ORDER.indexOf(b.kind))[0];
    const node = svg("path", { class: `mark mark-gap link ${worst.kind}`, d: markShape(worst.kind, at), tabindex: -1, role: "button", "aria-label": worst.text });
    withTip(node, () => marks.slice(0, 8).map((mark) => el("p", {}, el("b", {}, `${time(mark.time)} ${MARK_WORDS[mark.kind]}: `), mark.text)).concat(marks.length > 8 ? [el("p", { class: "muted" }, `${marks.length - 8} more`)] : []));
    return withAction(node, (event) => {
      event.stopPropagation();
      const line = worst.loop ? { file: DATA.functions[of].file, line: worst.loop } : chosen.line;
      choose({ function: of, version: worst.version, line });
    });
  });
}

function markShape(kind, x) {
  const r = 4.5;
  if (kind === "dropped" || kind === "refused") return `M${x - r},${-r}l${r},${r - 1.4}l${r},${1.4 - r}l1.4,1.4l${1.4 - r},${r - 0.6}l${r - 1.4},${r - 0.6}l-1.4,1.4l${-r},${1.4 - r}l${-r},${r - 1.4}l-1.4,-1.4l${r - 1.4},${0.6 - r}l${1.4 - r},${0.6 - r}z`;
  if (kind === "guards") return `M${x},${-r}L${x + r},${r}L${x - r},${r}Z`;
  if (kind === "osr") return `M${x - r},${-r + 1}L${x + r},0L${x - r},${r - 1}Z`;
  if (kind === "found" || kind === "gain") return `M${x},${-r}L${x + r},0L${x},${r}L${x - r},0Z`;
  return `M${x - 3.5},${-3.5}h7v7h-7z`;
}

/** Compilations on the compiler's thread: each as long as it took, up to when it ended. */
function drawCompiler(picture, { left, inner, narrow, x, top, current }) {
  const rows = DATA.compilations.all.filter((row) => row.ended >= current.from && row.ended - row.micros <= current.to);
  if (!rows.length) return top;
  const start = narrow ? top + 15 : top;
  picture.append(svg("text", { class: "quiet", x: narrow ? 2 : left - 8, y: narrow ? start - 4 : start + 10, "text-anchor": narrow ? "start" : "end" }, "compiled"));
  for (const row of rows) {
    const from = Math.max(x(row.ended - row.micros), left);
    const bar = svg("rect", { class: `fill link k-${row.plan}`, x: from, y: start, width: Math.max(1.5, Math.min(x(row.ended), left + inner) - from), height: 12, rx: 1.5 });
    withTip(bar, () => [el("b", {}, `${functionName(row.function, row.name)}: ${row.plan}`), pairs([["compiled in", time(row.micros)], ["expected", time(row.estimate)], ["thread", row.thread], ["because", row.why]])]);
    picture.append(withAction(bar, (event) => { event.stopPropagation(); choose({ function: row.function, version: row.version }); }));
  }
  return start + 16;
}

/** The cursor, the tip, zooming by a drag, and the keyboard. */
function followPointer(picture, { all, current, left, inner, bins, height }) {
  const cursor = svg("line", { class: "cursor", y1: 0, y2: height, visibility: "hidden" });
  const brush = svg("rect", { class: "brush", y: 0, height, visibility: "hidden" });
  picture.append(cursor, brush);
  let began = null;
  const atX = (clientX) => {
    const box = picture.getBoundingClientRect();
    return Math.max(0, Math.min(1, ((clientX - box.left) * (picture.viewBox.baseVal.width / box.width) - left) / inner));
  };
  const laneAt = (clientY) => {
    const y = clientY - picture.getBoundingClientRect().top;
    return all.find((lane) => y >= lane.top - 2 && y <= lane.top + lane.height + 2);
  };
  const point = (share, clientX, clientY, lane) => {
    const bin = Math.min(bins - 1, Math.floor(share * bins));
    const at = left + share * inner;
    withAttributes(cursor, { x1: at, x2: at, visibility: "visible" });
    showTip(clientX, clientY, riverTip(all, bin, bins, current, lane));
  };
  picture.addEventListener("pointermove", (event) => {
    if (event.target.classList.contains("link") && began === null) return;
    const share = atX(event.clientX);
    if (began !== null) withAttributes(brush, { x: left + Math.min(began, share) * inner, width: Math.abs(share - began) * inner, visibility: "visible" });
    point(share, event.clientX, event.clientY, laneAt(event.clientY));
  });
  picture.addEventListener("pointerleave", () => { hideTip(); cursor.setAttribute("visibility", "hidden"); });
  picture.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target.classList.contains("link")) return;
    began = atX(event.clientX);
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointercancel", () => { began = null; brush.setAttribute("visibility", "hidden"); });
  picture.addEventListener("pointerup", (event) => {
    if (began === null) return;
    const [from, to] = [Math.min(began, atX(event.clientX)), Math.max(began, atX(event.clientX))];
    began = null;
    brush.setAttribute("visibility", "hidden");
    hideTip();
    if ((to - from) * inner > 6) zoomTo(current.from + from * (current.to - current.from), current.from + to * (current.to - current.from));
    else chooseLane(laneAt(event.clientY));
  });
  picture.addEventListener("keydown", (event) => {
    if (event.target !== picture) return;
    const length = current.to - current.from;
    const middle = current.from + riverCursor.share * length;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const laneStep = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) riverCursor.share = Math.max(0, Math.min(1, riverCursor.share + (step * (event.shiftKey ? 10 : 1)) / bins));
    else if (laneStep) riverCursor.lane = Math.max(0, Math.min(all.length - 1, riverCursor.lane + laneStep));
    else if (event.key === "+" || event.key === "=") zoomTo(middle - length / 4, middle + length / 4);
    else if (event.key === "-") zoomTo(middle - length, middle + length);
    else if (event.key === "0") choose({ from: null, to: null });
    else if (event.key === "Enter") chooseLane(all[Math.max(0, riverCursor.lane)]);
    else return;
    event.preventDefault();
    if (!picture.isConnected) return;
    const box = picture.getBoundingClientRect();
    const lane = all[Math.max(0, riverCursor.lane)];
    point(riverCursor.share, box.left + left + riverCursor.share * inner, box.top + lane.top, lane);
  });
  picture.addEventListener("blur", hideTip);
}

function chooseLane(lane) {
  if (!lane || lane.band.of !== "function") return;
  const found = lane.band.loop;
  choose({ function: lane.band.function, line: found ? { file: DATA.functions[found[0]].file, line: found[1] } : null });
}

function zoomTo(from, to) {
  const end = endOfTime();
  const least = Math.max(50, DATA.river.width * 2);
  if (to - from < least) [from, to] = [(from + to - least) / 2, (from + to + least) / 2];
  [from, to] = [Math.max(0, from), Math.min(end, to)];
  choose(from <= 0 && to >= end ? { from: null, to: null } : { from, to });
}

function riverTip(all, bin, bins, current, pointed) {
  const step = (current.to - current.from) / bins;
  const from = current.from + bin * step;
  const rows = all.filter((lane) => lane.all[bin] > 0.004).sort((a, b) => b.all[bin] - a.all[bin]).slice(0, 9).map((lane) => {
    const parts = lane.series.filter((one) => one.sums[bin] > 0.004).map((one) => el("span", {}, swatch(one.kind, one.runtime ? "hatched" : null), ` ${percent(one.sums[bin])} `));
    return el("tr", {}, el("td", { class: "l" }, lane === pointed ? el("b", {}, bandName(lane.band)) : bandName(lane.band)), el("td", {}, percent(lane.all[bin])), el("td", { class: "l" }, parts));
  });
  return [el("p", { class: "muted" }, `${time(from)} to ${time(from + step)}`), el("table", {}, rows)];
}

function riverTools() {
  const kinds = el("div", { class: "legend" }, KINDS.slice(0, 4).map((kind) => el("span", {}, swatch(kind), kind)), el("span", {}, swatch("optimized", "hatched"), "the runtime, for such code"), el("span", {}, swatch("outside"), "outside"));
  if (DATA.compare) kinds.append(el("span", {}, "- - -", " the other run"));
  const zoom = (factor) => () => {
    const { from, to } = view();
    const half = ((to - from) * factor) / 2;
    zoomTo((from + to) / 2 - half, (from + to) / 2 + half);
  };
  const buttons = [["Zoom in", zoom(0.5)], ["Zoom out", zoom(2)], ["All", () => choose({ from: null, to: null })]].map(([name, act]) => el("button", { type: "button", click: act }, name));
  const present = MARK_ORDER.filter((kind) => DATA.marks.some((mark) => mark.kind === kind));
  const marks = present.map((kind) => el("button", { type: "button", "aria-pressed": true, click: (event) => {
    const isOn = !shownMarks.has(kind);
    if (isOn) shownMarks.add(kind); else shownMarks.delete(kind);
    event.currentTarget.setAttribute("aria-pressed", isOn);
    drawRiver();
  } }, svg("svg", { width: 12, height: 12, viewBox: "-6 -6 12 12", style: "display:inline-block;vertical-align:-1px" }, svg("path", { class: `mark ${kind}`, d: markShape(kind, 0) })), ` ${MARK_WORDS[kind]}`));
  byId("river-tools").replaceChildren(...buttons, kinds);
  if (marks.length) byId("river-tools").after(el("div", { class: "tools marks" }, el("span", { class: "muted" }, "Marks:"), marks));
}
