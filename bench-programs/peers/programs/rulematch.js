"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const SIZE = 32768, SECTION = 4096, LONGEST = 512;
const PROSE = 0, LOG = 1, TABLE = 2;
const STAR = 42, DIGIT = 35, LETTER = 64, ANY = 63;

function bytes(s) { return Uint8Array.from(s, c => c.charCodeAt(0)); }

const rules = [
  bytes("*error*"), bytes("##:##:## warn*"), bytes("*@=####? *"),
  bytes("*,9##.##,*,1##.##,*"), bytes("+*-+*-+"), bytes("*@@@@@@@@@ ??? *"),
];
const buf = new Uint8Array(SIZE + LONGEST);
let len = 0;

function put(c) { buf[len++] = c; }
function put_all(s) { for (let i = 0; i < s.length; i++) put(s.charCodeAt(i)); }
function letters(m) { for (let i = 0; i < m; i++) put(97 + rnd(26)); }
function digits(m) { for (let i = 0; i < m; i++) put(48 + rnd(10)); }

function put_line(kind) {
  const end = len + 80 + rnd(120);
  if (kind === PROSE) {
    while (len < end) {
      if (rnd(50) === 0) put_all("error"); else letters(1 + rnd(9));
      put(32);
    }
  } else if (kind === LOG) {
    digits(2);
    put(58);
    digits(2);
    put(58);
    digits(2);
    const level = rnd(8);
    put_all(level === 0 ? " error" : level < 3 ? " warn" : " info");
    while (len < end) {
      put(32);
      letters(1 + rnd(7));
      put(61);
      digits(1 + rnd(5));
    }
  } else if (kind === TABLE) {
    while (len < end + 150) {
      digits(3);
      put(46);
      digits(2);
      put(44);
    }
  } else {
    put(43);
    while (len < end) {
      const m = 20 + rnd(40);
      for (let i = 0; i < m; i++) put(45);
      put(43);
    }
  }
  put(10);
}

function generate() {
  len = 0;
  while (len < SIZE) put_line((len / SECTION | 0) % 4);
}

function matches(rule, src, from, to) {
  const m = rule.length;
  let p = 0, s = from, star = -1, mark = 0;
  while (s < to) {
    const c = src[s];
    let fits = false;
    if (p < m) {
      const want = rule[p];
      if (want === STAR) {
        star = p;
        mark = s;
        p++;
        continue;
      }
      if (want === DIGIT) fits = c >= 48 && c <= 57;
      else if (want === LETTER) fits = c >= 97 && c <= 122;
      else fits = want === c || want === ANY;
    }
    if (fits) {
      p++;
      s++;
    } else if (star >= 0) {
      p = star + 1;
      mark++;
      s = mark;
    } else {
      return false;
    }
  }
  while (p < m && rule[p] === STAR) p++;
  return p === m;
}

function scan(src, r) {
  let hash = r & 0xFFFF, found = 0, from = 0;
  while (from < len) {
    let to = from;
    while (src[to] !== 10) to++;
    for (let i = 0; i < rules.length; i++) {
      if (matches(rules[i], src, from, to)) {
        found++;
        hash = (hash * 31 + from + i) & 0xFFFFFF;
      }
    }
    from = to + 1;
  }
  return found * 100 + hash;
}

function bench(n) {
  generate();
  let total = 0;
  for (let r = 0; r < n; r++) total += scan(buf, r);
  return total;
}

console.log(String(bench(Number(process.argv[2] || 1500))));
