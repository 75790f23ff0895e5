"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const RECORDS = 1000, FIELDS = 7;
const VARINT = 0, ZIGZAG = 1, BOOLEAN = 2, FIXED = 3, TEXT = 4, DELTA = 5;

const kinds = Int32Array.of(DELTA, FIXED, BOOLEAN, VARINT, TEXT, ZIGZAG, BOOLEAN);

function put_varint(out, at, v) {
  while (v >= 128) {
    out[at++] = v & 127 | 128;
    v >>= 7;
  }
  out[at++] = v;
  return at;
}

function write_records(kinds, values, names, out) {
  let at = 0, before = 0;
  for (let r = 0; r < RECORDS; r++) {
    for (let f = 0; f < FIELDS; f++) {
      const value = values[r * FIELDS + f], kind = kinds[f];
      out[at++] = f << 3 | kind;
      switch (kind) {
        case VARINT:
          at = put_varint(out, at, value);
          break;
        case ZIGZAG:
          at = put_varint(out, at, value << 1 ^ value >> 31);
          break;
        case BOOLEAN:
          out[at++] = value & 1;
          break;
        case FIXED:
          out[at] = value;
          out[at + 1] = value >> 8;
          out[at + 2] = value >> 16;
          out[at + 3] = value >> 24;
          at += 4;
          break;
        case TEXT:
          out[at++] = 8;
          for (let i = 0; i < 8; i++) out[at + i] = names[value * 8 + i];
          at += 8;
          break;
        case DELTA:
          at = put_varint(out, at, value - before);
          before = value;
          break;
      }
    }
  }
  return at;
}

function bench(n) {
  const values = new Int32Array(RECORDS * FIELDS);
  for (let r = 0; r < RECORDS; r++) {
    const to = r * FIELDS;
    values[to] = r * 3 + rnd(3);
    values[to + 1] = lcg();
    values[to + 2] = rnd(2);
    values[to + 3] = 20 + rnd(60);
    values[to + 4] = rnd(16);
    values[to + 5] = rnd(100) - 50;
    values[to + 6] = rnd(2);
  }
  const names = new Uint8Array(128), out = new Uint8Array(RECORDS * FIELDS * 10);
  for (let i = 0; i < 128; i++) names[i] = 97 + rnd(26);
  let sum = 0;
  for (let r = 0; r < n; r++) {
    values[rnd(RECORDS) * FIELDS + 3] = rnd(80);
    const size = write_records(kinds, values, names, out);
    sum = (sum * 31 + size + out[rnd(size)]) >>> 0;
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 20000))));
