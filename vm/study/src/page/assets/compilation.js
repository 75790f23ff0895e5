// Compilation: CPU time by thread, the parts of the compiler, and a row for each compilation.
// In: `compilations` of the data. Invariant: times are CPU time; those of parts share it out by elapsed time.

let compilationShown = null;

/** The stage that a part of the compiler belongs to: Cranelift's begin with a capital letter. */
function stageOf(part) {
  if (/^[A-Z]/.test(part)) return "Cranelift";
  return { build: "to SSA", translate: "to Cranelift", rest: "rest", "shorter ones": "rest" }[part] || "passes";
}

/** The parts of some compilations, summed up: stages, each with its parts. */
function stages(rows) {
  const found = new Map();
  for (const row of rows) {
    for (const [part, micros] of row.parts) {
      const name = DATA.compilations.parts[part];
      const stage = stageOf(name);
      if (!found.has(stage)) found.set(stage, { name: stage, micros: 0, parts: new Map() });
      const of = found.get(stage);
      of.micros += micros;
      of.parts.set(name, (of.parts.get(name) || 0) + micros);
    }
  }
  return [...found.values()].sort((a, b) => b.micros - a.micros);
}

const STAGE_COLOURS = { passes: "var(--accent)", Cranelift: "var(--optimized)", "to SSA": "var(--specialized)", "to Cranelift": "var(--profiled)", rest: "var(--baseline)" };

function drawThreads() {
  const threads = DATA.compilations.threads;
  const node = byId("compilation-threads");
  if (!threads) {
    node.replaceChildren(el("p", { class: "muted" }, "The sums of the threads are not known: the run has no end, or counts polls."));
    return;
  }
  const own = Math.max(0, threads.program - threads.compiling_on_program);
  const other = threads.compiling - threads.compiling_on_program;
  const parts = [
    ["the program", own, "var(--baseline)"],
    ["compilation on the program's thread", threads.compiling_on_program, "var(--profiled)"],
    ["the compiler's thread", other, "var(--optimized)"],
    ["other threads", Math.max(0, threads.all - own - threads.compiling), "var(--outside)"],
  ].filter(([, micros]) => micros > 0);
  node.replaceChildren(
    el("div", { class: "threads" }, parts.map(([name, micros, colour]) => el("i", { title: `${name}: ${time(micros)}`, style: `width: ${((micros / threads.all) * 100).toFixed(2)}%; background: ${colour}` }))),
    el("p", { class: "legend" }, parts.map(([name, micros, colour]) => el("span", {}, el("i", { class: "swatch", style: `background: ${colour}` }), `${name} ${time(micros)} (${percent(micros / threads.all)})`))));
}

function drawCompilation() {
  const plot = byId("compilation-plot");
  const rows = DATA.compilations.all.filter((row) => compilationShown === null || row === compilationShown);
  const found = stages(rows);
  const all = found.reduce((sum, stage) => sum + stage.micros, 0);
  if (!all) {
    plot.replaceChildren(el("p", { class: "muted" }, DATA.compilations.all.length ? "The parts of this compilation are not known." : "Nothing was compiled by a decision."));
    return;
  }
  const width = Math.max(280, plot.clientWidth);
  const picture = svg("svg", { role: "group", "aria-label": "Parts of the compiler", viewBox: `0 0 ${width} 78`, width, height: 78 });
  const cell = (x, y, wide, name, micros, colour, shade) => {
    const box = svg("rect", { x, y, width: Math.max(0.5, wide - 1), height: 23, rx: 2, style: `fill: ${colour}`, "fill-opacity": shade });
    withTip(box, () => [el("b", {}, name), el("p", {}, `${time(micros)}, ${percent(micros / all)}`)]);
    picture.append(box);
    const room = charactersIn(wide - 8);
    if (room > 3) picture.append(svg("text", { class: "small", x: x + 5, y: y + 16, "pointer-events": "none", style: "paint-order: stroke; stroke: var(--surface); stroke-width: 2.5px" }, cut(name, room)));
  };
  const title = compilationShown ? `${functionName(compilationShown.function, compilationShown.name)}, ${compilationShown.plan}` : `all ${rows.length} compilations`;
  cell(0, 0, width, `${title}: ${time(all)} in parts, ${time(rows.reduce((sum, row) => sum + row.micros, 0))} of CPU time`, all, "var(--line)", 1);
  let x = 0;
  for (const stage of found) {
    const wide = (stage.micros / all) * width;
    cell(x, 26, wide, stage.name, stage.micros, STAGE_COLOURS[stage.name], 0.75);
    let inside = x;
    for (const [name, micros] of [...stage.parts].sort((a, b) => b[1] - a[1])) {
      const own = (micros / all) * width;
      cell(inside, 52, own, name, micros, STAGE_COLOURS[stage.name], 0.45);
      inside += own;
    }
    x += wide;
  }
  plot.replaceChildren(picture);
}

/** The calls of the version that is chosen, or of the hottest that has some. */
function drawCalls() {
  const of = chosen.version ?? DATA.inlining.map((one) => one.version).find((version) => chosen.function === null || DATA.versions[version].function === chosen.function);
  const found = DATA.inlining.find((one) => one.version === of);
  const node = byId("compilation-calls");
  if (!found) {
    node.replaceChildren();
    return;
  }
  const inside = new Map();
  found.calls.forEach((call, at) => {
    const key = call.within ?? null;
    inside.set(key, [...(inside.get(key) || []), at]);
  });
  const list = (of_call, depth) => el("ul", { class: "calls" }, (inside.get(of_call) || []).map((at) => {
    const call = found.calls[at];
    const words = call.declined === null ? `inlined, ${count(call.size)} instructions of ${count(call.budget)} left` : `called: ${call.declined}`;
    return el("li", {}, el("b", { class: call.declined === null ? null : "quiet" }, call.callee), ` at line ${call.line}`, el("span", { class: "muted" }, `, ${words}`), depth < 40 && inside.has(at) ? list(at, depth + 1) : null);
  }));
  const inlined = found.calls.filter((call) => call.declined === null).length;
  put(node, el("h3", {}, `Calls in ${DATA.versions[of].name}: ${count(found.calls.length)} of known functions, ${inlined} inlined`), list(null, 0));
}

function drawCompilationTable() {
  const most = Math.max(1, ...DATA.compilations.all.map((row) => row.micros));
  const bar = (row) => el("span", { class: "bar" }, el("i", { class: `back k-${row.plan}`, style: `width: ${((row.micros / most) * 100).toFixed(1)}%` }));
  const columns = [
    { name: "ended", value: (row) => row.ended, show: (row) => time(row.ended) },
    { name: "function", left: true, value: (row) => functionName(row.function, row.name), show: (row) => functionName(row.function, row.name) },
    { name: "code", left: true, value: (row) => row.plan, show: (row) => tag(row.plan) },
    { name: "entered", left: true, value: (row) => row.entry_line || 0, show: (row) => (row.entry_line ? `line ${row.entry_line}` : "by calls") },
    { name: "CPU time", value: (row) => row.micros, show: (row) => time(row.micros) },
    { name: "", value: (row) => row.micros, show: bar },
    { name: "expected", value: (row) => row.estimate, show: (row) => time(row.estimate) },
    { name: "IR", value: (row) => row.ir_size, show: (row) => count(row.ir_size) },
    { name: "bytes", value: (row) => row.code_bytes, show: (row) => count(row.code_bytes) },
    { name: "inlined", value: (row) => row.inlined, show: (row) => (row.inlined ? `${row.inlined}${row.guarded ? ` (${row.guarded} guarded)` : ""}` : "") },
    { name: "version", left: true, value: (row) => (row.version === null ? "" : DATA.versions[row.version].name), show: (row) => (row.version === null ? "" : DATA.versions[row.version].name) },
    { name: "because", left: true, wraps: true, value: (row) => row.why || "", show: (row) => cut(row.why || "", 110) },
  ];
  const isOn = (row) => (chosen.version !== null ? row.version === chosen.version : chosen.function !== null && row.function === chosen.function);
  const node = byId("compilation-table");
  const table = sortedTable(columns, DATA.compilations.all, { by: 4, isOn, act: (row) => {
    compilationShown = compilationShown === row ? null : row;
    choose({ function: row.function, version: row.version });
    drawCompilation();
  } });
  put(node, ...(DATA.compilations.all.length ? [table] : []));
}
