"use strict";
const CELLS = 1000000;
const NIL = 0, IF = -2, QUOTE = -4, DEFINE = -6, PLUS = -8, MINUS = -10, LESS = -12, EQUAL = -14;
const CONS = -16, CAR = -18, CDR = -20;
const names = ["", "if", "quote", "define", "+", "-", "<", "=", "cons", "car", "cdr"];
const globals = new Int32Array(32), head = new Int32Array(CELLS), tail = new Int32Array(CELLS);
let used = 1, at = 0;

function cons(a, b) {
  head[used] = a;
  tail[used] = b;
  return used++ * 2;
}

function readList(src) {
  while (src[at] === " ") at++;
  if (src[at] === ")") {
    at++;
    return NIL;
  }
  const first = read(src);
  return cons(first, readList(src));
}

function read(src) {
  while (src[at] === " ") at++;
  if (src[at] === "(") {
    at++;
    return readList(src);
  }
  const start = at;
  while (src[at] !== " " && src[at] !== ")") at++;
  const word = src.slice(start, at);
  if (word[0] >= "0" && word[0] <= "9") return Number(word) * 2 + 1;
  for (let s = 1; s < names.length; s++) if (names[s] === word) return -2 * s;
  names.push(word);
  return -2 * (names.length - 1);
}

function lookup(symbol, scope) {
  let s = scope;
  while (s !== NIL) {
    const pair = head[s >> 1];
    if (head[pair >> 1] === symbol) return tail[pair >> 1];
    s = tail[s >> 1];
  }
  return globals[-symbol >> 1];
}

function second(list) { return head[tail[list >> 1] >> 1]; }

function evaluate(e, env) {
  for (;;) {
    if ((e & 1) === 1 || e === NIL) return e;
    if (e < 0) return lookup(e, env);
    const f = head[e >> 1], args = tail[e >> 1];
    switch (f) {
      case IF: {
        const rest = tail[args >> 1];
        e = evaluate(head[args >> 1], env) !== NIL ? head[rest >> 1] : second(rest);
        break;
      }
      case QUOTE: return head[args >> 1];
      case DEFINE: globals[-head[args >> 1] >> 1] = tail[args >> 1]; return NIL;
      case CAR: return head[evaluate(head[args >> 1], env) >> 1];
      case CDR: return tail[evaluate(head[args >> 1], env) >> 1];
      case PLUS: case MINUS: case LESS: case EQUAL: case CONS: {
        const a = evaluate(head[args >> 1], env), b = evaluate(second(args), env);
        switch (f) {
          case PLUS: return a + b - 1;
          case MINUS: return a - b + 1;
          case LESS: return a < b ? 1 : 0;
          case EQUAL: return a === b ? 1 : 0;
          default: return cons(a, b);
        }
      }
      default: {
        const lambda = globals[-f >> 1];
        let params = head[lambda >> 1], arg = args, inner = NIL;
        while (params !== NIL) {
          const value = evaluate(head[arg >> 1], env);
          inner = cons(cons(head[params >> 1], value), inner);
          params = tail[params >> 1];
          arg = tail[arg >> 1];
        }
        e = second(lambda);
        env = inner;
      }
    }
  }
}

function parse(src) {
  at = 0;
  return read(src);
}

function bench(n) {
  const definitions = [
    "(define fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))) )",
    "(define count (n sum) (if (= n 0) sum (count (- n 1) (+ sum n))) )",
    "(define range (a b) (if (< a b) (cons a (range (+ a 1) b)) (quote ())) )",
    "(define evens (l) (if (= l (quote ())) 0 (if (< (car l) 10) (evens (cdr l)) (+ (car l) (evens (cdr l))))) )",
  ];
  for (const definition of definitions) evaluate(parse(definition), NIL);
  let sum = 0;
  for (const source of ["(fib 16) ", "(count 5000 0) ", "(evens (range 1 1500)) "]) {
    const e = parse(source), base = used;
    for (let r = 0; r < n; r++) {
      const value = evaluate(e, NIL) >> 1;
      sum = (sum * 7 + value + used) % 4294967296;
      used = base;
    }
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 1000))));
