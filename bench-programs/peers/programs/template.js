"use strict";
let seed = 42;

function rnd(m) {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return (seed >>> 8) % m;
}

const source = "<h1>{shop.name|upper}</h1>\n{when shop.open}<p>Open today.</p>{else}<p>Closed, sorry.</p>{end}\n" +
  "<ul>\n{each item in items}  <li>{item.name|trim|upper}: {item.price|money}{when item.left} ({item.left} left){end}\n" +
  "{each tag in item.tags}    <i>{tag}</i>{end}</li>\n{end}</ul>\n<p>{note|escape}</p>\n";

function cut(text) {
  const parts = [];
  for (const piece of text.split("{")) {
    const close = piece.indexOf("}");
    if (close >= 0) {
      parts.push("{" + piece.slice(0, close));
      if (close + 1 < piece.length) parts.push(piece.slice(close + 1));
    } else if (piece !== "") {
      parts.push(piece);
    }
  }
  return parts;
}

class Parser {
  constructor(parts) {
    this.parts = parts;
    this.at = 0;
  }

  nodes() {
    const found = [];
    while (this.at < this.parts.length) {
      const part = this.parts[this.at++];
      if (!part.startsWith("{")) {
        found.push({ kind: "plain", text: part });
        continue;
      }
      const words = part.slice(1).split(" ");
      switch (words[0]) {
        case "end":
        case "else":
          return found;
        case "each":
          found.push({ kind: "each", name: words[1], path: words[3].split("."), body: this.nodes() });
          break;
        case "when": {
          const yes = this.nodes();
          const no = this.parts[this.at - 1] === "{else" ? this.nodes() : [];
          found.push({ kind: "when", path: words[1].split("."), yes, no });
          break;
        }
        default: {
          const filters = words[0].split("|");
          found.push({ kind: "slot", path: filters[0].split("."), filters: filters.slice(1) });
        }
      }
    }
    return found;
  }
}

function lookUp(path, scope) {
  let value = scope;
  for (const name of path) value = value[name];
  return value;
}

function isTrue(value) {
  return typeof value === "object" ? Object.keys(value).length > 0 : value !== 0 && value !== "";
}

function fill(nodes, scope, filters, out) {
  for (const node of nodes) {
    switch (node.kind) {
      case "plain":
        out.push(node.text);
        break;
      case "slot":
        out.push(node.filters.reduce((text, name) => filters[name](text), String(lookUp(node.path, scope))));
        break;
      case "when":
        fill(isTrue(lookUp(node.path, scope)) ? node.yes : node.no, scope, filters, out);
        break;
      case "each":
        for (const value of lookUp(node.path, scope)) {
          scope[node.name] = value;
          fill(node.body, scope, filters, out);
        }
        delete scope[node.name];
    }
  }
}

function page() {
  const names = ["oil lamp ", " rope", " candle", "map & compass", "<tin> box "];
  const items = [];
  for (let i = 5 + rnd(10); i > 0; i--) {
    const tags = [];
    for (let k = rnd(3); k > 0; k--) tags.push(["new", "old", "rare"][rnd(3)]);
    const price = rnd(100000);
    items.push({ name: names[rnd(5)], price, left: rnd(4), tags });
  }
  return { shop: { name: "The Worn Lane", open: rnd(2) }, items, note: "Oil & rope < 5 \"miles\"" };
}

function bench(n) {
  const filters = {
    upper: (text) => text.toUpperCase(),
    trim: (text) => text.trim(),
    money: (text) => `$${Math.floor(parseInt(text, 10) / 100)}.${String(parseInt(text, 10) % 100).padStart(2, "0")}`,
    escape: (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  };
  let template = [];
  let sum = 0;
  for (let i = 0; i < n; i++) {
    if (i % 100 === 0) template = new Parser(cut(source)).nodes();
    const out = [];
    fill(template, page(), filters, out);
    const text = out.join("");
    sum = (sum * 31 + text.length) >>> 0;
    for (let k = 0; k < text.length; k += 16) sum = (sum * 31 + text.charCodeAt(k)) >>> 0;
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 15000))));
