// Decisions: a list, and of the one that is chosen the candidates, what they cost, and for which T another would be chosen.
// In: `decisions` of the data. Invariant: F is proportional to T and C is not, as in the model that decides.

const decisionFilter = { all: false };
let factor = 1;

const total = (candidate, by) => candidate.cost + candidate.future * by;

/** The kind of code that a candidate runs as. */
const kindOf = (card, choice) => LEADS_TO[choice] || card.tier || (card.phase && card.phase.code) || "baseline";

const hasChanged = (card) => card.phase !== null || (card.choice !== null && card.choice !== "stay");

/** Candidates with the least sum, by the factor of T from which on. */
function regions(candidates) {
  const flips = [];
  candidates.forEach((a, nth) => candidates.slice(nth + 1).forEach((b) => {
    const at = (b.cost - a.cost) / (a.future - b.future);
    if (Number.isFinite(at) && at > 0) flips.push(at);
  }));
  const bounds = [0, ...flips.sort((a, b) => a - b), Infinity];
  const found = [];
  for (let at = 0; at + 1 < bounds.length; at += 1) {
    const middle = bounds[at + 1] === Infinity ? bounds[at] * 2 + 1 : (bounds[at] + bounds[at + 1]) / 2;
    const best = candidates.reduce((least, one) => (total(one, middle) < total(least, middle) ? one : least));
    if (found.length && found[found.length - 1].best === best) found[found.length - 1].to = bounds[at + 1];
    else found.push({ best, from: bounds[at], to: bounds[at + 1] });
  }
  return found;
}

/** T of a card; of one that does not say, the future of what stays as it is. */
function expected(card) {
  if (card.expected !== null) return card.expected;
  const stay = card.candidates.find((candidate) => candidate.choice === "stay");
  return stay ? stay.future : null;
}

function shownDecisions() {
  return DATA.decisions.map((card, at) => ({ card, at })).filter(({ card }) =>
    (decisionFilter.all || hasChanged(card)) && (chosen.function === null || card.function === chosen.function)
    && (chosen.from === null || (card.time >= chosen.from && card.time <= chosen.to)));
}

/** A card in a few words. */
function gist(card) {
  if (card.phase && card.phase.from !== card.phase.to) return `${card.phase.from} → ${card.phase.to}`;
  return card.choice || (card.phase ? card.phase.to : "");
}

function drawDecisions() {
  const rows = shownDecisions();
  const list = byId("decisions-list");
  const before = list.scrollTop;
  list.replaceChildren(...rows.map(({ card, at }) => el("div", { class: "row", role: "option", id: `decision-${at}`, "aria-selected": chosen.decision === at, click: () => { factor = 1; choose({ decision: at }); } },
    el("span", { class: "when" }, time(card.time)),
    el("span", { class: "what" }, el("span", {}, functionName(card.function, card.name), card.loop ? `, loop ${card.loop}` : ""), tag(card.choice ? kindOf(card, card.choice) : card.phase ? card.phase.code : null, gist(card))),
    el("span", { class: "why" }, cut(card.reason, 160)))));
  if (!rows.length) list.append(el("p", { class: "muted", style: "padding: .4rem .6rem" }, "No decision here."));
  list.scrollTop = before;
  if (chosen.decision !== null) {
    list.setAttribute("aria-activedescendant", `decision-${chosen.decision}`);
    const row = byId(`decision-${chosen.decision}`);
    if (row && (row.offsetTop < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight)) list.scrollTop = row.offsetTop - list.clientHeight / 3;
  }
  drawDecision();
}

function drawDecision() {
  const detail = byId("decisions-detail");
  const rows = shownDecisions();
  const shown = rows.find(({ at }) => at === chosen.decision) || rows.find(({ card }) => card.candidates.length > 1) || rows[0];
  if (!shown) {
    detail.replaceChildren(el("p", { class: "muted" }, "Nothing was decided about this function in this time. “All” shows decisions to change nothing, too."));
    return;
  }
  const { card } = shown;
  const sums = el("div", {});
  const now = expected(card);
  const parts = [el("h3", { style: "margin-top: 0" }, `${functionName(card.function, card.name)}${card.loop ? `, loop at line ${card.loop}` : ""}, at ${time(card.time)}${ABOUT}`)];
  if (card.candidates.length) parts.push(sums);
  if (card.candidates.length > 1) parts.push(...slider(card, now, () => drawSums(sums, card)));
  drawSums(sums, card);
  parts.push(pairs([
    ["reason", card.reason],
    ["by", card.candidates.length > 1 && card.choice ? (card.is_least ? "the least sum of C and F" : "a rule, whatever the sums") : null],
    ["T", now === null ? null : `${time(now)}, expected in the present code${card.ticks === null ? "" : `, after ${count(card.ticks, "tick")}`}`],
    ["asked", { tick: "by a tick in the function", "window-full": "as its profile was complete" }[card.trigger]],
    ["phase", card.phase && `${card.phase.from}, since ${time(card.phase.since)}, then ${card.phase.to}${card.phase.next ? ` (${card.phase.next})` : ""}`],
    ["code in use", card.phase && tag(card.phase.code)],
    ["version", card.version === null ? null : el("button", { type: "button", click: () => choose({ version: card.version }) }, DATA.versions[card.version].name)],
  ]));
  if (card.declined.length) {
    parts.push(el("h3", {}, "Left as it is"), ...card.declined.map((loop) => el("p", {}, `Loop at line ${loop.line}: ${loop.reason}${loop.until ? `; ${until(loop.until)}` : ""}.`)));
  }
  put(detail, ...parts);
}

function drawSums(node, card) {
  const most = Math.max(...card.candidates.map((candidate) => total(candidate, factor)), 1e-9);
  const best = card.candidates.reduce((least, one) => (total(one, factor) < total(least, factor) ? one : least), card.candidates[0]);
  node.replaceChildren(...card.candidates.map((candidate) => {
    const isChosen = candidate.choice === card.choice;
    const part = (micros) => `width: ${((micros / most) * 70).toFixed(2)}%`;
    const future = candidate.future * factor;
    return el("div", { class: `candidate k-${kindOf(card, candidate.choice)}${isChosen ? " chosen" : ""}` },
      el("span", { class: "name" }, isChosen ? "✓ " : "", candidate.choice),
      el("span", { class: "bar" }, el("i", { class: "c", style: part(candidate.cost) }), el("i", { class: "f", style: part(future) }), el("span", { class: "sum" }, time(candidate.cost + future), factor !== 1 && candidate === best ? "  least" : "")),
      el("span", { class: "figures" }, `C ${time(candidate.cost)} + F ${time(future)}`));
  }), el("p", { class: "legend" }, el("span", {}, el("i", { class: "swatch", style: "background: var(--cost)" }), "C, once"), el("span", {}, el("i", { class: "swatch back k-optimized" }), "F, while it runs on, in the colour of its code")));
}

const WIDEST = 10;

/** The slider for T, and the strip of choices below it. */
function slider(card, now, changed) {
  const said = el("b", {});
  const show = () => { said.textContent = now === null ? `T × ${digits(factor)}` : `T = ${time(now * factor)}`; };
  const input = el("input", { type: "range", min: -WIDEST, max: WIDEST, step: 0.05, value: Math.log2(factor), "aria-label": "T, the expected future time", input: () => {
    const power = Number(input.value);
    factor = Math.abs(power) < 0.06 ? 1 : 2 ** power;
    show();
    changed();
  } });
  show();
  const found = regions(card.candidates);
  const place = (at) => Math.max(0, Math.min(1, (Math.log2(at || 1e-12) + WIDEST) / (2 * WIDEST)));
  const strip = el("div", { class: "strip", "aria-hidden": true }, found.map((region) => el("i", { class: `back k-${kindOf(card, region.best.choice)}`, title: region.best.choice, style: `width: ${((region.to === Infinity ? 1 : place(region.to)) - place(region.from)) * 100}%` })));
  const flips = found.slice(1).map((region, nth) => `${found[nth].best.choice} up to T = ${now === null ? `${digits(region.from)} × T` : time(region.from * now)}, then ${region.best.choice}`);
  return [
    el("p", {}, el("label", {}, "If it ran on for ", said, " ", el("button", { type: "button", click: () => { factor = 1; input.value = 0; show(); changed(); } }, "as expected"))),
    input, strip,
    el("div", { class: "strip-scale" }, el("span", {}, now === null ? "T / 1024" : time(now / 1024)), el("span", {}, now === null ? "T" : time(now)), el("span", {}, now === null ? "T × 1024" : time(now * 1024))),
    el("p", { class: "muted" }, flips.length ? `Least sum: ${flips.join("; ")}.` : `Least sum: ${found[0].best.choice}, whatever T.`),
  ];
}

function decisionTools() {
  const button = (name, all) => el("button", { type: "button", "aria-pressed": decisionFilter.all === all, click: () => { decisionFilter.all = all; decisionTools(); drawDecisions(); } }, name);
  const changes = DATA.decisions.filter(hasChanged).length;
  put(byId("decisions-tools"), button(`Changes (${changes})`, false), button(`All (${DATA.decisions.length})`, true), el("span", { class: "muted" }, "of the function and the time that are chosen, if any are"));
}

function decisionKeys() {
  byId("decisions-list").addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e6, End: 1e6 }[event.key];
    const rows = shownDecisions();
    if (!step || !rows.length) return;
    event.preventDefault();
    const at = rows.findIndex((row) => row.at === chosen.decision);
    factor = 1;
    choose({ decision: rows[Math.max(0, Math.min(rows.length - 1, at + step))].at });
  });
}
