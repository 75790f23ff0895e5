"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const SIZE = 65536;
const VALUE = 0, VALUE_OR_END = 1, KEY = 2, KEY_OR_END = 3, COLON = 4, COMMA_OR_END = 5;
const WORDS = { t: "true", f: "false", n: "null" };

class Document {
  constructor() {
    this.data = new Uint8Array(SIZE + 256);
    this.size = 0;
  }
}

function put(d, s) {
  for (let i = 0; i < s.length; i++) d.data[d.size++] = s.charCodeAt(i);
}

function records() {
  const d = new Document();
  const names = ["anna", "Bob \\\"B\\\"", "carla m."], stock = ["true", "true", "false", "null"];
  put(d, "[");
  while (d.size < SIZE) {
    if (d.size > 1) put(d, ",\n");
    put(d, "{\"id\": " + rnd(100000) + ", \"name\": \"" + names[rnd(3)]);
    put(d, "\", \"price\": " + rnd(1000) + "." + (10 + rnd(90)) + ", \"tags\": [");
    for (let t = 0, m = rnd(3); t < m; t++) put(d, t === 0 ? "\"new\"" : ", \"on sale\"");
    put(d, "], \"stock\": " + stock[rnd(4)] + "}");
  }
  put(d, "]\n");
  return d;
}

function numbers() {
  const d = new Document();
  put(d, "{\"rows\": [");
  while (d.size < SIZE) {
    put(d, d.size > 10 ? ",\n[" : "[");
    for (let i = 0; i < 8; i++) {
      put(d, i > 0 ? ", " : "");
      put(d, String(rnd(20000) - 1000));
    }
    put(d, "]");
  }
  put(d, "]}\n");
  return d;
}

function stringEnd(d, from) {
  let i = from;
  while (i < d.size) {
    const c = d.data[i];
    if (c === 34) return i + 1;
    if (c < 32) return -1;
    i += c === 92 ? 2 : 1;
  }
  return -1;
}

function skipDigits(d, from) {
  let i = from;
  while (d.data[i] >= 48 && d.data[i] <= 57) i++;
  return i;
}

function check(d, open, t) {
  let depth = 0, next = VALUE, i = 0;
  while (i < d.size) {
    const c = d.data[i];
    switch (c) {
      case 32: case 10: i++; break;
      case 123: case 91: // { [
        if (next > VALUE_OR_END) return i;
        open[depth++] = c;
        t.deepest = Math.max(t.deepest, depth);
        next = c === 123 ? KEY_OR_END : VALUE_OR_END;
        i++;
        break;
      case 125: case 93: // } ]
        if (depth === 0 || open[depth - 1] !== c - 2) return i;
        if (next !== COMMA_OR_END && next !== VALUE_OR_END && next !== KEY_OR_END) return i;
        depth--;
        next = COMMA_OR_END;
        i++;
        break;
      case 44: // ,
        if (next !== COMMA_OR_END || depth === 0) return i;
        next = open[depth - 1] === 123 ? KEY : VALUE;
        i++;
        break;
      case 58: // :
        if (next !== COLON) return i;
        next = VALUE;
        i++;
        break;
      case 34: { // "
        if (next > KEY_OR_END) return i;
        const end = stringEnd(d, i + 1);
        if (end < 0) return i;
        for (let k = i + 1; k < end - 1; k++) t.hash = (t.hash * 31 + d.data[k]) & 0xFFFFFF;
        if (next <= VALUE_OR_END) t.strings++; else t.keys++;
        next = next <= VALUE_OR_END ? COMMA_OR_END : COLON;
        i = end;
        break;
      }
      case 45: case 48: case 49: case 50: case 51: case 52: case 53: case 54: case 55: case 56: case 57: { // - 0..9
        if (next > VALUE_OR_END) return i;
        let end = skipDigits(d, c === 45 ? i + 1 : i);
        if (d.data[end] === 46) end = skipDigits(d, end + 1);
        t.numbers += end - i;
        next = COMMA_OR_END;
        i = end;
        break;
      }
      case 116: case 102: case 110: { // t f n
        if (next > VALUE_OR_END) return i;
        const word = c === 116 ? WORDS.t : c === 102 ? WORDS.f : WORDS.n;
        for (let k = 0; k < word.length; k++) if (d.data[i + k] !== word.charCodeAt(k)) return i;
        t.words++;
        next = COMMA_OR_END;
        i += word.length;
        break;
      }
      default: return i;
    }
  }
  return depth === 0 ? d.size : i;
}

function bench(n) {
  const t = { strings: 0, keys: 0, numbers: 0, words: 0, deepest: 0, hash: 0 };
  const open = new Uint8Array(64);
  let sum = 0;
  for (const d of [records(), numbers()]) for (let r = 0; r < n; r++) sum += check(d, open, t);
  return sum + t.strings * 3 + t.keys * 5 + t.numbers * 7 + t.words * 11 + t.deepest + t.hash;
}

console.log(String(bench(Number(process.argv[2] || 2000))));
