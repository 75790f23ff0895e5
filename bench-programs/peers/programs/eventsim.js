"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const LINES = 4, STATIONS = 3;
const ARRIVE = 0, START = 1, FINISH = 2, MOVE = 3, FAIL = 4, REPAIR = 5;

class Station {
  constructor(service) {
    this.waiting = 0;
    this.busy = false;
    this.broken = false;
    this.service = service;
    this.finished = 0;
    this.idle_since = 0;
    this.idle = 0;
  }
}

// An event has more than 32 bits.
function schedule(q, time, kind, station) {
  const events = q.events, event = time * 65536 + (kind << 8 | station);
  let i = q.size++;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (events[parent] <= event) break;
    events[i] = events[parent];
    i = parent;
  }
  events[i] = event;
}

function next(q) {
  const events = q.events, first = events[0], event = events[--q.size];
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= q.size) break;
    if (child + 1 < q.size && events[child + 1] < events[child]) child++;
    if (events[child] >= event) break;
    events[i] = events[child];
    i = child;
  }
  events[i] = event;
  return first;
}

function simulate(q, stations, count) {
  let hash = 0;
  for (let i = 0; i < count; i++) {
    const event = next(q), now = Math.floor(event / 65536), id = event & 255, s = stations[id];
    switch (event >> 8 & 255) {
      case ARRIVE:
        s.waiting++;
        schedule(q, now, START, id);
        schedule(q, now + 24, ARRIVE, id);
        break;
      case START:
        if (s.busy || s.broken || s.waiting === 0) continue;
        s.busy = true;
        s.waiting--;
        s.idle += now - s.idle_since;
        schedule(q, now + s.service, FINISH, id);
        break;
      case FINISH:
        s.busy = false;
        s.finished++;
        s.idle_since = now;
        if (s.waiting > 0) schedule(q, now, START, id);
        if (id % STATIONS < STATIONS - 1) schedule(q, now + 3, MOVE, id + 1);
        if (id % STATIONS === 1 && rnd(100) === 0) schedule(q, now + 1, FAIL, id);
        break;
      case MOVE:
        s.waiting++;
        schedule(q, now, START, id);
        break;
      case FAIL:
        if (!s.broken) schedule(q, now + 100 + rnd(100), REPAIR, id);
        s.broken = true;
        break;
      case REPAIR:
        s.broken = false;
        hash = (hash * 31 + now + s.waiting) & 0xFFFFFF;
        if (s.waiting > 0) schedule(q, now, START, id);
        break;
    }
  }
  return hash;
}

function bench(n) {
  const q = { events: new Float64Array(256), size: 0 }, stations = [];
  for (let i = 0; i < LINES * STATIONS; i++) {
    stations.push(new Station(16 + i % 5));
    if (i % STATIONS === 0) schedule(q, i * 2, ARRIVE, i);
  }
  let sum = 0;
  for (let r = 0; r < n; r++) sum += simulate(q, stations, 1000);
  for (const s of stations) sum += s.waiting * 3 + s.finished * 5 + s.idle * 7;
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 30000))));
