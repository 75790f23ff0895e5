"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const HALT = 0, RIGHT = 1, LEFT = 2, INC = 3, DEC = 4, OPEN = 5, CLOSE = 6, READ = 7, WRITE = 8;
const prog = ",[>,[->++<]>[-<+>]<<[>[->+>+<<]>>[-<<+>>]<<<-]>[-]>.[->>+<<]>>.<<<<,]";

function assemble(code, target) {
  const open = new Int32Array(64);
  let depth = 0;
  for (let i = 0; i < prog.length; i++) {
    switch (prog[i]) {
      case ">": code[i] = RIGHT; break;
      case "<": code[i] = LEFT; break;
      case "+": code[i] = INC; break;
      case "-": code[i] = DEC; break;
      case ",": code[i] = READ; break;
      case ".": code[i] = WRITE; break;
      case "[": code[i] = OPEN; open[depth++] = i; break;
      case "]": code[i] = CLOSE; target[i] = open[--depth]; target[open[depth]] = i; break;
    }
  }
}

function run(code, target, input) {
  const tape = new Uint8Array(64);
  let at = 0, next = 0, sum = 0, pc = 0;
  for (;; pc++) {
    switch (code[pc]) {
      case RIGHT: at++; break;
      case LEFT: at--; break;
      case INC: tape[at]++; break;
      case DEC: tape[at]--; break;
      case OPEN: if (tape[at] === 0) pc = target[pc]; break;
      case CLOSE: if (tape[at] !== 0) pc = target[pc]; break;
      case READ: tape[at] = input[next++]; break;
      case WRITE: sum = (sum * 31 + tape[at]) & 0xFFFFFF; break;
      case HALT: return sum;
    }
  }
}

function bench(n) {
  const code = new Int32Array(prog.length + 1), target = new Int32Array(prog.length + 1);
  const input = new Uint8Array(2 * n + 1);
  assemble(code, target);
  for (let i = 0; i < n; i++) {
    input[2 * i] = 1 + rnd(9);
    input[2 * i + 1] = 1 + rnd(120);
  }
  return run(code, target, input);
}

console.log(String(bench(Number(process.argv[2] || 40000))));
