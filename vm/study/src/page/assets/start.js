// The head of the page, its settings, and the order in which panels are drawn.
// In: everything above. Invariant: a panel that fails says so in its place, and the others are drawn.

/** Seconds since 1970 as a date; some are none. */
function dateOf(seconds) {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? "at an unknown time" : `${date.toISOString().replace(/:\d\d\..*/, "").replace("T", " ")} UTC`;
}

function drawHead() {
  const { run } = DATA;
  byId("facts").textContent = `${run.program}, ${dateOf(run.date)}, ${run.host}, policy ${run.policy}${run.status === null ? ", the run was killed" : run.status ? `, exit status ${run.status}` : ""}`;
  byId("made").textContent = run.holloway;
  byId("nav").replaceChildren(...[...document.querySelectorAll("main > section[data-name]")].filter((section) => !section.hidden).map((section) =>
    el("button", { type: "button", click: () => { section.scrollIntoView(); section.querySelector("h2").setAttribute("tabindex", "-1"); section.querySelector("h2").focus({ preventScroll: true }); } }, section.dataset.name)));
  for (const node of document.querySelectorAll("[data-left]")) {
    const names = node.dataset.left.split(" ");
    const texts = DATA.left_out.filter(([panel]) => names.includes(panel)).map(([, text]) => text);
    node.textContent = texts.length ? `Left out, so that the page stays small: ${texts.join(", ")}.` : "";
  }
}

/** Own time by kind of code. */
function byKind() {
  const sums = new Map(KINDS.map((kind) => [kind, 0]));
  DATA.river.bands.forEach((band) => band.series.forEach((series) => {
    const kind = KIND_OF_SERIES(series);
    sums.set(kind, sums.get(kind) + series.micros.reduce((sum, micros) => sum + micros, 0));
  }));
  return [...sums].filter(([, micros]) => micros > 0);
}

function drawSummary() {
  const { run, compilations } = DATA;
  const figure = (value, name) => el("div", { class: "figure" }, el("b", {}, value), el("span", {}, name));
  const threads = compilations.threads;
  byId("figures").replaceChildren(
    figure(time(run.cpu), "CPU time of the program's thread"),
    figure(run.samples ? percent(run.sampled / run.cpu) : "none", `of it sampled, ${count(run.samples, "sample")}`),
    figure(count(run.counts.compilations), "compilations by decision"),
    figure(threads ? percent(threads.compiling / threads.all) : "-", "of all CPU time is compilation"),
    figure(count(run.counts.profiles), "profiles of loops"),
    figure(count(run.counts.dropped), "versions invalidated"));
  const kinds = byKind();
  const all = kinds.reduce((sum, [, micros]) => sum + micros, 0);
  if (all) {
    byId("figures").after(el("div", { class: "shares", role: "img", "aria-label": kinds.map(([kind, micros]) => `${kind} ${percent(micros / all)}`).join(", ") }, kinds.map(([kind, micros]) => el("i", { class: `back k-${kind}`, style: `width: ${((micros / all) * 100).toFixed(2)}%` }))),
      el("p", { class: "legend" }, kinds.map(([kind, micros]) => el("span", {}, swatch(kind), `${kind} ${percent(micros / all)}`))));
  }
  if (DATA.compare) byId("findings").append(el("h3", {}, "The other run"), firstDifference(DATA.compare.first));
  if (DATA.findings.length) byId("findings").append(el("h3", {}, "What could be gained at most"), el("ol", {}, DATA.findings.slice(0, 6).map((finding) => el("li", {}, el("b", {}, time(finding.micros)), el("span", {}, finding.what, " ", el("code", { class: "muted" }, finding.look))))));
}

function drawSettings() {
  const { run } = DATA;
  const json = (name, value) => el("details", {}, el("summary", {}, name), el("pre", {}, JSON.stringify(value, null, 2)));
  byId("settings-body").replaceChildren(pairs([["program", [run.program, ...run.args].join(" ")], ["version of Holloway", run.holloway], ["samples a second", run.hz], ["samples lost", run.lost || null], ["time outside of the program", time(run.outside)]]), json("Settings of the adaptive system", run.settings), json("Calibration", run.calibration));
}

/** What the button says: the look that it leads to. */
function themeButton() {
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const button = byId("theme");
  const name = () => { button.textContent = isDark() ? "☀ Light" : "☾ Dark"; };
  button.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; name(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  name();
}

/** Draws a panel; if it cannot be drawn, its place says why, and the error is in the console. */
function guarded(place, draw) {
  try {
    draw();
  } catch (error) {
    console.error(error);
    byId(place).replaceChildren(el("p", { class: "bad" }, `This panel could not be drawn: ${error.message}`));
  }
}

const WIDTHS = [["river-plot", drawRiver], ["paths-plot", drawPaths], ["gains-plot", drawGains], ["guards-plot", drawGuards], ["compilation-plot", drawCompilation], ["stacks-plot", drawStacks]];

function drawAll() {
  WIDTHS.forEach(([place, draw]) => guarded(place, draw));
}

chooseFrom(location.hash);
guarded("compare-first", drawComparison);
guarded("facts", drawHead);
guarded("figures", drawSummary);
guarded("settings-body", drawSettings);
themeButton();
guarded("river-plot", riverTools);
guarded("decisions-list", decisionTools);
guarded("decisions-list", decisionKeys);
guarded("stacks-plot", stackTools);
guarded("chips", showChips);

// What is at the top is drawn at once, the rest a moment later, so that the page opens soon however much it has.
const AT_ONCE = [["river-plot", drawRiver], ["paths-plot", drawPaths], ["paths-detail", drawPathDetail], ["decisions-list", drawDecisions]];
const LATER = [["gains-plot", drawGains], ["guards-plot", drawGuards], ["compilation-threads", drawThreads], ["compilation-plot", drawCompilation], ["compilation-table", drawCompilationTable], ["compilation-calls", drawCalls], ["stacks-plot", drawStacks], ["stacks-table", drawFunctionTable], ["code-panes", drawCode]];
// Drawn again when another function or version is chosen.
const OF_FUNCTION = [["gains-plot", drawGains], ["compilation-table", drawCompilationTable], ["compilation-calls", drawCalls], ["stacks-plot", drawStacks], ["stacks-table", drawFunctionTable], ["compare-first", drawComparison]];
AT_ONCE.forEach(([place, draw]) => guarded(place, draw));

function drawLater() {
  const next = LATER.shift();
  if (!next) return;
  guarded(next[0], next[1]);
  setTimeout(drawLater);
}

/** All that has not been drawn yet: somebody chooses something, or prints. */
function drawRest() {
  while (LATER.length) guarded(...LATER.shift());
}

requestAnimationFrame(() => setTimeout(drawLater));

whenChosen((changed) => {
  drawRest();
  const has = (...names) => names.some((name) => changed.includes(name));
  if (has("function", "from", "to", "path")) guarded("paths-plot", drawPaths);
  if (has("function", "from", "to")) {
    guarded("river-plot", drawRiver);
    guarded("guards-plot", drawGuards);
  }
  if (has("function", "from", "to", "decision")) guarded("decisions-list", drawDecisions);
  if (has("path")) guarded("paths-detail", drawPathDetail);
  if (has("function", "version")) OF_FUNCTION.forEach(([place, draw]) => guarded(place, draw));
  guarded("code-panes", () => codeChanged(changed));
});
addEventListener("hashchange", () => {
  if (location.hash === address()) return;
  chooseFrom(location.hash);
  tellAll(Object.keys(chosen));
});
addEventListener("keydown", (event) => { if (event.key === "Escape") { hideTip(); if (chosen.from !== null) choose({ from: null, to: null }); } });

// Panels are as wide as the window: what is drawn is drawn again when that has changed.
let widthBefore = innerWidth;
let waiting = 0;
addEventListener("resize", () => {
  if (innerWidth === widthBefore) return;
  widthBefore = innerWidth;
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(drawAll);
});
addEventListener("beforeprint", () => {
  drawRest();
  document.querySelectorAll("details.how").forEach((node) => { node.open = false; });
});
