"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const SIZE = 65536, CHUNK = 1500, FLAG = 0x7E, ESCAPE = 0x7D;
const PING = 1, TEXT = 2, BLOCK = 3, STATUS = 4;
const HUNT = 0, KIND = 1, LENGTH = 2, BODY = 3, CHECK_LOW = 4, CHECK_HIGH = 5;
const table = new Int32Array(256);

function send(l, c) {
  l.check = l.check >> 8 ^ table[(l.check ^ c) & 255];
  if (c === FLAG || c === ESCAPE) l.data[l.size++] = ESCAPE;
  l.data[l.size++] = c === FLAG || c === ESCAPE ? c ^ 32 : c;
}

function sendMessage(l, kind, length) {
  l.data[l.size++] = FLAG;
  l.check = 0xFFFF;
  send(l, kind);
  send(l, length);
  for (let i = 0; i < length; i++) send(l, kind === TEXT ? 97 + rnd(26) : rnd(8) === 0 ? FLAG : rnd(256));
  const check = l.check;
  send(l, check & 255);
  send(l, check >> 8);
  if (rnd(50) === 0) l.data[l.size - 3] ^= 4;
}

function traffic(phase) {
  const l = { data: new Uint8Array(SIZE + 1024), size: 0, check: 0 };
  for (let i = 0; l.size < SIZE; i++) {
    switch (phase === 3 ? rnd(4) : phase) {
      case 0: sendMessage(l, PING, 0); break;
      case 1: sendMessage(l, TEXT, 20 + rnd(60)); break;
      case 2: if (i % 5 === 4) sendMessage(l, STATUS, 4); else sendMessage(l, BLOCK, 128); break;
      default: sendMessage(l, STATUS, 4);
    }
  }
  return l;
}

function deliver(r) {
  switch (r.kind) {
    case PING: r.pings++; break;
    case TEXT: for (let i = 0; i < r.filled; i++) r.text = (r.text * 31 + r.body[i]) & 0xFFFFFF; break;
    case BLOCK: for (let i = 0; i < r.filled; i++) r.blocks += r.body[i]; break;
    case STATUS: r.status ^= r.body[0] | r.body[1] << 8 | r.body[2] << 16; break;
    default: r.errors++;
  }
}

function receive(r, data, start, end) {
  for (let i = start; i < end; i++) {
    let c = data[i];
    if (c === FLAG) {
      if (r.state !== HUNT) r.errors++;
      r.state = KIND;
      r.escaped = false;
      r.check = 0xFFFF;
      continue;
    }
    if (r.state === HUNT) continue;
    if (c === ESCAPE) {
      r.escaped = true;
      continue;
    }
    if (r.escaped) {
      c ^= 32;
      r.escaped = false;
    }
    if (r.state < CHECK_LOW) r.check = r.check >> 8 ^ table[(r.check ^ c) & 255];
    switch (r.state) {
      case KIND: r.kind = c; r.state = LENGTH; break;
      case LENGTH:
        r.left = c;
        r.filled = 0;
        r.state = c > 0 ? BODY : CHECK_LOW;
        break;
      case BODY:
        r.body[r.filled++] = c;
        if (r.filled === r.left) r.state = CHECK_LOW;
        break;
      case CHECK_LOW: r.check ^= c; r.state = CHECK_HIGH; break;
      default:
        if (r.check === c << 8) deliver(r); else r.errors++;
        r.state = HUNT;
    }
  }
}

function bench(n) {
  for (let i = 0; i < 256; i++) {
    let c = i;
    for (let bit = 0; bit < 8; bit++) c = (c & 1) === 1 ? c >> 1 ^ 0x8408 : c >> 1;
    table[i] = c;
  }
  const r = {
    state: HUNT, escaped: false, kind: 0, left: 0, check: 0, body: new Uint8Array(256), filled: 0,
    pings: 0, text: 0, blocks: 0, status: 0, errors: 0,
  };
  for (const phase of [0, 2, 1, 3, 2, 0]) {
    const l = traffic(phase);
    for (let pass = 0; pass < n; pass++) {
      for (let i = 0; i < l.size; i += CHUNK) receive(r, l.data, i, Math.min(i + CHUNK, l.size));
    }
  }
  return r.pings + r.text * 3 + r.blocks * 5 + r.status * 7 + r.errors * 11;
}

console.log(String(bench(Number(process.argv[2] || 400))));
