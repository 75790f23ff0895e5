"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const MAX = 65536;
const SYNC = 0, KIND = 1, SEQ = 2, SIZE = 3, DATA = 4, TEXT = 5, HIGH = 6, MIDDLE = 7, LOW = 8, CHECK = 9;

function generate(stream) {
  let at = 0, phase = 0, left = 0, number = 0;
  while (at < MAX - 4000) {
    if (left === 0) {
      phase = rnd(4);
      left = phase === 0 ? 1000 + rnd(2000) : 4 + rnd(8);
    }
    left--;
    const kind = rnd(20) === 0 ? rnd(4) : phase, blocks = kind === 0 ? 0 : 1 + rnd(255);
    let check = kind + number;
    stream[at++] = 0x7E;
    stream[at++] = kind;
    stream[at++] = number;
    if (kind > 0) {
      stream[at++] = blocks;
      check += blocks;
    }
    let value = rnd(65536);
    for (let i = 0; i < blocks * 12; i++) {
      let c;
      if (kind === 1) c = rnd(256);
      else if (kind === 2) c = rnd(6) === 0 ? 32 : 97 + rnd(26);
      else if (i % 3 === 0) { value += rnd(100) - 50; c = value >> 16; }
      else if (i % 3 === 1) c = value >> 8;
      else c = value;
      stream[at++] = c;
      check += c;
    }
    stream[at++] = rnd(50) === 0 ? check + 1 : check;
    if (rnd(30) === 0) stream[at++] = rnd(100);
    number++;
  }
  return at;
}

function parse(stream, end, start) {
  let state = SYNC, kind = 0, left = 0, check = 0, value = 0;
  let acks = 0, good = 0, bad = 0, lost = 0, words = 0, hash = start;
  for (let i = 0; i < end; i++) {
    const c = stream[i];
    switch (state) {
      case SYNC:
        if (c === 0x7E) state = KIND;
        else lost++;
        break;
      case KIND:
        kind = c;
        check = c;
        state = SEQ;
        break;
      case SEQ:
        check += c;
        if (kind === 0) { acks++; state = CHECK; }
        else state = SIZE;
        break;
      case SIZE:
        check += c;
        left = c * 12;
        state = kind === 1 ? DATA : kind === 2 ? TEXT : HIGH;
        break;
      case DATA:
        check += c;
        hash = (hash * 31 + c) & 0xFFFFFF;
        if (--left === 0) state = CHECK;
        break;
      case TEXT:
        check += c;
        if (c === 32) words++;
        else hash = (hash * 33 + c) & 0xFFFFFF;
        if (--left === 0) state = CHECK;
        break;
      case HIGH:
        check += c;
        value = c << 16;
        state = MIDDLE;
        break;
      case MIDDLE:
        check += c;
        value += c << 8;
        state = LOW;
        break;
      case LOW:
        check += c;
        hash = (hash + value + c) & 0xFFFFFF;
        left -= 3;
        state = left === 0 ? CHECK : HIGH;
        break;
      case CHECK:
        if (c === (check & 255)) good++;
        else bad++;
        state = SYNC;
        break;
    }
  }
  return (acks * 3 + good * 5 + bad * 7 + lost * 11 + words * 13 + hash) & 0xFFFFFF;
}

function bench(n) {
  const stream = new Uint8Array(MAX), end = generate(stream);
  let sum = 0;
  for (let r = 0; r < n; r++) sum = parse(stream, end, (sum + r) & 0xFFFFFF);
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 8000))));
