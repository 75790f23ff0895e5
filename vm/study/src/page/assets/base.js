// What all panels use: the data, elements, figures in words, axes, and the tip at the pointer.
// In: the JSON of the page. Invariant: texts of a program get into the page as text, never as markup.

const DATA = JSON.parse(document.getElementById("run").textContent);

/** The kinds of code, in the order in which they are stacked. */
const KINDS = ["baseline", "profiled", "optimized", "specialized", "outside"];

/** The kind of code that a choice leads to. */
const LEADS_TO = { stay: null, optimize: "optimized", profile: "profiled", specialize: "specialized" };

/** Sets attributes: functions are listeners; `null` and `false` leave an attribute out, but those of `aria-`. */
function withAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (typeof value === "boolean" && name.startsWith("aria-")) node.setAttribute(name, String(value));
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, String(value));
  }
  return node;
}

/** An element of HTML with children: elements, or texts. */
function el(name, attributes, ...children) {
  const node = withAttributes(document.createElement(name), attributes);
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

/** An element of SVG. */
function svg(name, attributes, ...children) {
  const node = withAttributes(document.createElementNS("http://www.w3.org/2000/svg", name), attributes);
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

const byId = (id) => document.getElementById(id);

/** Three figures, as in `1.24` and `12.4`. */
function digits(value) {
  const size = Math.abs(value);
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Microseconds in words. */
function time(micros) {
  const size = Math.abs(micros);
  if (size >= 59.995e6) {
    const tenths = Math.round(micros / 1e5);
    return `${Math.floor(tenths / 600)}m ${((tenths % 600) / 10).toFixed(tenths % 10 ? 1 : 0)}s`;
  }
  if (size >= 999.5e3) return `${digits(micros / 1e6)} s`;
  if (size >= 999.5) return `${digits(micros / 1e3)} ms`;
  return size === 0 ? "0" : `${size >= 10 ? micros.toFixed(0) : micros.toFixed(1)} µs`;
}

/** Where polls are counted, times are no times. */
const ABOUT = DATA.run.clock === "polls" ? " (counted in polls)" : "";

function percent(part) {
  if (!Number.isFinite(part)) return "-";
  const value = part * 100;
  return `${Math.abs(value) >= 99.95 || Math.abs(value) < 0.05 ? value.toFixed(0) : value.toFixed(1)}%`;
}

function count(number, one) {
  const shown = number.toLocaleString("en-US");
  return one ? `${shown} ${one}${number === 1 ? "" : "s"}` : shown;
}

/** The name of a function by its place, or the one that an event has. */
function functionName(at, otherwise) {
  const found = DATA.functions[at];
  return found ? found.label : otherwise || "(others)";
}

/** A file by its name alone, if no other has the same. */
const shortFile = (() => {
  const files = new Set([...DATA.functions, ...DATA.sources].map((of) => of.file));
  const last = (file) => file.slice(file.lastIndexOf("/") + 1);
  return (file) => ([...files].some((other) => other !== file && last(other) === last(file)) ? file : last(file));
})();

/** Round values between two, about so many. */
function ticks(from, to, about) {
  const rough = (to - from) / Math.max(about, 1);
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const minutes = rough > 1e7 ? [15e6, 30e6, 60e6, 120e6, 300e6, 600e6, 1800e6, 3600e6] : [];
  const step = [...minutes, ...[1, 2, 5, 10].map((of) => of * power)].find((of) => of >= rough) || rough;
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= to + step * 1e-9; at += step) found.push(Math.abs(at) < step * 1e-9 ? 0 : at);
  return found;
}

/** An axis of time below a plot. */
function timeAxis(view, left, width, y, height) {
  const x = (micros) => left + ((micros - view.from) / (view.to - view.from)) * width;
  const marks = ticks(view.from, view.to, Math.max(2, width / 110));
  return svg("g", {}, marks.map((at) => [
    svg("line", { class: "grid", x1: x(at), x2: x(at), y1: y - height, y2: y }),
    svg("text", { class: "small quiet", x: x(at), y: y + 13, "text-anchor": x(at) > left + width - 24 ? "end" : x(at) < left + 16 ? "start" : "middle" }, time(at)),
  ]));
}

/** Cuts a text to so many characters. */
function cut(text, most) {
  return text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text;
}

/** How many characters of the page's font have room. */
const charactersIn = (pixels) => Math.floor(pixels / 6.9);

/** Puts children into a place; what had the focus there has it again, by its number among all that can have it. */
function put(place, ...children) {
  const focusable = () => [...place.querySelectorAll("[tabindex], button, select, input")];
  const at = place.contains(document.activeElement) ? focusable().indexOf(document.activeElement) : -1;
  place.replaceChildren(...children);
  if (at >= 0) (focusable()[at] || focusable()[0])?.focus({ preventScroll: true });
}

const TIP = byId("tip");

function showTip(x, y, content) {
  TIP.replaceChildren(...[content].flat());
  TIP.hidden = false;
  const { width, height } = TIP.getBoundingClientRect();
  TIP.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - width - 6))}px`;
  TIP.style.top = `${y + 18 + height > innerHeight ? Math.max(4, y - height - 12) : y + 18}px`;
}

function hideTip() {
  TIP.hidden = true;
}

/** Shows a tip where the pointer is over an element, or the focus is on it. */
function withTip(node, content) {
  node.addEventListener("pointermove", (event) => showTip(event.clientX, event.clientY, content()));
  node.addEventListener("pointerleave", hideTip);
  node.addEventListener("focus", () => {
    const box = node.getBoundingClientRect();
    showTip(box.left, box.bottom - 12, content());
  });
  node.addEventListener("blur", hideTip);
  return node;
}

/** Makes an element do something when it is clicked, or Enter or space is pressed on it. */
function withAction(node, act) {
  node.addEventListener("click", act);
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      act(event);
    }
  });
  return node;
}

/** Rows of a name and a value. */
function pairs(rows) {
  return el("dl", {}, rows.filter(([, value]) => value !== null && value !== undefined && value !== "").map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

/** A square in the colour of a kind of code. */
const swatch = (kind, more) => el("i", { class: `swatch back k-${kind}${more ? ` ${more}` : ""}` });

function tag(kind, text) {
  return el("span", { class: `tag${kind ? ` k-${kind}` : ""}` }, text || kind);
}

/** A table whose columns can be sorted by. A column: name, the value of a row to sort by, and what is shown of it. */
function sortedTable(columns, rows, options) {
  let by = options.by;
  let falling = true;
  const table = el("table", {});
  const draw = () => {
    const column = columns[by];
    const sorted = [...rows].sort((a, b) => {
      const [x, y] = [column.value(a), column.value(b)];
      const order = typeof x === "string" ? x.localeCompare(y) : (x ?? -Infinity) - (y ?? -Infinity);
      return falling ? -order : order;
    });
    const head = el("tr", {}, columns.map((column, at) => el("th",
      { class: column.left ? "l" : null, scope: "col", "aria-sort": at === by ? (falling ? "descending" : "ascending") : null },
      el("button", { type: "button", click: () => { falling = at === by ? !falling : !column.left; by = at; draw(); } }, column.name, at === by ? (falling ? " ↓" : " ↑") : ""))));
    const body = sorted.slice(0, options.most || 400).map((row) => {
      const cells = columns.map((column) => el("td", { class: [column.left ? "l" : "", column.wraps ? "wrap" : ""].join(" ").trim() || null }, column.show(row)));
      const line = el("tr", { class: [options.act ? "link" : "", options.isOn && options.isOn(row) ? "on" : ""].join(" ").trim() || null, tabindex: options.act ? 0 : null }, cells);
      return options.act ? withAction(line, () => options.act(row)) : line;
    });
    put(table, el("thead", {}, head), el("tbody", {}, body));
  };
  draw();
  return table;
}
