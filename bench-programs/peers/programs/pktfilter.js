"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const PACKETS = 1024, LENGTH = 64;
const LDB = 0, LDH = 1, LDW = 2, LDX = 3, LDHX = 4, JEQ = 5, JGT = 6, JSET = 7, AND = 8, RET = 9;

const filter = Int32Array.of(
  LDH, 12, 0, 0,
  JEQ, 0x800, 0, 12,
  LDB, 23, 0, 0,
  JEQ, 6, 0, 10,
  LDW, 26, 0, 0,
  AND, 0xFFFF0000, 0, 0,
  JEQ, 0x0A010000, 0, 7,
  LDH, 20, 0, 0,
  JSET, 0x1FFF, 5, 0,
  LDX, 14, 0, 0,
  LDHX, 16, 0, 0,
  JEQ, 443, 1, 0,
  JGT, 8000, 0, 1,
  RET, 96, 0, 0,
  RET, 0, 0, 0);

function run(code, data, base) {
  let pc = 0, a = 0, x = 0;
  for (;;) {
    const k = code[pc + 1];
    switch (code[pc]) {
      case LDB: a = data[base + k]; break;
      case LDH: a = data[base + k] << 8 | data[base + k + 1]; break;
      case LDW:
        a = data[base + k] << 24 | data[base + k + 1] << 16 | data[base + k + 2] << 8 | data[base + k + 3];
        break;
      case LDX: x = (data[base + k] & 15) * 4; break;
      case LDHX: a = data[base + x + k] << 8 | data[base + x + k + 1]; break;
      case JEQ: pc += (a === k ? code[pc + 2] : code[pc + 3]) * 4; break;
      case JGT: pc += (a >>> 0 > k >>> 0 ? code[pc + 2] : code[pc + 3]) * 4; break;
      case JSET: pc += ((a & k) !== 0 ? code[pc + 2] : code[pc + 3]) * 4; break;
      case AND: a &= k; break;
      case RET: return k;
    }
    pc += 4;
  }
}

function generate() {
  const data = new Uint8Array(PACKETS * LENGTH);
  let left = 0, kind = 0;
  for (let i = 0; i < PACKETS; i++) {
    if (left === 0) {
      left = 4 + rnd(60);
      kind = rnd(12);
    }
    left--;
    const at = i * LENGTH;
    for (let b = 0; b < LENGTH; b++) data[at + b] = rnd(256);
    data[at + 12] = 8;
    data[at + 13] = kind === 0 ? 6 : 0;
    data[at + 14] = 0x45;
    data[at + 20] = 0x40;
    data[at + 21] = 0;
    data[at + 23] = kind === 1 ? 17 : 6;
    data[at + 26] = 10;
    data[at + 27] = kind === 2 ? 2 : 1;
    data[at + 36] = 1;
    data[at + 37] = 187;
  }
  return data;
}

function bench(n) {
  const data = generate();
  let sum = 0;
  for (let r = 0; r < n; r++) {
    data[rnd(PACKETS) * LENGTH + 37] = rnd(20) === 0 ? 80 : 187;
    for (let i = 0; i < PACKETS; i++) sum += run(filter, data, i * LENGTH);
    sum >>>= 0;
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 24000))));
