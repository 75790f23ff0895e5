"use strict";
const ORDERS = 200;
let seed = 42;

function rnd(m) {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return (seed >>> 8) % m;
}

function document() {
  const names = ["lamp", "rope", "blue \\\"jay\\\"", "oil", "a\\\\b", "candle", "map", "tin\\nbox"];
  const orders = [];
  for (let i = 0; i < ORDERS; i++) {
    const items = [];
    const count = 1 + rnd(4);
    for (let k = 0; k < count; k++) {
      items.push(`{"name": "${names[rnd(8)]}", "price": ${rnd(5000)}, "count": ${1 + rnd(9)}}`);
    }
    const paid = ["true", "false", "null"][rnd(3)];
    orders.push(`{"id": ${i}, "paid": ${paid}, "items": [${items.join(", ")}], "tags": []}`);
  }
  return "{ \"orders\": [\n  " + orders.join(",\n  ") + "\n] }\n";
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  peek() {
    while (this.text[this.at] === " " || this.text[this.at] === "\n") this.at++;
    return this.text[this.at];
  }

  eat(c) {
    if (this.peek() !== c) return false;
    this.at++;
    return true;
  }

  readText() {
    this.at++;
    let start = this.at;
    let text = "";
    while (this.text[this.at] !== '"') {
      if (this.text[this.at] === "\\") {
        text += this.text.slice(start, this.at);
        const c = this.text[this.at + 1];
        text += c === "n" ? "\n" : c === '"' ? '"' : "\\";
        this.at += 2;
        start = this.at;
      } else {
        this.at++;
      }
    }
    this.at++;
    return text + this.text.slice(start, this.at - 1);
  }

  read() {
    switch (this.peek()) {
      case "{": {
        this.at++;
        const members = {};
        while (!this.eat("}")) {
          this.eat(",");
          this.peek();
          const key = this.readText();
          if (!this.eat(":")) throw new Error("a colon is missing");
          members[key] = this.read();
        }
        return members;
      }
      case "[": {
        this.at++;
        const parts = [];
        while (!this.eat("]")) {
          this.eat(",");
          parts.push(this.read());
        }
        return parts;
      }
      case '"':
        return this.readText();
      default: {
        const start = this.at;
        while (!",]} \n".includes(this.text[this.at])) this.at++;
        const word = this.text.slice(start, this.at);
        switch (word) {
          case "null": return null;
          case "true": return true;
          case "false": return false;
          default: return parseInt(word, 10);
        }
      }
    }
  }
}

function raised(json) {
  if (Array.isArray(json)) return json.map(raised);
  if (json === null || typeof json !== "object") return json;
  const out = {};
  for (const [key, value] of Object.entries(json)) {
    out[key] = key === "price" && typeof value === "number" ? value + Math.floor(value / 10) : raised(value);
  }
  return out;
}

function quoted(text) {
  return '"' + text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n") + '"';
}

function written(json) {
  if (typeof json === "string") return quoted(json);
  if (Array.isArray(json)) return "[" + json.map(written).join(",") + "]";
  if (json === null || typeof json !== "object") return String(json);
  const keys = Object.keys(json).sort();
  return "{" + keys.map((key) => quoted(key) + ":" + written(json[key])).join(",") + "}";
}

function bench(n) {
  let text = document();
  let sum = 0;
  for (let pass = 0; pass < n; pass++) {
    const out = written(raised(new Reader(text).read()));
    sum = (sum * 31 + out.length) >>> 0;
    for (let i = 0; i < 100; i++) sum = (sum * 31 + out.charCodeAt(rnd(out.length))) >>> 0;
    if (pass % 8 === 0) text = out + "\n";
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 150))));
