"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const N = 128, CELLS = N * N;

function generation(g, o) {
  for (let y = 0; y < N; y++) {
    const up = (y + N - 1) % N * N, row = y * N, down = (y + 1) % N * N;
    for (let x = 0; x < N; x++) {
      const l = (x + N - 1) % N, r = (x + 1) % N;
      const s = g[up + l] + g[up + x] + g[up + r] + g[row + l] + g[row + r]
        + g[down + l] + g[down + x] + g[down + r];
      o[row + x] = s === 3 || s === 2 && g[row + x] === 1 ? 1 : 0;
    }
  }
}

function bench(n) {
  const grids = [new Uint8Array(CELLS), new Uint8Array(CELLS)];
  for (let i = 0; i < CELLS; i++) grids[0][i] = rnd(3) === 0 ? 1 : 0;
  let current = 0;
  for (let r = 0; r < n; r++) {
    generation(grids[current], grids[1 - current]);
    current = 1 - current;
    grids[current][r * 131 % CELLS] = 1;
  }
  const last = grids[current];
  let sum = 0;
  for (let i = 0; i < CELLS; i++) sum += last[i] * (i % 101 + 1);
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 9000))));
