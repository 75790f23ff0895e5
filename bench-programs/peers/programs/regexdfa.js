"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const LOG = 65536;
const DOT = 46, STAR = 42, PLUS = 43, OPTION = 63, DIGIT = 100 + 256, WORD = 119 + 256;

function compile(src) {
  const p = { kind: new Int32Array(64), times: new Int32Array(64).fill(1), size: 0 };
  for (let i = 0; i < src.length; i++) {
    const c = src.charCodeAt(i);
    if (c === STAR || c === PLUS || c === OPTION) p.times[p.size - 1] = c;
    else if (c === 92) p.kind[p.size++] = src.charCodeAt(++i) + 256;
    else p.kind[p.size++] = c === DOT ? DOT + 256 : c;
  }
  return p;
}

function accepts(kind, c) {
  if (kind < 256) return c === kind;
  switch (kind) {
    case DIGIT: return c >= 48 && c <= 57;
    case WORD: return c >= 97 && c <= 122 || c >= 48 && c <= 57;
    default: return true;
  }
}

function state(p, d, tried) {
  let set = tried;
  for (let i = 0; i < p.size; i++) {
    if ((set >> i & 1) === 1 && (p.times[i] === STAR || p.times[i] === OPTION)) set |= 2 << i;
  }
  for (let s = 0; s < d.count; s++) if (d.sets[s] === set) return s;
  d.sets[d.count] = set;
  return d.count++;
}

function follow(p, d, s, c) {
  let set = 1;
  for (let i = 0; i < p.size; i++) {
    if ((d.sets[s] >> i & 1) === 1 && accepts(p.kind[i], c)) {
      set |= 2 << i;
      if (p.times[i] === STAR || p.times[i] === PLUS) set |= 1 << i;
    }
  }
  return state(p, d, set);
}

function search(p, d, text, start, end) {
  let s = 0;
  for (let i = start; i < end; i++) {
    const at = s * 256 + text[i];
    if (d.next[at] < 0) d.next[at] = follow(p, d, s, text[i]);
    s = d.next[at];
    if ((d.sets[s] >> p.size & 1) === 1) return i + 1;
  }
  return -1;
}

function backtrack(p, text, atom, from, end) {
  let i = from;
  for (let a = atom; a < p.size; a++) {
    const times = p.times[a];
    if (times === 1) {
      if (i >= end || !accepts(p.kind[a], text[i])) return -1;
      i++;
    } else {
      const least = times === PLUS ? i + 1 : i, most = times === OPTION ? Math.min(i + 1, end) : end;
      while (i < most && accepts(p.kind[a], text[i])) i++;
      for (; i > least; i--) {
        const found = backtrack(p, text, a + 1, i, end);
        if (found >= 0) return found;
      }
      if (i < least) return -1;
    }
  }
  return i;
}

function generate() {
  const levels = [" ERROR", " WARN", " INFO", " INFO", " INFO", " INFO", " INFO", " INFO"];
  const events = [" request took ", " cache miss for key ", " disk nearly full at "];
  const log = { data: new Uint8Array(LOG + 256), size: 0, starts: new Int32Array(4096), lines: 0 };
  let clock = 360000;
  while (log.size < LOG) {
    clock += rnd(4);
    let line = Math.floor(clock / 10000) + ":" + clock % 10000;
    line += levels[rnd(8)];
    line += " [worker-" + rnd(8) + "] user=anna" + rnd(100);
    line += events[Math.max(rnd(8) - 5, 0)];
    line += rnd(1000) + "ms";
    log.starts[log.lines++] = log.size;
    for (let i = 0; i < line.length; i++) log.data[log.size++] = line.charCodeAt(i);
  }
  log.starts[log.lines] = log.size;
  return log;
}

function bench(n) {
  const log = generate();
  let sum = 0;
  for (const src of ["WA?RN.*took \\d+ms", "user=\\w+ .*miss", "\\d\\d:\\d*5\\d? ERROR"]) {
    const p = compile(src);
    const d = { sets: new Int32Array(256), next: new Int32Array(65536).fill(-1), count: 0 };
    state(p, d, 1);
    for (let r = 0; r < n; r++) {
      for (let l = 0; l < log.lines; l++) {
        const start = log.starts[l], end = log.starts[l + 1];
        sum += search(p, d, log.data, start, end) - start;
        if ((l + r) % 8 !== 0) continue;
        let found = -1;
        for (let from = start; from < end && found < 0; from++) found = backtrack(p, log.data, 0, from, end);
        sum += found * 7;
      }
    }
    sum += d.count * 1000;
  }
  return (sum % 4294967296 + 4294967296) % 4294967296;
}

console.log(String(bench(Number(process.argv[2] || 800))));
