"use strict";

const SIDE = 128;
const MOV = 0, ADD = 1, SUB = 2, MUL = 3, MAD = 4, MIN = 5, MAX = 6, SLT = 7, FRC = 8;
const code = Int32Array.of(
  MUL, 6, 0, 0,
  MAD, 6, 1, 1,
  ADD, 7, 6, 2,
  FRC, 7, 7, 7,
  SUB, 8, 3, 7,
  MUL, 8, 8, 7,
  MUL, 9, 0, 4,
  FRC, 9, 9, 9,
  SLT, 10, 9, 5,
  MAX, 11, 10, 8,
  MIN, 11, 11, 3,
  MAD, 15, 11, 7);

function pixel(code, reg) {
  reg[15] = 0;
  for (let pc = 0; pc < code.length; pc += 4) {
    const to = code[pc + 1], a = code[pc + 2], b = code[pc + 3];
    switch (code[pc]) {
      case MOV: reg[to] = reg[a]; break;
      case ADD: reg[to] = reg[a] + reg[b]; break;
      case SUB: reg[to] = reg[a] - reg[b]; break;
      case MUL: reg[to] = reg[a] * reg[b]; break;
      case MAD: reg[to] += reg[a] * reg[b]; break;
      case MIN: reg[to] = reg[a] < reg[b] ? reg[a] : reg[b]; break;
      case MAX: reg[to] = reg[a] > reg[b] ? reg[a] : reg[b]; break;
      case SLT: reg[to] = reg[a] < reg[b] ? 1 : 0; break;
      case FRC: reg[to] = reg[a] - Math.floor(reg[a]); break;
    }
  }
  return reg[15];
}

function bench(n) {
  const reg = new Float64Array(16);
  reg[3] = 1;
  reg[4] = 6;
  reg[5] = 0.125;
  let sum = 0;
  for (let r = 0; r < n; r++) {
    reg[2] = r / 64;
    for (let y = 0; y < SIDE; y++) {
      reg[1] = y / 64;
      for (let x = 0; x < SIDE; x++) {
        reg[0] = x / 64;
        sum += pixel(code, reg);
      }
    }
  }
  return Math.floor(sum * 1000);
}

console.log(String(bench(Number(process.argv[2] || 1000))));
