"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const N = 1000, K = 8;

function bench(n) {
  const px = new Float64Array(N), py = new Float64Array(N), pz = new Float64Array(N);
  const cx = new Float64Array(K), cy = new Float64Array(K), cz = new Float64Array(K);
  const sx = new Float64Array(K), sy = new Float64Array(K), sz = new Float64Array(K);
  const count = new Int32Array(K);
  for (let i = 0; i < N; i++) {
    px[i] = rnd(1000) / 10 + i % 5 * 30;
    py[i] = rnd(1000) / 10 + i % 3 * 40;
    pz[i] = rnd(1000) / 10 + i % 2 * 50;
  }
  for (let k = 0; k < K; k++) {
    cx[k] = px[k * 7];
    cy[k] = py[k * 7];
    cz[k] = pz[k * 7];
  }
  for (let r = 0; r < n; r++) {
    sx.fill(0);
    sy.fill(0);
    sz.fill(0);
    count.fill(0);
    for (let i = 0; i < N; i++) {
      const x = px[i], y = py[i], z = pz[i];
      let best = 1e30, nearest = 0;
      for (let k = 0; k < K; k++) {
        const dx = x - cx[k], dy = y - cy[k], dz = z - cz[k];
        const d = dx * dx + dy * dy + dz * dz;
        if (d < best) {
          best = d;
          nearest = k;
        }
      }
      sx[nearest] += x;
      sy[nearest] += y;
      sz[nearest] += z;
      count[nearest]++;
    }
    for (let k = 0; k < K; k++) {
      if (count[k] > 0) {
        cx[k] = sx[k] / count[k];
        cy[k] = sy[k] / count[k];
        cz[k] = sz[k] / count[k];
      }
    }
    px[r % N] += 0.5;
  }
  let sum = 0;
  for (let k = 0; k < K; k++) sum += cx[k] + cy[k] + cz[k];
  return Math.floor(sum * 1e6);
}

console.log(String(bench(Number(process.argv[2] || 50000))));
