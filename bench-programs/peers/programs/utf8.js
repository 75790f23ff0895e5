"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const SIZE = 49152;

function put(out, at, c) {
  if (c < 0x80) {
    out[at++] = c;
  } else if (c < 0x800) {
    out[at++] = 0xC0 | c >> 6;
    out[at++] = 0x80 | c & 63;
  } else {
    out[at++] = 0xE0 | c >> 12;
    out[at++] = 0x80 | c >> 6 & 63;
    out[at++] = 0x80 | c & 63;
  }
  return at;
}

function generate(data) {
  let size = 0, script = 0;
  while (size < SIZE) {
    const end = Math.min(SIZE, size + 3000 + rnd(6000));
    while (size < end) {
      let c;
      switch (script) {
        case 0: c = 32 + rnd(95); break;
        case 1: c = 0x410 + rnd(64); break;
        default: c = 0x4E00 + rnd(8000);
      }
      size = put(data, size, c);
    }
    script = (script + 1) % 3;
  }
  return size;
}

function decode(src, size, found) {
  let need = 0, code = 0;
  for (let i = 0; i < size; i++) {
    const b = src[i];
    if (need === 0) {
      if (b < 0x80) {
        found.letters++;
        found.sum = (found.sum + b) & 0xFFFFFFF;
      } else if (b < 0xC0) {
        found.bad++;
      } else if (b < 0xE0) {
        need = 1;
        code = b & 31;
      } else if (b < 0xF0) {
        need = 2;
        code = b & 15;
      } else {
        found.bad++;
      }
    } else if ((b & 0xC0) === 0x80) {
      code = code << 6 | b & 63;
      need--;
      if (need === 0) {
        found.letters++;
        found.sum = (found.sum + code) & 0xFFFFFFF;
      }
    } else {
      found.bad++;
      need = 0;
    }
  }
}

function bench(n) {
  const data = new Uint8Array(SIZE + 8);
  const size = generate(data);
  const found = { letters: 0, bad: 0, sum: 0 };
  for (let r = 0; r < n; r++) decode(data, size, found);
  return (found.sum * 31 + found.letters + found.bad * 7) >>> 0;
}

console.log(String(bench(Number(process.argv[2] || 8000))));
