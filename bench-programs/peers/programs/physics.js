"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const COUNT = 1200, DT = 0.002, GRAVITY = -9.81, BALL = 0.08, NEAR = 0.002;
const GAS = 0, SAND = 1, DROP = 2, SPARK = 3;
const bounce = [0.9, 0.2, 0.5, 0.7];

function uniform(low, high) { return low + (high - low) * rnd(10000) / 10000; }

function fillBox() {
  const p = {
    x: new Float64Array(COUNT), y: new Float64Array(COUNT), vx: new Float64Array(COUNT), vy: new Float64Array(COUNT),
    age: new Int32Array(COUNT), material: new Int32Array(COUNT),
  };
  for (let i = 0; i < COUNT; i++) {
    p.x[i] = uniform(0, 1);
    p.y[i] = uniform(0, 1);
    p.vx[i] = uniform(-1, 1);
    p.vy[i] = uniform(-1, 1);
    p.age[i] = rnd(500);
    p.material[i] = i * 4 / COUNT | 0;
  }
  return p;
}

function hitBall(p, i, ball, distance) {
  const nx = (p.x[i] - ball.x) / distance, ny = (p.y[i] - ball.y) / distance;
  const towards = p.vx[i] * nx + p.vy[i] * ny;
  p.x[i] = ball.x + nx * BALL;
  p.y[i] = ball.y + ny * BALL;
  if (towards < 0) {
    p.vx[i] -= (1 + bounce[p.material[i]]) * towards * nx;
    p.vy[i] -= (1 + bounce[p.material[i]]) * towards * ny;
  }
}

function hitWalls(p, i) {
  const kept = bounce[p.material[i]];
  if (p.x[i] < 0 || p.x[i] > 1) {
    p.x[i] = p.x[i] < 0 ? 0 : 1;
    p.vx[i] *= -kept;
  }
  if (p.y[i] < 0 || p.y[i] > 1) {
    p.y[i] = p.y[i] < 0 ? 0 : 1;
    p.vy[i] *= -kept;
  }
}

function step(p, ball) {
  let hits = 0;
  for (let i = 0; i < COUNT; i++) {
    let ax = 0, ay = GRAVITY;
    switch (p.material[i]) {
      case GAS:
        ax = 0.5 - p.x[i] - 0.1 * p.vx[i];
        ay = 0.4 - p.y[i] - 0.1 * p.vy[i];
        break;
      case SAND:
        ax = 0.2 * ball.cosine;
        if (p.y[i] < 0.01) ax -= 4 * p.vx[i];
        break;
      case DROP: {
        const speed = Math.sqrt(p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i]);
        ax = -0.4 * speed * p.vx[i];
        ay -= 0.4 * speed * p.vy[i];
        if (p.y[i] <= 0) {
          p.y[i] = 1;
          p.vy[i] = 0;
        }
        break;
      }
      case SPARK:
        ay *= 0.3;
        p.age[i]++;
        if (p.age[i] > 500) {
          p.age[i] = i % 37;
          p.x[i] = ball.x;
          p.y[i] = ball.y + BALL;
          p.vx[i] = 0.01 * (i % 64) - 0.32;
          p.vy[i] = 2.5;
        }
        break;
    }
    p.vx[i] += ax * DT;
    p.vy[i] += ay * DT;
    p.x[i] += p.vx[i] * DT;
    p.y[i] += p.vy[i] * DT;
    if (p.x[i] < 0 || p.x[i] > 1 || p.y[i] < 0 || p.y[i] > 1) hitWalls(p, i);
    const dx = p.x[i] - ball.x, dy = p.y[i] - ball.y, far = dx * dx + dy * dy;
    if (far < BALL * BALL && far > 0) {
      hitBall(p, i, ball, Math.sqrt(far));
      hits++;
    }
    if (i > 0 && Math.abs(p.x[i] - p.x[i - 1]) < NEAR && Math.abs(p.y[i] - p.y[i - 1]) < NEAR) {
      const vx = p.vx[i];
      p.vx[i] = p.vx[i - 1];
      p.vx[i - 1] = vx;
      hits++;
    }
  }
  return hits;
}

function bench(n) {
  const p = fillBox(), ball = { x: 0, y: 0, cosine: 1, sine: 0 };
  let hits = 0;
  for (let r = 0; r < n; r++) {
    const cosine = 0.9999875 * ball.cosine - 0.005 * ball.sine;
    ball.sine = 0.005 * ball.cosine + 0.9999875 * ball.sine;
    ball.cosine = cosine;
    ball.x = 0.5 + 0.3 * cosine;
    ball.y = 0.5 + 0.3 * ball.sine;
    hits += step(p, ball);
  }
  let sum = 0;
  for (let i = 0; i < COUNT; i++) sum += p.x[i] + 2 * p.y[i] + 0.1 * p.vx[i] + 0.2 * p.vy[i];
  return Math.floor(sum * 1e6) + hits;
}

console.log(String(bench(Number(process.argv[2] || 50000))));
