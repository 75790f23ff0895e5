"use strict";
const MODULUS = 1000003;
let seed = 42;

function rnd(m) {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return (seed >>> 8) % m;
}

function formula(depth) {
  if (depth === 0 || rnd(8) === 0) {
    return rnd(2) === 0 ? ["x", "y", "zeta"][rnd(3)] : String(rnd(rnd(3) * 50 + 2));
  }
  const a = formula(depth - 1), b = formula(depth - 1);
  switch (rnd(7)) {
    case 0: case 1: return `${a} + ${b}`;
    case 2: return `${a} - ${b}`;
    case 3: return `(${a}) * (${b})`;
    case 4: return `${a} * ${b}`;
    case 5: return `(${a}) / (${b})`;
    default: return `-(${a} + ${b})`;
  }
}

function isDigit(c) { return c >= "0" && c <= "9"; }

function isLetter(c) { return c >= "a" && c <= "z"; }

function tokens(text) {
  const found = [];
  let at = 0;
  while (at < text.length) {
    const start = at;
    const c = text[at++];
    if (isDigit(c)) {
      while (at < text.length && isDigit(text[at])) at++;
      found.push({ kind: "number", value: parseInt(text.slice(start, at), 10) });
    } else if (isLetter(c)) {
      while (at < text.length && isLetter(text[at])) at++;
      found.push({ kind: "name", value: text.slice(start, at) });
    } else if (c !== " ") {
      found.push({ kind: "sign", value: c });
    }
  }
  found.push({ kind: "end", value: "" });
  return found;
}

const constant = (n) => ({ kind: "constant", n });
const negated = (inner) => ({ kind: "negated", inner });
const binary = (op, left, right) => ({ kind: "binary", op, left, right });

class Parser {
  constructor(tokens) {
    this.tokens = tokens;
    this.at = 0;
  }

  sign(signs) {
    const token = this.tokens[this.at];
    if (token.kind === "sign" && signs.includes(token.value)) {
      this.at++;
      return token.value;
    }
    return null;
  }

  sum() {
    let left = this.product();
    let op;
    while ((op = this.sign("+-"))) left = binary(op, left, this.product());
    return left;
  }

  product() {
    let left = this.factor();
    let op;
    while ((op = this.sign("*/"))) left = binary(op, left, this.factor());
    return left;
  }

  factor() {
    const token = this.tokens[this.at++];
    if (token.kind === "number") return constant(token.value);
    if (token.kind === "name") return { kind: "variable", name: token.value };
    if (token.kind === "sign" && token.value === "-") return negated(this.factor());
    if (token.kind === "sign" && token.value === "(") {
      const inner = this.sum();
      if (!this.sign(")")) throw new Error("expected )");
      return inner;
    }
    throw new Error(`unexpected ${token.value}`);
  }
}

function applied(op, a, b) {
  switch (op) {
    case "+": return (a + b) % MODULUS;
    case "-": return (a - b + MODULUS) % MODULUS;
    case "*": return a * b % MODULUS;
    default: return b === 0 ? 0 : Math.floor(a / b);
  }
}

function is(e, n) { return e.kind === "constant" && e.n === n; }

function simple(e) {
  if (e.kind === "negated") {
    const inner = simple(e.inner);
    if (inner.kind === "constant") return constant((MODULUS - inner.n) % MODULUS);
    if (inner.kind === "negated") return inner.inner;
    return negated(inner);
  }
  if (e.kind === "binary") {
    const op = e.op, l = simple(e.left), r = simple(e.right);
    if (l.kind === "constant" && r.kind === "constant") return constant(applied(op, l.n, r.n));
    if (op === "+" && is(l, 0)) return r;
    if ((op === "+" || op === "-") && is(r, 0)) return l;
    if (op === "*" && is(l, 1)) return r;
    if ((op === "*" || op === "/") && is(r, 1)) return l;
    if (op === "*" && (is(l, 0) || is(r, 0))) return constant(0);
    return binary(op, l, r);
  }
  return e;
}

function value(e, variables) {
  switch (e.kind) {
    case "constant": return e.n;
    case "variable": return variables.get(e.name);
    case "negated": return (MODULUS - value(e.inner, variables)) % MODULUS;
    default: return applied(e.op, value(e.left, variables), value(e.right, variables));
  }
}

function bench(n) {
  let total = 0;
  for (let i = 0; i < n * 100; i++) {
    const text = formula(5);
    const e = simple(new Parser(tokens(text)).sum());
    const variables = new Map([["x", i % 1000], ["y", 7], ["zeta", rnd(1000)]]);
    for (let round = 0; round < 5; round++) {
      total = (total * 31 + value(e, variables)) >>> 0;
      variables.set("y", variables.get("y") + round);
    }
    total = (total + text.length) >>> 0;
  }
  return total;
}

console.log(String(bench(Number(process.argv[2] || 400))));
