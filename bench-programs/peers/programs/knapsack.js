"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const ITEMS = 100, CAPACITY = 10000;

function pack(weight, value, best) {
  best.fill(0);
  for (let i = 0; i < ITEMS; i++) {
    const wi = weight[i], vi = value[i];
    for (let w = CAPACITY; w >= wi; w--) {
      const t = best[w - wi] + vi;
      if (t > best[w]) best[w] = t;
    }
  }
  return best[CAPACITY];
}

function bench(n) {
  const weight = new Int32Array(ITEMS), value = new Int32Array(ITEMS), best = new Int32Array(CAPACITY + 1);
  for (let i = 0; i < ITEMS; i++) {
    weight[i] = 50 + rnd(500);
    value[i] = 1 + rnd(1000);
  }
  let sum = 0;
  for (let r = 0; r < n; r++) {
    const k = r % ITEMS;
    value[k] = 1 + value[k] * 7 % 1000;
    sum += pack(weight, value, best);
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 750))));
