// Call stacks: an icicle that zooms, and a table of functions.
// In: `stacks` and `functions` of the data. Invariant: a frame is as wide as its time, and stands below its caller.

const TREE = DATA.stacks.map(([parent, of, tier, inlined, own, runtime, total], at) => ({ at, parent, function: of, tier, inlined: Boolean(inlined), own, runtime, total, callees: [], depth: 0 }));
const ROOTS = [];
for (const node of TREE) (node.parent === null ? ROOTS : TREE[node.parent].callees).push(node);
let stackTop = null;
let searched = "";

const ROW = 19;

const frameName = (node) => (node.function === null ? (node.tier === "left-out" ? "(frames left out)" : "(others)") : functionName(node.function));

function drawStacks() {
  const plot = byId("stacks-plot");
  if (!TREE.length) {
    plot.replaceChildren(el("p", { class: "muted" }, "No sample fell on the program's code."));
    return;
  }
  const width = Math.max(280, plot.clientWidth);
  const picture = svg("svg", { role: "tree", "aria-label": "Call stacks" });
  let deepest = 0;
  const frames = [];
  const place = (node, x, depth, scale) => {
    const wide = node.total * scale;
    if (wide < 0.7) return;
    deepest = Math.max(deepest, depth);
    frames.push({ node, x, wide, depth });
    let at = x;
    for (const callee of node.callees) {
      place(callee, at, depth + 1, scale);
      at += callee.total * scale;
    }
  };
  const ways = [];
  for (let node = stackTop; node && node.parent !== null; node = TREE[node.parent]) ways.unshift(TREE[node.parent]);
  ways.forEach((node, depth) => frames.push({ node, x: 0, wide: width, depth, isWay: true }));
  const top = stackTop ? [stackTop] : ROOTS;
  const all = top.reduce((sum, node) => sum + node.total, 0);
  let x = 0;
  for (const node of top) {
    place(node, x, ways.length, width / all);
    x += (node.total / all) * width;
  }
  frames.forEach((frame) => picture.append(stackFrame(frame, all)));
  const height = (Math.max(deepest, ways.length) + 1) * ROW + 2;
  withAttributes(picture, { viewBox: `0 0 ${width} ${height}`, width, height });
  picture.addEventListener("keydown", moveInStacks);
  put(plot, picture);
}

function stackFrame({ node, x, wide, depth, isWay }, all) {
  const isOn = chosen.function !== null && node.function === chosen.function;
  const isFound = searched && frameName(node).toLowerCase().includes(searched);
  const group = svg("g", { class: `link k-${node.tier}${isOn ? " on" : ""}${searched && !isFound ? " dim" : ""}`, role: "treeitem", tabindex: x === 0 && depth === 0 ? 0 : -1, "data-node": node.at, "aria-label": `${frameName(node)}, ${time(node.total)}` });
  const box = svg("rect", { class: "fill", x: x + 0.5, y: depth * ROW + 1, width: Math.max(0.5, wide - 1), height: ROW - 2, rx: 2, "fill-opacity": isWay ? 0.35 : node.inlined ? 0.55 : 0.85 });
  if (node.inlined) withAttributes(box, { "stroke-dasharray": "3 2", style: "stroke: var(--muted)" });
  group.append(box);
  const room = charactersIn(wide - 8);
  if (room > 2) group.append(svg("text", { class: "small", x: x + 5, y: depth * ROW + 13.5, "pointer-events": "none", style: "paint-order: stroke; stroke: var(--surface); stroke-width: 2.5px; stroke-opacity: .75" }, cut(frameName(node), room)));
  withTip(group, () => [el("b", {}, frameName(node)), pairs([["code", node.inlined ? `${node.tier}, inlined` : node.tier], ["with calls", `${time(node.total)}, ${percent(node.total / DATA.run.sampled)} of all`], ["own", time(node.own)], ["in runtime", node.runtime ? time(node.runtime) : null], ["of what is shown", all ? percent(node.total / all) : null]])]);
  return withAction(group, () => {
    stackTop = stackTop === node ? (node.parent === null ? null : TREE[node.parent]) : node;
    if (node.function !== null) choose({ function: node.function });
    drawStacks();
    byId("stacks-plot").querySelector(`[data-node="${node.at}"]`)?.focus();
  });
}

function moveInStacks(event) {
  const at = event.target.getAttribute && event.target.getAttribute("data-node");
  if (at === null || !event.key.startsWith("Arrow")) return;
  const node = TREE[Number(at)];
  const siblings = node.parent === null ? ROOTS : TREE[node.parent].callees;
  const beside = siblings.indexOf(node);
  const next = { ArrowUp: node.parent === null ? null : TREE[node.parent], ArrowDown: node.callees[0], ArrowLeft: siblings[beside - 1], ArrowRight: siblings[beside + 1] }[event.key];
  event.preventDefault();
  if (next) byId("stacks-plot").querySelector(`[data-node="${next.at}"]`)?.focus();
}

function stackTools() {
  const search = el("input", { type: "search", placeholder: "Find a function", "aria-label": "Find a function", input: () => { searched = search.value.trim().toLowerCase(); drawStacks(); } });
  byId("stacks-tools").replaceChildren(search, el("button", { type: "button", click: () => { stackTop = null; drawStacks(); } }, "All"));
}

function drawFunctionTable() {
  const most = Math.max(1e-9, ...DATA.functions.map((of) => of.own));
  const columns = [
    { name: "function", left: true, value: (row) => row.label, show: (row) => row.label },
    { name: "own", value: (row) => row.own, show: (row) => time(row.own) },
    { name: "", value: (row) => row.own, show: (row) => el("span", { class: "bar" }, el("i", { style: `width: ${((row.own / most) * 100).toFixed(1)}%; background: rgb(var(--heat))` })) },
    { name: "share", value: (row) => row.own, show: (row) => percent(row.own / DATA.run.sampled) },
    { name: "with calls", value: (row) => row.inclusive, show: (row) => time(row.inclusive) },
    { name: "in runtime", value: (row) => row.runtime, show: (row) => (row.runtime ? time(row.runtime) : "") },
    { name: "samples", value: (row) => row.samples, show: (row) => count(row.samples) },
    { name: "place", left: true, value: (row) => row.file, show: (row) => el("span", { title: row.file }, `${shortFile(row.file)}:${row.line}`) },
  ];
  if (DATA.compare) {
    const there = new Map(DATA.compare.functions.filter((row) => row.function !== null).map((row) => [DATA.functions[row.function], row.own[1]]));
    columns.splice(4, 0, { name: "own, other run", value: (row) => there.get(row) ?? 0, show: (row) => (there.get(row) ? time(there.get(row)) : "") });
  }
  const rows = DATA.functions.filter((of) => of.inclusive > 0);
  put(byId("stacks-table"), sortedTable(columns, rows, { by: 1, isOn: (row) => DATA.functions[chosen.function] === row, act: (row) => choose({ function: DATA.functions.indexOf(row), line: null, path: null }) }));
}
