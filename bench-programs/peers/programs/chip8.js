"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const WIDTH = 64, HEIGHT = 32, START = 0x200, TICK = 10;
const rom = [
  0x6A08, 0x6B04, 0x6C01, 0x6D01, 0x6E00, 0xA270, 0xDAB3,
  0x221A, 0x2228, 0x223A, 0x2256, 0x2262, 0x120E,
  0xA270, 0xDAB3, 0x8AC4, 0x8BD4, 0xDAB3, 0x8EF4, 0x00EE,
  0x4A38, 0x6CFF, 0x4A00, 0x6C01, 0x4B1D, 0x6DFF, 0x4B00, 0x6D01, 0x00EE,
  0x80E0, 0xA300, 0xF033, 0xF265, 0x8014, 0x8024, 0x6100,
  0x620D, 0x8104, 0x72FF, 0x3200, 0x124A, 0x8913, 0x00EE,
  0x6004, 0xF015, 0xF007, 0x3000, 0x125A, 0x00EE,
  0xC03F, 0xC11F, 0xA273, 0xD011, 0x00EE, 0x0000, 0x0000,
  0x60F0, 0x6080,
];

class Machine {
  constructor() {
    this.mem = new Uint8Array(4096);
    this.v = new Uint8Array(16);
    this.screen = new Uint8Array(WIDTH * HEIGHT);
    this.stack = new Int32Array(16);
    this.pc = START;
    this.i = 0;
    this.sp = 0;
    this.delay = 0;
    this.beeps = 0;
    for (let i = 0; i < rom.length; i++) {
      this.mem[START + 2 * i] = rom[i] >> 8;
      this.mem[START + 2 * i + 1] = rom[i];
    }
  }
}

function draw(m, x, y, rows) {
  let hit = 0;
  for (let r = 0; r < rows; r++) {
    const bits = m.mem[m.i + r];
    for (let c = 0; c < 8; c++) {
      if ((bits >> (7 - c) & 1) === 1) {
        const at = (y + r) % HEIGHT * WIDTH + (x + c) % WIDTH;
        hit |= m.screen[at];
        m.screen[at] ^= 1;
      }
    }
  }
  m.v[15] = hit;
}

function arithmetic(v, x, y, op) {
  const sum = op === 5 ? v[x] - v[y] : v[x] + v[y];
  switch (op) {
    case 0: v[x] = v[y]; break;
    case 1: v[x] |= v[y]; break;
    case 2: v[x] &= v[y]; break;
    case 3: v[x] ^= v[y]; break;
    case 4:
    case 5: v[x] = sum; v[15] = op === 4 ? sum >> 8 : sum >= 0 ? 1 : 0; break;
    default: throw new Error("no such operation");
  }
}

function run(m, count) {
  const mem = m.mem, v = m.v;
  for (let cycle = 0; cycle < count; cycle++) {
    const op = mem[m.pc] << 8 | mem[m.pc + 1];
    const x = op >> 8 & 15, y = op >> 4 & 15, nn = op & 255;
    m.pc += 2;
    switch (op >> 12) {
      case 0x0:
        if (op === 0x00E0) m.screen.fill(0);
        else if (op === 0x00EE) m.pc = m.stack[--m.sp];
        break;
      case 0x1: m.pc = op & 0xFFF; break;
      case 0x2: m.stack[m.sp++] = m.pc; m.pc = op & 0xFFF; break;
      case 0x3: if (v[x] === nn) m.pc += 2; break;
      case 0x4: if (v[x] !== nn) m.pc += 2; break;
      case 0x6: v[x] = nn; break;
      case 0x7: v[x] += nn; break;
      case 0x8: arithmetic(v, x, y, op & 15); break;
      case 0xA: m.i = op & 0xFFF; break;
      case 0xC: v[x] = rnd(256) & nn; break;
      case 0xD: draw(m, v[x], v[y], op & 15); break;
      case 0xF:
        switch (nn) {
          case 0x07: v[x] = m.delay; break;
          case 0x15: m.delay = v[x]; break;
          case 0x18: m.beeps += v[x]; break;
          case 0x1E: m.i = (m.i + v[x]) & 0xFFF; break;
          case 0x33:
            mem[m.i] = v[x] / 100;
            mem[m.i + 1] = v[x] / 10 % 10;
            mem[m.i + 2] = v[x] % 10;
            break;
          case 0x55: for (let k = 0; k <= x; k++) mem[m.i + k] = v[k]; break;
          case 0x65: for (let k = 0; k <= x; k++) v[k] = mem[m.i + k]; break;
          default: throw new Error("no such operation");
        }
        break;
      default: throw new Error("no such operation");
    }
    if (cycle % TICK === 0 && m.delay > 0) m.delay--;
  }
}

function bench(n) {
  const m = new Machine();
  let sum = 0;
  for (let r = 0; r < n; r++) {
    run(m, 1000);
    sum = (sum * 31 + m.v[9] + m.pc) & 0xFFFFFF;
  }
  for (let i = 0; i < WIDTH * HEIGHT; i++) sum += m.screen[i] * i;
  for (let i = 0; i < 16; i++) sum += m.v[i] << i;
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 150000))));
