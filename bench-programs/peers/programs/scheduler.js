"use strict";
const TASKS = 2000;
const WORKERS = 4;
let seed = 42;

function rnd(m) {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return (seed >>> 8) % m;
}

class Heap {
  constructor(before) {
    this.items = [];
    this.before = before;
  }

  put(item) {
    const items = this.items;
    items.push(item);
    let at = items.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.before(item, items[parent])) break;
      items[at] = items[parent];
      at = parent;
    }
    items[at] = item;
  }

  take() {
    const items = this.items;
    if (items.length === 0) return null;
    const least = items[0];
    const last = items.pop();
    if (items.length === 0) return least;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.before(items[child + 1], items[child])) child++;
      if (!this.before(items[child], last)) break;
      items[at] = items[child];
      at = child;
    }
    items[at] = last;
    return least;
  }
}

function plan() {
  const tasks = [];
  for (let id = 0; id < TASKS; id++) {
    const task = { id, priority: rnd(10), cost: 1 + rnd(50), missing: 0, next: [] };
    if (id > 20) {
      for (let k = rnd(4); k > 0; k--) {
        tasks[id - 1 - rnd(20)].next.push(id);
        task.missing++;
      }
    }
    tasks.push(task);
  }
  return tasks;
}

function run(tasks) {
  const ready = new Heap((a, b) => a.priority > b.priority || a.priority === b.priority && a.id < b.id);
  const running = new Heap((a, b) => a.time < b.time || a.time === b.time && a.id < b.id);
  for (const task of tasks) if (task.missing === 0) ready.put(task);
  let now = 0, busy = 0, order = 0;
  for (;;) {
    while (busy < WORKERS) {
      const task = ready.take();
      if (task === null) break;
      running.put({ time: now + task.cost, id: task.id });
      busy++;
    }
    const ended = running.take();
    if (ended === null) return now + order;
    now = ended.time;
    busy--;
    order = (order * 31 + ended.id) & 0xFFFFF;
    const done = tasks[ended.id];
    if (done.priority === 0 && rnd(16) === 0) {
      done.priority = 5;
      ready.put(done);
      continue;
    }
    for (const next of done.next) {
      tasks[next].missing--;
      if (tasks[next].missing === 0) ready.put(tasks[next]);
    }
    if (rnd(8) === 0) {
      const extra = { id: tasks.length, priority: rnd(5), cost: 1 + rnd(9), missing: 0, next: [] };
      tasks.push(extra);
      ready.put(extra);
    }
  }
}

function bench(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const tasks = plan();
    sum = (sum * 31 + run(tasks) + tasks.length) >>> 0;
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 800))));
