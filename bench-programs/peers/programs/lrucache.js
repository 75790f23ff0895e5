"use strict";
let seed = 42;

function rnd(m) {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return (seed >>> 8) % m;
}

class Cache {
  constructor(room) {
    this.room = room;
    this.entries = new Map();
    this.oldest = null;
    this.newest = null;
    this.hits = 0;
    this.misses = 0;
  }

  unlink(entry) {
    if (entry.older) entry.older.newer = entry.newer; else this.oldest = entry.newer;
    if (entry.newer) entry.newer.older = entry.older; else this.newest = entry.older;
  }

  append(entry) {
    entry.older = this.newest;
    entry.newer = null;
    if (this.newest) this.newest.newer = entry; else this.oldest = entry;
    this.newest = entry;
  }

  fetch(key, load) {
    const found = this.entries.get(key);
    if (found !== undefined) {
      this.hits++;
      this.unlink(found);
      this.append(found);
      return found.value;
    }
    this.misses++;
    if (this.entries.size === this.room) {
      const oldest = this.oldest;
      this.unlink(oldest);
      this.entries.delete(oldest.key);
    }
    const entry = { key, value: load(key), older: null, newer: null };
    this.entries.set(key, entry);
    this.append(entry);
    return entry.value;
  }

  forget(key) {
    const entry = this.entries.get(key);
    if (entry === undefined) return false;
    this.unlink(entry);
    return this.entries.delete(key);
  }
}

function bench(n) {
  const keys = [];
  for (let i = 0; i < 4000; i++) keys.push(`/pages/${["guide", "news", "map"][i % 3]}/${i}`);
  const cache = new Cache(500);
  let loaded = 0, forgotten = 0;
  const load = (key) => {
    loaded += key.length;
    return { title: key.slice(7), size: key.length * 100 + key.charCodeAt(key.length - 1), views: 0 };
  };
  let sum = 0;
  for (let i = 0; i < n * 1000; i++) {
    const key = keys[rnd(3) === 0 ? rnd(4000) : rnd(1 + rnd(600))];
    if (rnd(50) === 0) {
      forgotten += Number(cache.forget(key));
    } else {
      const page = cache.fetch(key, load);
      page.views++;
      sum = (sum * 31 + page.size + page.views) >>> 0;
    }
  }
  return (sum + cache.hits * 3 + cache.misses + loaded + forgotten * 7) >>> 0;
}

console.log(String(bench(Number(process.argv[2] || 3000))));
