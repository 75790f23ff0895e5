// What is chosen, in all panels at once: a function, a version, a line, a loop's path, and a part of the time.
// In: `choose`. Out: listeners are called, the page's address has it, and chips show it. Invariant: a version that is chosen is one of the
// function that is chosen.

const chosen = { function: null, version: null, second: null, line: null, path: null, decision: null, from: null, to: null };
const listeners = [];

/** Calls a function now, and whenever something else is chosen. */
function whenChosen(listener) {
  listeners.push(listener);
}

/** Chooses: what is not named stays, and `null` chooses nothing. */
function choose(change) {
  const next = { ...change };
  if (next.version !== undefined && next.version !== null && next.function === undefined) {
    next.function = DATA.versions[next.version].function ?? chosen.function;
  }
  if (next.function !== undefined && next.function !== chosen.function && next.version === undefined) {
    next.version = null;
    if (next.second === undefined) next.second = null;
  }
  Object.assign(chosen, next);
  history.replaceState(null, "", address() || location.pathname + location.search);
  tellAll(Object.keys(next));
}

function tellAll(changed) {
  listeners.forEach((listener) => listener(changed));
  showChips();
}

/** What is chosen, as the end of an address: by names, which are the same in the page of another run. */
function address() {
  const parts = [];
  const add = (name, value) => value !== null && value !== undefined && parts.push(`${name}=${encodeURIComponent(value)}`);
  if (chosen.function !== null) add("function", DATA.functions[chosen.function].label);
  if (chosen.version !== null) add("version", DATA.versions[chosen.version].name);
  if (chosen.second !== null) add("second", DATA.versions[chosen.second].name);
  if (chosen.line) add("line", `${chosen.line.file}:${chosen.line.line}`);
  if (chosen.path !== null) add("path", chosen.path);
  if (chosen.decision !== null) add("decision", chosen.decision);
  if (chosen.from !== null) add("time", `${Math.round(chosen.from)}-${Math.round(chosen.to)}`);
  return parts.length ? `#${parts.join("&")}` : "";
}

/** Chooses what an address says, as far as the page has it. */
function chooseFrom(hash) {
  const given = new Map(hash.replace(/^#/, "").split("&").filter((part) => part.includes("=")).map((part) => {
    const at = part.indexOf("=");
    try {
      return [part.slice(0, at), decodeURIComponent(part.slice(at + 1))];
    } catch {
      return ["", ""];
    }
  }));
  const place = (list, is) => {
    const at = list.findIndex(is);
    return at < 0 ? null : at;
  };
  const named = (name) => (given.has(name) ? place(DATA.versions, (found) => found.name === given.get(name)) : null);
  const [first, second] = [named("version"), named("second")];
  const givenFunction = given.has("function") ? place(DATA.functions, (found) => found.label === given.get("function")) : null;
  const of = givenFunction ?? (first === null ? null : DATA.versions[first].function ?? null);
  // A version of another function is let go.
  const ofFunction = (version) => (version !== null && of !== null && DATA.versions[version].function === of ? version : null);
  const number = (name, list) => {
    const at = given.has(name) ? Number(given.get(name)) : NaN;
    return Number.isInteger(at) && at >= 0 && at < list.length ? at : null;
  };
  const line = /^(.*):(\d+)$/.exec(given.get("line") || "");
  const part = /^(\d+)-(\d+)$/.exec(given.get("time") || "");
  const isPart = part && Number(part[1]) < Number(part[2]) && Number(part[1]) < DATA.run.end;
  Object.assign(chosen, {
    function: of,
    version: ofFunction(first),
    second: ofFunction(second),
    line: line ? { file: line[1], line: Number(line[2]) } : null,
    path: number("path", DATA.episodes),
    decision: number("decision", DATA.decisions),
    from: isPart ? Number(part[1]) : null,
    to: isPart ? Math.min(Number(part[2]), endOfTime()) : null,
  });
}

/** The end of the time axis: that of the longer run, if there are two. */
function endOfTime() {
  return Math.max(DATA.run.end, DATA.compare ? DATA.compare.end : 0);
}

/** The part of the time that is shown. */
function view() {
  return chosen.from === null ? { from: 0, to: endOfTime() } : { from: chosen.from, to: chosen.to };
}

function showChips() {
  const chips = [];
  const chip = (text, change) => chips.push(el("button", { type: "button", class: "chip", title: "Let it go", click: () => choose(change) }, text, " ×"));
  if (chosen.function !== null) chip(`function ${functionName(chosen.function)}`, { function: null, version: null, second: null });
  if (chosen.version !== null) chip(`version ${DATA.versions[chosen.version].name}`, { version: null });
  if (chosen.line) chip(`line ${shortFile(chosen.line.file)}:${chosen.line.line}`, { line: null });
  if (chosen.path !== null) chip(`path of the loop at line ${DATA.episodes[chosen.path].line}`, { path: null });
  if (chosen.from !== null) chip(`${time(chosen.from)} to ${time(chosen.to)}`, { from: null, to: null });
  byId("chips").replaceChildren(...(chips.length ? chips : [el("span", { class: "muted" }, "Nothing is chosen. What you choose in one panel is chosen in all.")]));
}
