"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const ROWS = 4096, COLUMNS = 4;
const REWIND = 0, COLUMN = 1, INTEGER = 2, LT = 3, GE = 4, NE = 5, SUM = 6, COUNT = 7, NEXT = 8, RESULT = 9;
const statement = Int32Array.of(
  INTEGER, 0, 0, 0,
  INTEGER, 0, 1, 0,
  INTEGER, 8, 2, 0,
  INTEGER, 2, 3, 0,
  INTEGER, 900, 4, 0,
  REWIND, 15, 0, 0,
  COLUMN, 2, 5, 0,
  NE, 5, 3, 14,
  COLUMN, 1, 6, 0,
  LT, 6, 2, 14,
  COLUMN, 0, 7, 0,
  GE, 7, 4, 14,
  COUNT, 0, 0, 0,
  SUM, 1, 7, 6,
  NEXT, 6, 0, 0,
  RESULT, 0, 1, 0);

function run(code, table, reg) {
  let pc = 0, row = 0;
  for (;;) {
    const a = code[pc + 1], b = code[pc + 2], c = code[pc + 3];
    switch (code[pc]) {
      case REWIND: row = 0; if (table.length === 0) pc = a * 4 - 4; break;
      case COLUMN: reg[b] = table[row + a]; break;
      case INTEGER: reg[b] = a; break;
      case LT: if (reg[a] < reg[b]) pc = c * 4 - 4; break;
      case GE: if (reg[a] >= reg[b]) pc = c * 4 - 4; break;
      case NE: if (reg[a] !== reg[b]) pc = c * 4 - 4; break;
      case SUM: reg[a] += reg[b] * reg[c] >> 4; break;
      case COUNT: reg[a]++; break;
      case NEXT: row += COLUMNS; if (row < table.length) pc = a * 4 - 4; break;
      case RESULT: return reg[a] * 7 + reg[b];
    }
    pc += 4;
  }
}

function bench(n) {
  const table = new Int32Array(ROWS * COLUMNS);
  for (let i = 0; i < ROWS; i++) {
    table[i * COLUMNS] = ((i & 1023) * 1000 >> 10) + rnd(8);
    table[i * COLUMNS + 1] = 6 + rnd(60);
    table[i * COLUMNS + 2] = i >> 10;
    table[i * COLUMNS + 3] = rnd(100);
  }
  const reg = new Uint32Array(8);
  let sum = 0;
  for (let r = 0; r < n; r++) {
    table[rnd(ROWS) * COLUMNS + 1] = 6 + rnd(60);
    sum = (sum + run(statement, table, reg)) >>> 0;
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 12000))));
