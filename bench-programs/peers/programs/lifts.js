"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const DAY = 8000, FLOORS = 16, CARS = 4, ROOM = 8, RIDE = 12, OPEN = 40;
const IDLE = 0, UP = 1, DOWN = 2, DOORS = 3;
const gaps = Int32Array.of(30, 80, 30, 600);

class Car {
  constructor() {
    this.state = IDLE;
    this.timer = 0;
    this.floor = 0;
    this.goal = -1;
    this.load = 0;
    this.stops = new Int32Array(FLOORS);
  }
}

class House {
  constructor() {
    this.waiting = new Int32Array(FLOORS);
    this.claimed = new Uint8Array(FLOORS);
    this.calls = 0;
    this.hash = 0;
  }
}

function claim(h, floor) {
  if (h.claimed[floor] === 0) {
    h.claimed[floor] = 1;
    if (h.waiting[floor] > 0) h.calls--;
  }
}

function release(h, floor) {
  if (h.claimed[floor] !== 0) {
    h.claimed[floor] = 0;
    if (h.waiting[floor] > 0) h.calls++;
  }
}

function come(h, phase) {
  const floor = phase === 0 ? 0 : rnd(FLOORS);
  if (h.waiting[floor] === 0 && h.claimed[floor] === 0) h.calls++;
  h.waiting[floor]++;
}

function open(h, car) {
  if (car.goal >= 0) release(h, car.goal);
  car.goal = -1;
  claim(h, car.floor);
  car.state = DOORS;
  car.timer = OPEN;
}

function start(car, state) {
  car.state = state;
  car.timer = RIDE;
}

function answer(h, car) {
  let best = -1;
  for (let f = 0; f < FLOORS; f++)
    if (h.waiting[f] > 0 && h.claimed[f] === 0)
      if (best < 0 || Math.abs(f - car.floor) < Math.abs(best - car.floor)) best = f;
  if (best === car.floor) {
    open(h, car);
  } else {
    claim(h, best);
    car.goal = best;
    start(car, best > car.floor ? UP : DOWN);
  }
}

function pass(h, car) {
  const f = car.floor;
  if (car.stops[f] > 0 || f === car.goal || (h.waiting[f] > 0 && car.load < ROOM)) open(h, car);
  else car.timer = RIDE;
}

function exchange(h, car, phase) {
  const f = car.floor;
  claim(h, f);
  car.load -= car.stops[f];
  h.hash = (h.hash * 31 + car.stops[f] * FLOORS + f) & 0xFFFFFF;
  car.stops[f] = 0;
  while (h.waiting[f] > 0 && car.load < ROOM) {
    let to = 0;
    if (phase !== 2 || f === 0) {
      to = rnd(FLOORS - 1);
      if (to >= f) to++;
    }
    h.waiting[f]--;
    car.stops[to]++;
    car.load++;
  }
  release(h, f);
}

function leave(car) {
  for (let f = car.floor + 1; f < FLOORS; f++)
    if (car.stops[f] > 0) { start(car, UP); return; }
  if (car.load > 0) start(car, DOWN);
  else car.state = IDLE;
}

function simulate(h, cars, ticks) {
  let phase = 0, gap = 0;
  for (let t = 0; t < ticks; t++) {
    if (gap === 0) {
      phase = Math.floor(t % DAY / (DAY / 4));
      come(h, phase);
      gap = gaps[phase] + rnd(gaps[phase]);
    }
    gap--;
    for (const car of cars) {
      switch (car.state) {
        case IDLE: if (h.calls > 0) answer(h, car); break;
        case UP: if (--car.timer === 0) { car.floor++; pass(h, car); } break;
        case DOWN: if (--car.timer === 0) { car.floor--; pass(h, car); } break;
        case DOORS: if (--car.timer === 0) { exchange(h, car, phase); leave(car); } break;
      }
    }
  }
}

function bench(n) {
  const h = new House(), cars = [];
  for (let i = 0; i < CARS; i++) cars.push(new Car());
  simulate(h, cars, n * DAY);
  return h.hash;
}

console.log(String(bench(Number(process.argv[2] || 6000))));
