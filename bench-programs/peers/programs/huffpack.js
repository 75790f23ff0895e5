"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const SIZE = 32768;

function prose(text) {
  const words = [
    "the ", "of ", "and ", "a ", "to ", "in ", "path ", "was worn ", "deep ", "by feet ", "holloway ", "between ",
    "banks; ", "lane.\n",
  ];
  let size = 0;
  while (size < SIZE) {
    const word = words[Math.min(rnd(words.length), rnd(words.length))];
    const length = Math.min(word.length, SIZE - size);
    for (let i = 0; i < length; i++) text[size + i] = word.charCodeAt(i);
    size += length;
  }
}

function generate(kind) {
  const text = new Uint8Array(SIZE);
  switch (kind) {
    case 0: prose(text); break;
    case 1: for (let i = 0; i < Math.floor(SIZE / 40); i++) text[rnd(SIZE)] = 1 << rnd(8); break;
    default: for (let i = 0; i < SIZE; i++) text[i] = rnd(100);
  }
  return text;
}

function lightest(t, count, except) {
  const weight = t.weight, parent = t.parent;
  let best = -1;
  for (let i = 0; i < count; i++) {
    if (weight[i] > 0 && parent[i] < 0 && i !== except && (best < 0 || weight[i] < weight[best])) best = i;
  }
  return best;
}

function build(text) {
  const t = {
    weight: new Int32Array(512), child: new Int32Array(1024), parent: new Int32Array(512).fill(-1), root: 256,
  };
  for (let i = 0; i < SIZE; i++) t.weight[text[i]]++;
  for (let count = 256;; count++) {
    const a = lightest(t, count, -1), b = lightest(t, count, a);
    if (b < 0) return t;
    t.weight[count] = t.weight[a] + t.weight[b];
    t.child[2 * count] = a;
    t.child[2 * count + 1] = b;
    t.parent[a] = t.parent[b] = count;
    t.root = count;
  }
}

function pack(t, text, bits) {
  const code = new Int32Array(256), length = new Int32Array(256);
  for (let c = 0; c < 256; c++) {
    for (let node = c; t.weight[c] > 0 && node !== t.root; node = t.parent[node]) {
      if (t.child[2 * t.parent[node] + 1] === node) code[c] |= 1 << length[c];
      length[c]++;
    }
  }
  let size = 0, pending = 0, held = 0;
  for (let i = 0; i < SIZE; i++) {
    const c = text[i];
    pending = pending << length[c] | code[c];
    held += length[c];
    while (held >= 8) {
      held -= 8;
      bits[size++] = pending >> held;
    }
    pending &= 255;
  }
  bits[size] = pending << 8 - held;
  return size * 8 + held;
}

function unpack(t, bits, count, out) {
  const child = t.child;
  let size = 0, node = t.root;
  for (let i = 0; i < count; i++) {
    const bit = bits[i >> 3] >> 7 - (i & 7) & 1;
    node = child[2 * node + bit];
    if (node < 256) {
      out[size++] = node;
      node = t.root;
    }
  }
  return size;
}

function bench(n) {
  const bits = new Uint8Array(SIZE * 4), out = new Uint8Array(SIZE);
  let sum = 0;
  for (let kind = 0; kind < 3; kind++) {
    const text = generate(kind);
    for (let r = 0; r < n; r++) {
      text[r * 7 % SIZE] = text[r * 11 % SIZE];
      const t = build(text), count = pack(t, text, bits);
      sum += count + unpack(t, bits, count, out);
      for (let i = r % 32; i < SIZE; i += 32) sum += out[i] === text[i] ? 1 : 0;
    }
    for (let i = 0; i < SIZE; i++) sum = (sum * 31 + out[i]) % 4294967296;
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 500))));
