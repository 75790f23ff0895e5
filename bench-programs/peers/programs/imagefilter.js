"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const WIDTH = 160, HEIGHT = 120;
const BLUR = 0, SHARPEN = 1, MEDIAN = 2, EDGES = 3, THRESHOLD = 4;
const BLACK = 0, NEAREST = 1, WRAP = 2;
const weights = [
  Int32Array.of(1, 2, 1, 2, 4, 2, 1, 2, 1),
  Int32Array.of(0, -1, 0, -1, 8, -1, 0, -1, 0),
];

function paint(mode, border) {
  const pixels = new Uint8Array(WIDTH * HEIGHT);
  for (let i = 0; i < pixels.length; i++) pixels[i] = i % WIDTH + rnd(20);
  for (let shape = 0; shape < 30; shape++) {
    const x = rnd(WIDTH - 30), y = rnd(HEIGHT - 20), shade = rnd(256);
    for (let dy = 0; dy < 20; dy++) {
      for (let dx = 0; dx < 30; dx++) pixels[(y + dy) * WIDTH + x + dx] = shade + dx;
    }
  }
  return { pixels, mode, border };
}

function pixel(image, x, y) {
  if (x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT) return image.pixels[y * WIDTH + x];
  switch (image.border) {
    case NEAREST:
      return image.pixels[Math.min(Math.max(y, 0), HEIGHT - 1) * WIDTH + Math.min(Math.max(x, 0), WIDTH - 1)];
    case WRAP: return image.pixels[(y + HEIGHT) % HEIGHT * WIDTH + (x + WIDTH) % WIDTH];
    default: return 0;
  }
}

function convolve(near, weight) {
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += near[i] * weight[i];
  return sum;
}

function median(near) {
  for (let i = 1; i < 9; i++) {
    const v = near[i];
    let k = i;
    for (; k > 0 && near[k - 1] > v; k--) near[k] = near[k - 1];
    near[k] = v;
  }
  return near[4];
}

function filter(image, out, near) {
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      for (let i = 0; i < 9; i++) near[i] = pixel(image, x + i % 3 - 1, y + (i / 3 | 0) - 1);
      let v;
      switch (image.mode) {
        case BLUR: v = convolve(near, weights[0]) / 16 | 0; break;
        case SHARPEN: v = Math.min(Math.max(convolve(near, weights[1]) / 4 | 0, 0), 255); break;
        case MEDIAN: v = median(near); break;
        case EDGES: {
          const gx = near[2] + 2 * near[5] + near[8] - near[0] - 2 * near[3] - near[6];
          const gy = near[6] + 2 * near[7] + near[8] - near[0] - 2 * near[1] - near[2];
          v = Math.min(Math.abs(gx) + Math.abs(gy), 255);
          break;
        }
        default: v = near[4] * 16 > convolve(near, weights[0]) ? 255 : 0;
      }
      out[y * WIDTH + x] = v;
    }
  }
}

function bench(n) {
  const album = [
    paint(BLUR, NEAREST), paint(MEDIAN, NEAREST), paint(EDGES, BLACK), paint(MEDIAN, WRAP),
    paint(SHARPEN, NEAREST), paint(THRESHOLD, BLACK), paint(BLUR, WRAP),
  ];
  const out = new Uint8Array(WIDTH * HEIGHT), near = new Int32Array(9);
  let sum = 0;
  for (let r = 0; r < n; r++) {
    for (const image of album) {
      filter(image, out, near);
      for (let i = 0; i < out.length; i += 7) sum += out[i] * (i & 15);
      image.pixels[r * 131 % out.length] = r;
    }
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 90))));
