"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const BLOCK = 1024;
const GAIN = 0, LOWPASS = 1, HIGHPASS = 2, PEAK = 3, LIMIT = 4;

class Band {
  constructor(kind, amount) {
    this.kind = kind;
    this.amount = amount;
    this.last = 0.0;
    this.before = 0.0;
  }
}

function sample() { return (rnd(2000) - 1000) / 1000; }

function equalize(bands, samples) {
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) {
    let x = samples[i];
    for (const band of bands) {
      switch (band.kind) {
        case GAIN:
          x *= band.amount;
          break;
        case LOWPASS:
          band.last += (x - band.last) * band.amount;
          x = band.last;
          break;
        case HIGHPASS:
          band.last += (x - band.last) * band.amount;
          x -= band.last;
          break;
        case PEAK: {
          const y = x + band.amount * (band.last - band.before * 0.5);
          band.before = band.last;
          band.last = y * 0.5;
          x = y;
          break;
        }
        case LIMIT:
          if (x > band.amount) x = band.amount;
          else if (x < -band.amount) x = -band.amount;
          break;
      }
    }
    sum += Math.abs(x);
  }
  return sum;
}

function bench(n) {
  const bands = [
    new Band(GAIN, 0.875), new Band(HIGHPASS, 0.03125), new Band(PEAK, 0.25), new Band(LOWPASS, 0.375),
    new Band(LIMIT, 0.9375),
  ];
  const samples = new Float64Array(BLOCK);
  for (let i = 0; i < BLOCK; i++) samples[i] = sample();
  let sum = 0;
  for (let r = 0; r < n; r++) {
    samples[rnd(BLOCK)] = sample();
    sum += equalize(bands, samples);
  }
  return Math.floor(sum * 1000);
}

console.log(String(bench(Number(process.argv[2] || 40000))));
