// The path ribbon: what each profile of a loop found, over the time of the river.
// In: `episodes` of the data. Invariant: the same path has the same colour in every profile of its loop.

/** Colours of paths: none is that of a kind of code. */
const PATH_COLOURS = ["#6a5acd", "#c2548e", "#2f9aa6", "#b0762d", "#7a9a2e", "#b4524a", "#4f7cac", "#8d5bb5", "#3d8f6e", "#a8842c"];

/** A path, whichever iteration it begins with: the least of its rotations. */
function pathKey(episode) {
  const iterations = [];
  for (const line of episode.lines) {
    if (line === episode.line || !iterations.length) iterations.push([]);
    iterations[iterations.length - 1].push(line);
  }
  const texts = iterations.map((lines) => lines.join("-"));
  if (texts.length > 64) return texts.join("/");
  return texts.map((_, at) => [...texts.slice(at), ...texts.slice(0, at)].join("/")).sort()[0] || "";
}

/** Rows: the episodes of each loop, with the time that each is shown for. */
function loopRows() {
  const rows = new Map();
  DATA.episodes.forEach((episode, at) => {
    const name = `${episode.function}|${episode.inlined || ""}|${episode.file}:${episode.line}`;
    if (!rows.has(name)) rows.set(name, { episodes: [], keys: [], first: episode });
    const row = rows.get(name);
    const key = pathKey(episode);
    if (key && !row.keys.includes(key)) row.keys.push(key);
    row.episodes.push({ episode, at, key });
  });
  for (const row of rows.values()) {
    row.episodes.forEach((one, nth) => { one.until = row.episodes[nth + 1] ? row.episodes[nth + 1].episode.began : DATA.run.end; });
  }
  return [...rows.values()];
}

function drawPaths() {
  const plot = byId("paths-plot");
  const rows = loopRows();
  if (!rows.length) {
    plot.replaceChildren(el("p", { class: "muted" }, "No loop was profiled in this run."));
    return;
  }
  const { width, left, inner, narrow } = across(plot);
  const current = view();
  const x = (micros) => left + ((Math.max(current.from, Math.min(current.to, micros)) - current.from) / (current.to - current.from)) * inner;
  const picture = svg("svg", { role: "group", "aria-label": "Profiles of loops over time" }, hatch());
  let top = 2;
  for (const row of rows) {
    if (narrow) top += 15;
    const place = `${row.first.inlined ? row.first.inlined.split(",")[0] : functionName(row.first.function, row.first.name)}:${row.first.line}`;
    picture.append(svg("text", { x: narrow ? 2 : left - 8, y: narrow ? top - 4 : top + 18, "text-anchor": narrow ? "start" : "end", class: chosen.function !== null && chosen.function !== row.first.function ? "dim" : null }, cut(place, charactersIn(narrow ? inner : left - 8))));
    for (const one of row.episodes) {
      if (one.until < current.from || one.episode.began > current.to) continue;
      picture.append(segment(row, one, { x, top }));
    }
    picture.append(svg("line", { class: "axis", x1: left, x2: left + inner, y1: top + 28, y2: top + 28 }));
    top += 33;
  }
  picture.append(timeAxis(current, left, inner, top, top));
  withAttributes(picture, { viewBox: `0 0 ${width} ${top + 18}`, width, height: top + 18 });
  put(plot, picture);
}

function segment(row, { episode, at, key, until }, { x, top }) {
  const colour = key ? PATH_COLOURS[row.keys.indexOf(key) % PATH_COLOURS.length] : "var(--line)";
  const height = Math.max(4, 27 * (episode.coverage ?? 0.15));
  const [from, to] = [x(episode.began), Math.max(x(episode.began) + 3, x(until) - 1.5)];
  const used = episode.installed === null ? null : [x(episode.installed), x(episode.dropped ?? until)];
  const isOn = chosen.path === at;
  const node = svg("g", { class: `link${isOn ? " on" : ""}`, tabindex: 0, role: "button", "aria-pressed": isOn, "aria-label": `${time(episode.began)}: ${episode.found}` });
  node.append(svg("rect", { x: from, y: top + 28 - height, width: to - from, height, style: `fill: ${colour}`, "fill-opacity": episode.formed ? 0.4 : 0.55 }));
  if (!episode.formed) node.append(svg("rect", { x: from, y: top + 28 - height, width: to - from, height, style: "fill: url(#hatch)" }));
  if (used && used[1] > used[0]) node.append(svg("rect", { x: used[0], y: top + 28 - height, width: Math.max(1, used[1] - used[0]), height, style: `fill: ${colour}` }));
  if (episode.dropped !== null && episode.dropped >= view().from && episode.dropped <= view().to) node.append(svg("path", { class: "mark dropped", d: markShape("dropped", x(episode.dropped)), transform: `translate(0 ${top + 14})` }));
  const words = episode.period ? `period ${episode.period}` : episode.way ? `way of ${episode.way}` : episode.untaken.length ? "lines not taken" : "";
  if (words && to - from > words.length * 7 + 8) {
    node.append(svg("text", { class: "small", x: from + 5, y: top + 18, style: "paint-order: stroke; stroke: var(--surface); stroke-width: 3px" }, words));
  }
  withTip(node, () => [el("b", {}, `${time(episode.began)}: ${shortFile(episode.file)}:${episode.line}`), el("p", {}, cut(episode.found, 300)), el("p", {}, outcome(episode))]);
  return withAction(node, () => choose(isOn ? { path: null } : { path: at, function: episode.function, line: { file: episode.file, line: episode.line } }));
}

/** What became of an episode, in words. */
function outcome(episode) {
  const parts = [];
  if (!episode.formed) parts.push(`left general: ${episode.declined || "no trace came of it"}`);
  else {
    parts.push(`made ${episode.formed}, expected to save ${percent(episode.estimated)} of the loop's time`);
    parts.push(episode.measured === null ? "not measured" : `${episode.measured >= 0 ? "saves" : "costs"} ${percent(Math.abs(episode.measured))} of the program's time, as measured`);
    parts.push(episode.dropped === null ? "in use to the end" : `invalidated at ${time(episode.dropped)} (${episode.dropped_for})${episode.failing ? `, when ${percent(episode.failing)} of the iterations failed a guard` : ""}`);
  }
  if (episode.rest_until) parts.push(until(episode.rest_until));
  return `${parts.join("; ")}.`;
}

/** Until when nothing is tried, in words. */
const until = (moment) => (moment > DATA.run.end ? "nothing more was tried" : `nothing more was tried until ${time(moment)}`);

function drawPathDetail() {
  const episode = chosen.path === null ? null : DATA.episodes[chosen.path];
  if (!episode) {
    byId("paths-detail").replaceChildren();
    return;
  }
  const lines = episode.lines.length ? episode.lines.join(" ") : null;
  byId("paths-detail").replaceChildren(el("h3", {}, `${shortFile(episode.file)}:${episode.line}, profile at ${time(episode.began)}`), pairs([
    ["found", episode.found],
    ["lines in order", lines && el("span", { class: "mono" }, cut(lines, 400))],
    ["coverage", episode.coverage === null ? null : `${percent(episode.coverage)} of ${count(episode.iterations)} iterations`],
    ["not reached", episode.untaken.length ? `lines ${episode.untaken.join(" ")}` : null],
    ["then", outcome(episode)],
  ]));
}
