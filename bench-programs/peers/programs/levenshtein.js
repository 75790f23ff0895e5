"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const N = 500;

function distance(a, b, row) {
  for (let j = 0; j <= N; j++) row[j] = j;
  for (let i = 1; i <= N; i++) {
    let diag = row[0];
    row[0] = i;
    for (let j = 1; j <= N; j++) {
      let d = diag + (a[i - 1] !== b[j - 1] ? 1 : 0);
      diag = row[j];
      if (diag + 1 < d) d = diag + 1;
      if (row[j - 1] + 1 < d) d = row[j - 1] + 1;
      row[j] = d;
    }
  }
  return row[N];
}

function bench(n) {
  const a = new Uint8Array(N), b = new Uint8Array(N), row = new Int32Array(N + 1);
  for (let i = 0; i < N; i++) {
    a[i] = rnd(4);
    b[i] = rnd(4);
  }
  let sum = 0;
  for (let r = 0; r < n; r++) {
    a[r * 7 % N] = r & 3;
    sum += distance(a, b, row);
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 2200))));
