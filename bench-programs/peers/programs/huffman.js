"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const SIZE = 32768;

function generate(text) {
  let i = 0;
  while (i < SIZE) {
    const kind = rnd(8), end = Math.min(i + 200 + rnd(1500), SIZE), width = 2 + rnd(3);
    for (; i < end; i++) {
      if (kind < 3) text[i] = 32;
      else if (kind === 3) text[i] = 45;
      else if (kind < 7) text[i] = i % width === 0 ? 124 : 32;
      else if (rnd(6) === 0) text[i] = rnd(10) === 0 ? 10 : 32;
      else text[i] = 97 + Math.floor(rnd(26) * rnd(26) / 26);
    }
  }
}

function build(text, left, right) {
  const weight = new Int32Array(512);
  for (let i = 0; i < SIZE; i++) weight[text[i]]++;
  for (let next = 256;; next++) {
    let a = -1, b = -1;
    for (let i = 0; i < next; i++) {
      if (weight[i] > 0) {
        if (a < 0 || weight[i] < weight[a]) { b = a; a = i; }
        else if (b < 0 || weight[i] < weight[b]) b = i;
      }
    }
    if (b < 0) return a;
    left[next] = a;
    right[next] = b;
    weight[next] = weight[a] + weight[b];
    weight[a] = weight[b] = 0;
  }
}

function encode(text, left, right, root, bits) {
  const parent = new Int32Array(512), path = new Int32Array(64);
  let size = 0;
  for (let i = 256; i <= root; i++) parent[left[i]] = parent[right[i]] = i;
  for (let i = 0; i < SIZE; i++) {
    let node = text[i], depth = 0;
    while (node !== root) {
      path[depth++] = right[parent[node]] === node ? 1 : 0;
      node = parent[node];
    }
    while (depth > 0) {
      if (path[--depth] !== 0) bits[size >> 3] |= 128 >> (size & 7);
      size++;
    }
  }
  return size;
}

function decode(bits, size, left, right, root, start) {
  let node = root, hash = start, column = 0;
  for (let i = 0; i < size; i++) {
    if ((bits[i >> 3] >> (7 - (i & 7)) & 1) === 0) node = left[node];
    else node = right[node];
    if (node < 256) {
      if (node === 10) {
        hash = (hash + column) & 0xFFFFFF;
        column = 0;
      } else {
        hash = (hash * 31 + node) & 0xFFFFFF;
        column++;
      }
      node = root;
    }
  }
  return hash;
}

function bench(n) {
  const text = new Uint8Array(SIZE), bits = new Uint8Array(SIZE);
  const left = new Int32Array(512), right = new Int32Array(512);
  generate(text);
  const root = build(text, left, right), size = encode(text, left, right, root, bits);
  let sum = 0;
  for (let r = 0; r < n; r++) sum = decode(bits, size, left, right, root, (sum + r) & 0xFFFFFF);
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 5000))));
