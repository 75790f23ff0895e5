"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const ROWS = 1000, FIELDS = 8;
const PLAIN = 0, SIGNED = 1, DELTA = 2, RUN = 3, FIXED = 4, TEXT = 5;
const last = new Int32Array(FIELDS), left = new Int32Array(FIELDS);

function put(t, b) { t.data[t.size++] = b; }

function putPlain(t, n) {
  for (; n >= 128; n >>= 7) put(t, n & 127 | 128);
  put(t, n);
}

function putField(t, f) {
  switch (t.schema[f]) {
    case PLAIN: putPlain(t, rnd(8) === 0 ? rnd(5000) : rnd(128)); break;
    case SIGNED: putPlain(t, rnd(6000)); break;
    case DELTA: putPlain(t, rnd(40)); break;
    case RUN:
      if (left[f] === 0) {
        left[f] = 10 + rnd(40);
        putPlain(t, left[f]);
        putPlain(t, rnd(5));
      }
      left[f]--;
      break;
    case FIXED: for (let i = 0; i < 4; i++) put(t, i < 3 ? rnd(256) : 0); break;
    default: {
      const length = 4 + rnd(3) * rnd(3);
      putPlain(t, length);
      for (let i = 0; i < length; i++) put(t, 97 + rnd(26));
    }
  }
}

function encode(schema, absent) {
  const t = { schema, absent, data: new Uint8Array(ROWS * FIELDS * 10), size: 0 };
  left.fill(0);
  for (let row = 0; row < ROWS; row++) {
    const start = t.size;
    put(t, 0);
    for (let f = 0; f < FIELDS; f++) {
      if (rnd(100) < absent[f]) t.data[start] |= 1 << f; else putField(t, f);
    }
  }
  return t;
}

function plain(r) {
  let value = 0;
  for (let shift = 0;; shift += 7) {
    const b = r.data[r.pos++];
    value |= (b & 127) << shift;
    if (b < 128) return value;
  }
}

function signed(r) {
  const n = plain(r);
  return n >> 1 ^ -(n & 1);
}

function fixed(r) {
  r.pos += 4;
  return r.data[r.pos - 4] | r.data[r.pos - 3] << 8 | r.data[r.pos - 2] << 16 | r.data[r.pos - 1] << 24;
}

function run(r, f) {
  if (left[f] === 0) {
    left[f] = plain(r);
    last[f] = plain(r);
  }
  left[f]--;
  return last[f];
}

function delta(r, f) {
  last[f] += signed(r);
  return last[f];
}

function textHash(r) {
  let hash = 0;
  for (let i = plain(r); i > 0; i--) hash = (hash * 31 + r.data[r.pos++]) & 0xFFFFFF;
  return hash;
}

function decode(t, columns) {
  const r = { data: t.data, pos: 0 };
  let absentFields = 0;
  last.fill(0);
  left.fill(0);
  for (let row = 0; row < ROWS; row++) {
    const absent = r.data[r.pos++];
    for (let f = 0; f < FIELDS; f++) {
      if ((absent >> f & 1) === 1) {
        absentFields++;
        columns[f][row] = -1;
        continue;
      }
      let v;
      switch (t.schema[f]) {
        case PLAIN: v = plain(r); break;
        case SIGNED: v = signed(r); break;
        case DELTA: v = delta(r, f); break;
        case RUN: v = run(r, f); break;
        case FIXED: v = fixed(r); break;
        default: v = textHash(r);
      }
      columns[f][row] = v;
    }
  }
  return absentFields + r.pos;
}

function bench(n) {
  const tables = [
    encode([DELTA, DELTA, RUN, SIGNED, FIXED, TEXT, RUN, PLAIN], [0, 0, 0, 3, 0, 0, 0, 5]),
    encode([DELTA, RUN, SIGNED, SIGNED, SIGNED, FIXED, PLAIN, PLAIN], [0, 0, 0, 0, 2, 0, 0, 0]),
  ];
  const columns = [];
  for (let f = 0; f < FIELDS; f++) columns.push(new Int32Array(ROWS));
  let sum = 0;
  for (const table of tables) {
    for (let r = 0; r < n; r++) {
      sum += decode(table, columns);
      for (let f = 0; f < FIELDS; f++) sum += columns[f][r % ROWS];
    }
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 13000))));
