"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const N = 2000, DEGREE = 8;

function push(heap, v) {
  const a = heap.items;
  let i = heap.size++;
  while (i > 0) {
    const p = (i - 1) >> 1;
    if (a[p] <= v) break;
    a[i] = a[p];
    i = p;
  }
  a[i] = v;
}

function pop(heap) {
  const a = heap.items, top = a[0], size = --heap.size, v = a[size];
  let i = 0;
  for (;;) {
    let c = 2 * i + 1;
    if (c >= size) break;
    if (c + 1 < size && a[c + 1] < a[c]) c++;
    if (a[c] >= v) break;
    a[i] = a[c];
    i = c;
  }
  a[i] = v;
  return top;
}

function shortest(heap, target, weight, dist, source) {
  dist.fill(1000000);
  dist[source] = 0;
  heap.size = 0;
  push(heap, source);
  while (heap.size > 0) {
    const top = pop(heap), d = top / 2048 | 0, u = top % 2048;
    if (d > dist[u]) continue;
    for (let k = u * DEGREE; k < u * DEGREE + DEGREE; k++) {
      const v = target[k], candidate = d + weight[k];
      if (candidate < dist[v]) {
        dist[v] = candidate;
        push(heap, candidate * 2048 + v);
      }
    }
  }
}

function bench(n) {
  const target = new Int32Array(N * DEGREE), weight = new Int32Array(N * DEGREE), dist = new Int32Array(N);
  for (let i = 0; i < N * DEGREE; i++) {
    target[i] = rnd(N);
    weight[i] = 1 + rnd(100);
  }
  const heap = { items: new Int32Array(N * DEGREE + 2), size: 0 };
  let sum = 0;
  for (let r = 0; r < n; r++) {
    shortest(heap, target, weight, dist, r % N);
    for (let i = 0; i < N; i++) sum += dist[i];
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 1600))));
