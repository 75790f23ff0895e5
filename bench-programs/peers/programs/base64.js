"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const SIZE = 24576, LINE = 76;
const letters = Uint8Array.from(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", c => c.charCodeAt(0));

function encode(c, src, size, dst) {
  let out = 0;
  for (let i = 0; i < size; i++) {
    const b = src[i];
    switch (c.state) {
      case 0:
        dst[out++] = letters[b >> 2];
        c.rest = (b & 3) << 4;
        c.state = 1;
        break;
      case 1:
        dst[out++] = letters[c.rest | b >> 4];
        c.rest = (b & 15) << 2;
        c.state = 2;
        break;
      default:
        dst[out++] = letters[c.rest | b >> 6];
        dst[out++] = letters[b & 63];
        c.state = 0;
        c.column += 4;
        if (c.column === LINE) {
          dst[out++] = 10;
          c.column = 0;
        }
    }
  }
  return out;
}

function decode(c, values, src, size, dst) {
  let out = 0;
  for (let i = 0; i < size; i++) {
    const v = values[src[i]];
    if (v < 0) continue;
    switch (c.state) {
      case 0:
        c.rest = v << 2;
        c.state = 1;
        break;
      case 1:
        dst[out++] = c.rest | v >> 4;
        c.rest = (v & 15) << 4;
        c.state = 2;
        break;
      case 2:
        dst[out++] = c.rest | v >> 2;
        c.rest = (v & 3) << 6;
        c.state = 3;
        break;
      default:
        dst[out++] = c.rest | v;
        c.state = 0;
    }
  }
  return out;
}

function bench(n) {
  const data = new Uint8Array(SIZE), coded = new Uint8Array(SIZE * 2), back = new Uint8Array(SIZE + 4);
  for (let i = 0; i < SIZE; i++) data[i] = rnd(256);
  const values = new Int32Array(256).fill(-1);
  for (let i = 0; i < 64; i++) values[letters[i]] = i;
  let sum = 0;
  for (let r = 0; r < n; r++) {
    data[rnd(SIZE)] = rnd(256);
    const size = encode({ state: 0, rest: 0, column: 0 }, data, SIZE, coded);
    const read = decode({ state: 0, rest: 0, column: 0 }, values, coded, size, back);
    sum = (sum * 31 + size + read + coded[rnd(size)] + back[rnd(read)]) >>> 0;
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 8000))));
