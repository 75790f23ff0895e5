"use strict";
const program = `
  (define fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))
  (define range (lambda (a b) (if (< a b) (cons a (range (+ a 1) b)) (quote ()))))
  (define map (lambda (f xs) (if (empty xs) xs (cons (f (first xs)) (map f (rest xs))))))
  (define fold (lambda (f start xs) (if (empty xs) start (fold f (f start (first xs)) (rest xs)))))
  (define add (lambda (n) (lambda (x) (+ x n))))
  (define even (lambda (n) (if (= n 0) 1 (odd (- n 1)))))
  (define odd (lambda (n) (if (= n 0) 0 (even (- n 1)))))
  (define loop (lambda (i sum) (if (= i 0) sum (loop (- i 1) (% (+ (* sum 7) i) 10007)))))
  (+ (fib 14) (+ (fold + 0 (map (add 5) (range 1 60))) (+ (even 300) (loop 1000 1))))`;

class Symbol {
  constructor(name) { this.name = name; }
}

class Lambda {
  constructor(names, body, scope) {
    this.names = names;
    this.body = body;
    this.scope = scope;
  }
}

class Scope {
  constructor(names, outer) {
    this.names = names;
    this.outer = outer;
  }

  lookUp(name) {
    let s = this;
    while (s) {
      const value = s.names.get(name);
      if (value !== undefined) return value;
      s = s.outer;
    }
    throw new Error(`${name} is not known`);
  }
}

class Reader {
  constructor(words) {
    this.words = words;
    this.at = 0;
  }

  read() {
    const word = this.words[this.at++];
    if (word === "(") {
      const values = [];
      while (this.words[this.at] !== ")") values.push(this.read());
      this.at++;
      return values;
    }
    const n = Number(word);
    return Number.isNaN(n) ? new Symbol(word) : n;
  }
}

function evaluate(e, scope) {
  for (;;) {
    if (e instanceof Symbol) return scope.lookUp(e.name);
    if (!Array.isArray(e)) return e;
    if (e[0] instanceof Symbol) {
      switch (e[0].name) {
        case "quote": return e[1];
        case "lambda": return new Lambda(e[1].map((p) => p.name), e[2], scope);
        case "define":
          scope.names.set(e[1].name, evaluate(e[2], scope));
          return 0;
        case "if":
          e = evaluate(e[1], scope) !== 0 ? e[2] : e[3];
          continue;
        case "cons": return [evaluate(e[1], scope), ...evaluate(e[2], scope)];
        case "first": return evaluate(e[1], scope)[0];
        case "rest": return evaluate(e[1], scope).slice(1);
        case "empty": return Number(evaluate(e[1], scope).length === 0);
      }
    }
    const within = scope;
    const values = e.map((part) => evaluate(part, within));
    const f = values[0];
    if (typeof f === "function") return f(values[1], values[2]);
    if (!(f instanceof Lambda)) throw new Error(`no function: ${f}`);
    const inner = new Map();
    f.names.forEach((name, i) => inner.set(name, values[i + 1]));
    scope = new Scope(inner, f.scope);
    e = f.body;
  }
}

function bench(n) {
  const known = new Map([
    ["+", (a, b) => a + b],
    ["-", (a, b) => a - b],
    ["*", (a, b) => a * b],
    ["%", (a, b) => a % b],
    ["<", (a, b) => Number(a < b)],
    ["=", (a, b) => Number(a === b)],
  ]);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const reader = new Reader(program.replaceAll("(", " ( ").replaceAll(")", " ) ").trim().split(/\s+/));
    const scope = new Scope(new Map([["seed", i]]), new Scope(known, null));
    let last = 0;
    while (reader.at < reader.words.length) last = evaluate(reader.read(), scope);
    if (typeof last === "number") sum = (sum * 31 + last + scope.names.size) >>> 0;
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 150))));
