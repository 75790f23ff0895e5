"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const BLOCK = 512, CHANNELS = 4, WAVE = 1024, DELAY = 3000;
const SILENCE = 0, GAIN = 1, LOWPASS = 2, CLIP = 3;

function change(c) {
  c.mode = rnd(5);
  c.left = 300 + rnd(3000);
  c.level = 64 + rnd(192);
  c.step = 40 + rnd(400);
}

function mix(c, wave, out) {
  for (let t = 0; t < BLOCK; t++) {
    if (c.left === 0) change(c);
    c.left--;
    c.phase = (c.phase + c.step) & 0xFFFF;
    let x = wave[c.phase >> 6];
    if (c.mode === SILENCE) {
      continue;
    } else if (c.mode === GAIN) {
      x = x * c.level >> 8;
    } else if (c.mode === LOWPASS) {
      c.low += (x - c.low) * c.level >> 8;
      x = c.low;
    } else if (c.mode === CLIP) {
      const limit = c.level * 40;
      if (x > limit) x = limit + ((x - limit) >> 2);
      else if (x < -limit) x = ((x + limit) >> 2) - limit;
    } else {
      x = (x + c.delay[c.at]) >> 1;
      c.delay[c.at] = x;
      c.at++;
      if (c.at === DELAY) c.at = 0;
    }
    out[t] += x;
  }
}

function bench(n) {
  const wave = new Int32Array(WAVE), out = new Int32Array(BLOCK), channels = [];
  for (let i = 0; i < WAVE; i++) {
    const half = i & 511, y = half * (512 - half) * 12000 >> 16;
    wave[i] = i < 512 ? y : -y;
  }
  for (let i = 0; i < CHANNELS; i++) {
    const delay = new Int32Array(DELAY);
    channels.push({ mode: 0, left: 0, level: 0, step: 0, phase: i * 9973, low: 0, at: 0, delay });
  }
  let sum = 0, saturated = 0;
  for (let b = 0; b < n; b++) {
    out.fill(0);
    for (let i = 0; i < CHANNELS; i++) mix(channels[i], wave, out);
    for (let t = 0; t < BLOCK; t++) {
      let v = out[t];
      if (v > 32767) { v = 32767; saturated++; }
      else if (v < -32768) { v = -32768; saturated++; }
      sum = (sum * 31 + v) & 0xFFFFFF;
    }
  }
  return saturated * 16777216 + sum;
}

console.log(String(bench(Number(process.argv[2] || 150000))));
