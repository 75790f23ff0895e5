// Source and machine code side by side.
// In: `sources`, `lines`, `code` of the data. Invariant: lines of both belong together by function and line, whichever version it is.

let sourceShown = null;
const linked = new Map();

/** The own time of each line of a file: of all versions, or of one. */
function lineTimes(file, version) {
  const times = new Map();
  for (const [of, line, in_version, own] of DATA.lines) {
    if (DATA.functions[of].file !== file || (version !== null && in_version !== version)) continue;
    times.set(line, (times.get(line) || 0) + own);
  }
  return times;
}

/** Guard failures of each line of a file. */
function lineFailures(file) {
  const failures = new Map();
  DATA.guards.lines.filter((row) => row.file === file).forEach((row) => failures.set(row.line, (failures.get(row.line) || 0) + row.failures));
  return failures;
}

/** The function whose code is shown: the one that is chosen, or the hottest. */
const codeFunction = () => chosen.function ?? 0;

/** Versions of the function that have a listing. */
function listedVersions() {
  return DATA.code.map((code) => code.version).filter((version) => DATA.versions[version].function === codeFunction());
}

/** The versions that are shown: those that are chosen, or the hottest. */
function shownVersions() {
  const listed = listedVersions();
  const first = chosen.version !== null && DATA.versions[chosen.version].function === codeFunction() ? chosen.version : listed[0] ?? null;
  return [first, chosen.second !== null && chosen.second !== first ? chosen.second : null];
}

function drawCode() {
  linked.clear();
  const versions = shownVersions().filter((version) => version !== null);
  const panes = byId("code-panes");
  panes.classList.toggle("three", versions.length > 1);
  panes.replaceChildren(sourcePane(), ...versions.map(assemblyPane));
  if (!versions.length) panes.append(el("div", { class: "pane" }, el("p", { class: "muted", style: "padding: .5rem .7rem" }, "No machine code of this function was kept: it is inlined wherever it runs, or its listing did not fit.")));
  codeTools();
  markLines();
  scrollToChosen();
}

function sourcePane() {
  const of = DATA.functions[codeFunction()];
  const named = chosen.path !== null ? DATA.episodes[chosen.path].file : chosen.line ? chosen.line.file : null;
  const file = named && DATA.sources.some((source) => source.file === named) ? named : of ? of.file : DATA.sources[0]?.file;
  sourceShown = file;
  const source = DATA.sources.find((found) => found.file === file);
  const body = el("div", { class: "text src", tabindex: 0, role: "region", "aria-label": `Source of ${file}` });
  if (!source) body.append(el("p", { class: "muted", style: "padding: .5rem .7rem" }, "The text of this file did not fit."));
  const times = lineTimes(file, chosen.version);
  const most = Math.max(1e-9, ...times.values());
  const failures = lineFailures(file);
  (source ? source.text.split("\n") : []).forEach((text, at) => {
    const number = at + 1;
    const own = times.get(number) || 0;
    const isOut = of && of.file === file && (number < of.line || number > of.last_line) && !own;
    const failed = failures.get(number);
    const row = codeRow(file, number, cell("t", own ? time(own) : "", own / most), cell("n", String(number)), cell("g", failed ? "▲" : ""), cell("", text || " "));
    if (isOut) row.classList.add("out");
    if (failed) row.title = `${count(failed)} failures of guards here`;
    body.append(row);
  });
  linkRows(body);
  return el("div", { class: "pane" }, el("h3", { title: file }, `${file ? shortFile(file) : "no source"}, own time ${chosen.version === null ? "in all versions" : `in ${DATA.versions[chosen.version].name}`}`), body);
}

function assemblyPane(version) {
  const code = DATA.code.find((found) => found.version === version);
  const facts = DATA.versions[version];
  const body = el("div", { class: "text asm", tabindex: 0, role: "region", "aria-label": `Machine code of ${facts.name}` });
  if (!code) body.append(el("p", { class: "muted", style: "padding: .5rem .7rem" }, "The listing of this version did not fit, or was not kept."));
  const heat = new Map();
  for (const [of, line, in_version, own] of DATA.lines) if (in_version === version) heat.set(`${of}:${line}`, own);
  const most = Math.max(1e-9, ...heat.values());
  let before = "";
  for (const [offset, text, depth, of, line, note] of code ? code.instructions : []) {
    const key = of === null ? "" : `${of}:${line}`;
    const own = heat.get(key) || 0;
    const place = key && key !== before ? `${of === facts.function ? "" : `${cut(DATA.functions[of].name, 8)} `}${line}` : "";
    before = key;
    const words = cell("", `${"  ".repeat(Math.min(depth, 8))}${text}`);
    if (note) words.append(cell("note", `  ; ${note}`));
    const row = codeRow(of === null ? null : DATA.functions[of].file, line, cell("n", place.length > 5 ? String(line) : place, own / most), cell("o", offset.toString(16).padStart(4, "0")), words);
    if (of !== null && of !== facts.function) row.title = `inlined: ${DATA.functions[of].label}, line ${line}`;
    if (own > 0 && (!body.hottest || own > body.hottest.own || (own === body.hottest.own && depth > body.hottest.depth))) body.hottest = { row, own, depth };
    body.append(row);
  }
  linkRows(body);
  const words = `${facts.name}: ${time(facts.own)}, ${count(facts.bytes)} bytes, ${facts.left}`;
  return el("div", { class: `pane k-${facts.tier}` }, el("h3", { title: words }, swatch(facts.tier), " ", words), body);
}

/** A cell of a row: there are many, so they are made by hand. */
function cell(name, text, heat) {
  const node = document.createElement("span");
  if (name) node.className = name;
  if (heat) {
    node.style.backgroundColor = `rgba(var(--heat), ${(0.12 + 0.7 * heat).toFixed(2)})`;
    node.style.color = "var(--ink)";
  }
  node.textContent = text;
  return node;
}

/** A row, which belongs to a line if one is named. */
function codeRow(file, line, ...cells) {
  const row = document.createElement("div");
  row.className = "ln";
  row.append(...cells);
  if (file !== null) {
    row.place = { file, line };
    const key = `${file}:${line}`;
    if (!linked.has(key)) linked.set(key, []);
    linked.get(key).push(row);
  }
  return row;
}

/** Lights all that belongs to a line while the pointer is on a part of it, and keeps it when it is clicked. */
function linkRows(body) {
  const rowsOf = (place) => (place ? linked.get(`${place.file}:${place.line}`) || [] : []);
  const placeAt = (event) => event.target.closest(".ln")?.place;
  body.addEventListener("pointerover", (event) => rowsOf(placeAt(event)).forEach((row) => row.classList.add("same")));
  body.addEventListener("pointerout", (event) => rowsOf(placeAt(event)).forEach((row) => row.classList.remove("same")));
  body.addEventListener("click", (event) => {
    const place = placeAt(event);
    if (!place) return;
    const isOn = chosen.line && chosen.line.file === place.file && chosen.line.line === place.line;
    keepsScroll = true;
    choose({ line: isOn ? null : place });
    keepsScroll = false;
    if (!isOn) scrollOthers(`${place.file}:${place.line}`, body);
  });
  return body;
}

let keepsScroll = false;

/** Marks the line that is chosen, and the lines of the path. */
function markLines() {
  const path = chosen.path === null ? null : DATA.episodes[chosen.path];
  const lit = new Set(path ? path.lines : []);
  for (const [key, rows] of linked) {
    const at = key.lastIndexOf(":");
    const [file, line] = [key.slice(0, at), Number(key.slice(at + 1))];
    const isKept = Boolean(chosen.line) && chosen.line.file === file && chosen.line.line === line;
    const isLit = Boolean(path) && path.file === file && lit.has(line);
    rows.forEach((row) => { row.classList.toggle("kept", isKept); row.classList.toggle("lit", isLit); });
  }
}

/** Scrolls all panes but one to what belongs to a line. */
function scrollOthers(key, pane) {
  const seen = new Set([pane]);
  for (const row of linked.get(key) || []) {
    const body = row.parentElement;
    if (!body || seen.has(body)) continue;
    seen.add(body);
    body.scrollTop = row.offsetTop - body.clientHeight / 3;
  }
}

function scrollToChosen() {
  const key = chosen.line && `${chosen.line.file}:${chosen.line.line}`;
  if (key && linked.has(key)) {
    scrollOthers(key, null);
    return;
  }
  const of = DATA.functions[codeFunction()];
  const first = of && (linked.get(`${of.file}:${of.line}`) || [])[0];
  if (first) first.parentElement.scrollTop = Math.max(0, first.offsetTop - 20);
  // The code of a loop is what one looks for, and much stands in front of it.
  for (const body of document.querySelectorAll("#code-panes .asm")) if (body.hottest) body.scrollTop = Math.max(0, body.hottest.row.offsetTop - body.clientHeight / 3);
}

function codeTools() {
  const [first, second] = shownVersions();
  const hot = DATA.functions.map((of, at) => ({ of, at })).filter(({ of, at }) => at === codeFunction() || of.in_code > 0 || of.own > 0);
  const functions = el("select", { change: (event) => choose({ function: Number(event.target.value), line: null, path: null }) },
    hot.map(({ of, at }) => el("option", { value: at, selected: at === codeFunction() }, `${of.label} (${time(of.own)})`)));
  const name = (version) => `${DATA.versions[version].name} (${time(DATA.versions[version].own)})`;
  const option = (version, isSelected) => el("option", { value: version, selected: isSelected }, name(version));
  const listed = listedVersions();
  const versions = el("select", { change: (event) => choose({ version: Number(event.target.value) }) }, listed.map((version) => option(version, version === first)));
  const others = el("select", { change: (event) => choose({ second: event.target.value === "" ? null : Number(event.target.value) }) },
    el("option", { value: "" }, "none"), listed.filter((version) => version !== first).map((version) => option(version, version === second)));
  put(byId("code-tools"), el("label", {}, "Function ", functions), el("label", {}, "Version ", versions), el("label", {}, "beside it ", others));
}

/** Draws anew only what changes: a listing is long. */
function codeChanged(changed) {
  const file = chosen.path !== null ? DATA.episodes[chosen.path].file : chosen.line ? chosen.line.file : null;
  const needsOther = file !== null && file !== sourceShown && DATA.sources.some((source) => source.file === file);
  if (needsOther || ["function", "version", "second"].some((name) => changed.includes(name))) {
    drawCode();
    return;
  }
  if (!changed.includes("line") && !changed.includes("path")) return;
  markLines();
  if (keepsScroll) return;
  if (chosen.path !== null && changed.includes("path")) {
    const episode = DATA.episodes[chosen.path];
    scrollOthers(`${episode.file}:${episode.line}`, null);
  } else if (chosen.line) scrollToChosen();
}
