"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const FRAMES = 2048, SAMPLES = 4;
const IDLE = 0, START = 1, DATA = 2, PARITY = 3, STOP = 4;

function receive(p, line, size) {
  for (let i = 0; i < size; i++) {
    const level = line[i];
    if (p.wait > 0) {
      p.wait--;
      continue;
    }
    switch (p.state) {
      case IDLE:
        if (level === 0) {
          p.state = START;
          p.wait = SAMPLES / 2 - 1;
        }
        break;
      case START:
        if (level === 0) {
          p.state = DATA;
          p.bits = 0;
          p.shift = 0;
          p.parity = 0;
          p.wait = SAMPLES - 1;
        } else {
          p.state = IDLE;
        }
        break;
      case DATA:
        p.shift = p.shift >> 1 | level << 7;
        p.parity ^= level;
        p.bits++;
        if (p.bits === 8) p.state = PARITY;
        p.wait = SAMPLES - 1;
        break;
      case PARITY:
        if (p.parity !== level) p.errors++;
        p.state = STOP;
        p.wait = SAMPLES - 1;
        break;
      case STOP:
        if (level === 1) {
          p.got++;
          p.sum = (p.sum * 31 + p.shift) & 0xFFFFFF;
        } else {
          p.errors++;
        }
        p.state = IDLE;
        break;
    }
  }
}

function popcount(x) {
  let ones = 0;
  for (; x !== 0; x &= x - 1) ones++;
  return ones;
}

function generate(line) {
  line.fill(1);
  let at = 0;
  for (let f = 0; f < FRAMES; f++) {
    const byte = rnd(256), odd = popcount(byte) & 1;
    for (let b = 0; b < 11; b++) {
      const level = b === 0 ? 0 : b <= 8 ? byte >> (b - 1) & 1 : b === 9 ? odd : 1;
      for (let s = 0; s < SAMPLES; s++) line[at++] = level;
    }
    if (rnd(16) === 0) at += rnd(8);
  }
  return at;
}

function bench(n) {
  const line = new Uint8Array(FRAMES * 13 * SAMPLES);
  const size = generate(line);
  const p = { state: IDLE, wait: 0, bits: 0, shift: 0, parity: 0, got: 0, errors: 0, sum: 0 };
  for (let r = 0; r < n; r++) receive(p, line, size);
  return (p.sum * 31 + p.got * 7 + p.errors) >>> 0;
}

console.log(String(bench(Number(process.argv[2] || 8000))));
