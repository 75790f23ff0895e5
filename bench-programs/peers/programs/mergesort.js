"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const N = 20000;

function sort(a, tmp, lo, hi) {
  if (hi - lo < 2) return;
  const mid = (lo + hi) >> 1;
  sort(a, tmp, lo, mid);
  sort(a, tmp, mid, hi);
  let i = lo, j = mid, k = lo;
  while (i < mid && j < hi) {
    if (a[i] <= a[j]) tmp[k++] = a[i++];
    else tmp[k++] = a[j++];
  }
  while (i < mid) tmp[k++] = a[i++];
  while (j < hi) tmp[k++] = a[j++];
  for (let m = lo; m < hi; m++) a[m] = tmp[m];
}

function bench(n) {
  const source = new Int32Array(N), a = new Int32Array(N), tmp = new Int32Array(N);
  for (let i = 0; i < N; i++) source[i] = rnd(1000000);
  let sum = 0;
  for (let r = 0; r < n; r++) {
    const flip = r & 1023;
    for (let i = 0; i < N; i++) a[i] = source[i] ^ flip;
    sort(a, tmp, 0, N);
    sum += a[r * 37 % N];
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 350))));
