"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const HOUR = 36000, LANES = 4, ROOM = 64;
const GREEN = 0, AMBER = 1, RED = 2;

const gaps = Int32Array.of(
  900, 1200, 1500, 1500, 900, 400, 150, 60, 32, 60, 110, 120,
  110, 120, 130, 120, 110, 100, 90, 120, 200, 300, 450, 700,
  1200, 1500, 1800, 1800, 1500, 700, 250, 140, 90, 110, 140, 130,
  110, 110, 100, 80, 50, 30, 60, 110, 180, 300, 500, 900);

function bench(n) {
  const lanes = [];
  for (let i = 0; i < LANES; i++)
    lanes.push({ queue: 0, head: 0, next: i * 50, ready: 0, times: new Int32Array(ROOM) });
  let hour = 6, hour_end = HOUR, side = 0, light = GREEN, light_end = 600, idle = 0;
  let passed = 0, turned = 0, waited = 0, hash = 0;
  const end = n * HOUR;
  for (let t = 0; t < end; t++) {
    if (t === hour_end) {
      hour = hour === 23 ? 0 : hour + 1;
      hour_end += HOUR;
    }
    if (light === GREEN) {
      if (lanes[side].queue + lanes[side + 2].queue > 0) idle = 0;
      else idle++;
      if (lanes[1 - side].queue + lanes[3 - side].queue > 0) {
        if (t >= light_end || idle >= 40) { light = AMBER; light_end = t + 30; }
      }
    } else if (t >= light_end) {
      if (light === AMBER) {
        light = RED;
        light_end = t + 20;
      } else {
        side = 1 - side;
        light = GREEN;
        light_end = t + 600;
        idle = 0;
        lanes[side].ready = t + 15;
        lanes[side + 2].ready = t + 15;
      }
    }
    for (let i = 0; i < LANES; i++) {
      const lane = lanes[i];
      if (t === lane.next) {
        if (lane.queue < ROOM) {
          lane.times[(lane.head + lane.queue) & (ROOM - 1)] = t;
          lane.queue++;
        } else {
          turned++;
        }
        lane.next = t + 1 + rnd(2 * gaps[(i & 1) * 24 + hour]);
      }
      if (lane.queue > 0) {
        if (light === GREEN && side === (i & 1)) {
          if (t >= lane.ready) {
            const wait = t - lane.times[lane.head];
            lane.head = (lane.head + 1) & (ROOM - 1);
            lane.queue--;
            lane.ready = t + 20;
            passed++;
            waited += wait;
            hash = (hash * 31 + wait) & 0xFFFFFF;
          }
        }
      }
    }
  }
  return waited * 8 + passed * 3 + turned + hash;
}

console.log(String(bench(Number(process.argv[2] || 2500))));
