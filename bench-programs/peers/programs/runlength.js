"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const WIDTH = 256, SIZE = 65536;

function paint(image) {
  for (let i = 0; i < 40; i++) {
    const wide = 32 + rnd(160), high = 16 + rnd(100), x = rnd(WIDTH - wide), y = rnd(WIDTH - high);
    const colour = rnd(256), gap = i % 2 === 0 ? 3 + rnd(4) : 1;
    for (let row = y; row < y + high; row++)
      for (let column = x; column < x + wide; column += gap) image[row * WIDTH + column] = colour;
  }
  for (let i = 0; i < 12; i++) {
    const row = rnd(WIDTH);
    for (let column = 0; column < WIDTH; column++) image[row * WIDTH + column] = rnd(256);
  }
}

function flush(image, start, count, out, size) {
  if (count === 0) return size;
  out[size] = count - 1;
  for (let i = 0; i < count; i++) out[size + 1 + i] = image[start + i];
  return size + 1 + count;
}

function encode(image, out) {
  let size = 0, run = 1, literals = 0;
  for (let i = 1; i <= SIZE; i++) {
    if (i < SIZE && image[i] === image[i - 1] && run < 130) {
      run++;
      continue;
    }
    if (run > 2) {
      size = flush(image, i - run - literals, literals, out, size);
      literals = 0;
      out[size] = run + 125;
      out[size + 1] = image[i - 1];
      size += 2;
    } else {
      literals += run;
      if (literals > 126) {
        size = flush(image, i - literals, literals, out, size);
        literals = 0;
      }
    }
    run = 1;
  }
  return flush(image, SIZE - literals, literals, out, size);
}

function decode(coded, image, start) {
  let hash = start, at = 0, left = 0, literal = false, value = 0, last = 0, edges = 0, column = 0;
  for (let i = 0; i < SIZE; i++) {
    if (left === 0) {
      const c = coded[at++];
      literal = c < 128;
      if (literal) {
        left = c + 1;
      } else {
        left = c - 125;
        value = coded[at++];
      }
    }
    left--;
    if (literal) value = coded[at++];
    image[i] = value;
    if (value !== last) {
      edges++;
      last = value;
    }
    if (++column === WIDTH) {
      hash = (hash * 31 + edges * 256 + value) & 0xFFFFFF;
      column = 0;
    }
  }
  return hash;
}

function bench(n) {
  const image = new Uint8Array(SIZE), copied = new Uint8Array(SIZE), coded = new Uint8Array(2 * SIZE);
  let sum = 0;
  paint(image);
  for (let r = 0; r < n; r++) {
    image[r & 255] = r & 15;
    const size = encode(image, coded);
    sum = decode(coded, copied, (sum + size) & 0xFFFFFF);
    sum = (sum + copied[r * 977 & (SIZE - 1)]) & 0xFFFFFF;
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 3500))));
