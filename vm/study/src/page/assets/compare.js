// The other run: the first decision that differs, and the time of functions in both.
// In: `compare` of the data. Invariant: a page of one run has no such panel.

function drawComparison() {
  const other = DATA.compare;
  if (!other) {
    byId("compare").hidden = true;
    return;
  }
  const change = DATA.run.cpu > 0 && other.cpu > 0 ? other.cpu / DATA.run.cpu - 1 : null;
  const when = new Date(other.date * 1000).toISOString().slice(0, 16).replace("T", " ");
  const facts = pairs([
    ["the other run", `${[other.program, ...other.args].join(" ")}, ${when}, ${other.policy}`],
    ["CPU time", `${time(DATA.run.cpu)} here, ${time(other.cpu)} there: ${change === null ? "not known" : (change >= 0 ? "+" : "") + percent(change)}`],
    ["versions only here", cut(other.versions[0].join(", ") || "none", 300)],
    ["versions only there", cut(other.versions[1].join(", ") || "none", 300)],
  ]);
  byId("compare-first").replaceChildren(firstDifference(other.first), facts);
  const shown = (micros) => (micros ? time(micros) : "");
  const columns = [
    { name: "function", left: true, value: (row) => row.name, show: (row) => row.name },
    { name: "here", value: (row) => row.own[0], show: (row) => shown(row.own[0]) },
    { name: "there", value: (row) => row.own[1], show: (row) => shown(row.own[1]) },
    { name: "difference", value: (row) => Math.abs(row.own[1] - row.own[0]), show: (row) => `${row.own[1] >= row.own[0] ? "+" : "−"}${time(Math.abs(row.own[1] - row.own[0]))}` },
    { name: "", left: true, value: (row) => row.own[1] - row.own[0], show: differenceBar },
    { name: "function is", left: true, value: (row) => row.match, show: (row) => row.match },
  ];
  put(byId("compare-table"), sortedTable(columns, other.functions, { by: 3, isOn: (row) => chosen.function !== null && row.function === chosen.function, act: (row) => { if (row.function !== null) choose({ function: row.function }); } }));
}

function differenceBar(row) {
  const most = Math.max(1e-9, ...DATA.compare.functions.map((of) => Math.abs(of.own[1] - of.own[0])));
  const wide = (Math.abs(row.own[1] - row.own[0]) / most) * 60;
  const isMore = row.own[1] > row.own[0];
  return svg("svg", { width: 124, height: 12 }, svg("line", { class: "axis", x1: 62, x2: 62, y1: 0, y2: 12 }), svg("rect", { x: isMore ? 62 : 62 - wide, y: 1, width: wide, height: 10, style: `fill: ${isMore ? "var(--bad)" : "var(--specialized)"}` }));
}

function firstDifference(first) {
  if (!first) return el("div", { class: "first" }, el("b", {}, "Both runs decided the same, in the same order, about each function."));
  const side = (name, decision) => el("div", {}, el("span", { class: "muted" }, name), el("p", {}, decision ? `${time(decision.time)}: ${decision.what}` : "nothing more about it"));
  return el("div", { class: "first" }, el("b", {}, `First decision that differs: about ${first.function}, after ${count(first.same, "decision")} alike`),
    el("div", { class: "sides" }, side("here", first.sides[0]), side("there", first.sides[1])));
}
