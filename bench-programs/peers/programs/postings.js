"use strict";
const DOCUMENTS = 1000;
let seed = 42;

function rnd(m) {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return (seed >>> 8) % m;
}

function word() { return `w${rnd(1 + rnd(1 + rnd(400)))}`; }

function build(documents) {
  const index = { places: new Map(), tags: new Map() };
  for (let id = 0; id < documents; id++) {
    const length = 20 + rnd(20);
    for (let at = 0; at < length; at++) {
      const w = word();
      if (!index.places.has(w)) index.places.set(w, []);
      index.places.get(w).push([id, at]);
    }
    for (let k = 1 + rnd(2); k > 0; k--) {
      const tag = `tag${rnd(12)}`;
      if (!index.tags.has(tag)) index.tags.set(tag, new Set());
      index.tags.get(tag).add(id);
    }
  }
  return index;
}

function documents(index, word) {
  const found = [];
  for (const [id] of index.places.get(word) ?? []) {
    if (found.length > 0 && found[found.length - 1][0] === id) {
      found[found.length - 1] = [id, found[found.length - 1][1] + 1];
    } else {
      found.push([id, 1]);
    }
  }
  return found;
}

function both(a, b) {
  const found = [];
  let i = 0, k = 0;
  while (i < a.length && k < b.length) {
    const [x, m] = a[i], [y, n] = b[k];
    if (x === y) found.push([x, m + n]);
    if (x <= y) i++;
    if (y <= x) k++;
  }
  return found;
}

function phrase(index, first, second) {
  const after = new Set((index.places.get(second) ?? []).map(([id, at]) => id * 1024 + at));
  return (index.places.get(first) ?? []).filter(([id, at]) => after.has(id * 1024 + at + 1));
}

function search(index) {
  const a = word(), b = word(), tag = `tag${rnd(12)}`;
  if (rnd(4) === 0) return phrase(index, a, b).reduce((sum, p) => (sum * 7 + p[0]) & 0xFFFF, 0);
  const tagged = index.tags.get(tag);
  const hits = both(documents(index, a), documents(index, b)).filter((hit) => tagged.has(hit[0]));
  hits.sort((p, q) => q[1] - p[1] || p[0] - q[0]);
  return hits.slice(0, 10).reduce((sum, hit) => (sum * 31 + hit[0] + hit[1]) & 0xFFFFF, hits.length);
}

function bench(n) {
  const index = build(DOCUMENTS);
  let sum = index.places.size;
  for (let i = 0; i < n * 100; i++) sum = (sum * 31 + search(index)) >>> 0;
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 120))));
