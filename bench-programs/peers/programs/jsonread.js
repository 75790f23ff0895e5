"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const SIZE = 65536, LONGEST = 8192, DEPTH = 64;
const BETWEEN = 0, NUMBER = 1, STRING = 2, ESCAPE = 3, WORD = 4;

const buf = new Uint8Array(SIZE + LONGEST);
let len = 0;

function put(c) { buf[len++] = c; }
function put_all(s) { for (let i = 0; i < s.length; i++) put(s.charCodeAt(i)); }

function put_number(m) {
  put(49 + rnd(9));
  for (let i = 1; i < m; i++) put(48 + rnd(10));
}

function put_samples() {
  put(91);
  for (let i = 800 + rnd(800); i > 0; i--) { put_number(3); put(44); }
  put_number(3);
  put(93);
}

function put_text() {
  put(34);
  for (let i = 1000 + rnd(3000); i > 0; i--) {
    if (rnd(200) === 0) put_all("\\n");
    else put(97 + rnd(26));
  }
  put(34);
}

function put_records() {
  put(91);
  for (let i = 20 + rnd(60); i > 0; i--) {
    put_all("{\"id\":");
    put_number(4);
    put_all(",\"name\":\"");
    for (let k = 3 + rnd(8); k > 0; k--) put(97 + rnd(26));
    put_all(rnd(4) === 0 ? "\",\"on\":false," : "\",\"on\":true,");
    put_all("\"at\":-");
    put_number(1 + rnd(5));
    put_all("},");
  }
  put_all("null]");
}

function put_nest() {
  for (let round = 20 + rnd(40); round > 0; round--) {
    const depth = 4 + rnd(20);
    for (let i = 0; i < depth; i++) put(91);
    put_number(2);
    for (let i = 0; i < depth; i++) put(93);
    put(44);
  }
  put_all("{}");
}

function generate() {
  len = 0;
  put(91);
  while (len < SIZE) {
    switch (rnd(4)) {
      case 0: put_samples(); break;
      case 1: put_text(); break;
      case 2: put_records(); break;
      default: put_nest(); break;
    }
    put(44);
  }
  put_all("0]\n");
}

function read(src, stack, r) {
  let state = BETWEEN, depth = 0, expects_key = false, in_key = false, negative = false, number = 0, hash = r & 0xFFFF;
  let sum = 0, strings = 0, keys = 0, words = 0, deepest = 0;
  for (let i = 0; i < len; i++) {
    const c = src[i];
    if (state === NUMBER) {
      if (c >= 48 && c <= 57) { number = (number * 10 + c - 48) & 0xFFFFFF; continue; }
      sum += negative ? -number : number;
      negative = false;
      state = BETWEEN;
    } else if (state === STRING) {
      if (c === 92) {
        state = ESCAPE;
      } else if (c === 34) {
        if (in_key) keys++;
        else strings++;
        state = BETWEEN;
      } else {
        hash = (hash * 31 + c) & 0xFFFFFF;
      }
      continue;
    } else if (state === ESCAPE) {
      hash = (hash * 33 + c) & 0xFFFFFF;
      state = STRING;
      continue;
    } else if (state === WORD) {
      if (c >= 97 && c <= 122) continue;
      words++;
      state = BETWEEN;
    }
    if (c >= 48 && c <= 57) { number = c - 48; state = NUMBER; }
    else if (c === 44) expects_key = stack[depth] === 123;
    else if (c === 34) { in_key = expects_key; state = STRING; }
    else if (c === 58) expects_key = false;
    else if (c === 91 || c === 123) {
      depth++;
      stack[depth] = c;
      expects_key = c === 123;
      if (depth > deepest) deepest = depth;
    }
    else if (c === 93 || c === 125) depth--;
    else if (c === 45) negative = true;
    else if (c >= 97 && c <= 122) state = WORD;
  }
  return sum + hash + strings * 3 + keys * 5 + words * 7 + deepest * 11;
}

function bench(n) {
  generate();
  const stack = new Uint8Array(DEPTH);
  let total = 0;
  for (let r = 0; r < n; r++) total += read(buf, stack, r);
  return total;
}

console.log(String(bench(Number(process.argv[2] || 4500))));
