"use strict";
let seed = 42;
function lcg() { seed = (Math.imul(seed, 1664525) + 1013904223) | 0; return seed >>> 0; }
function rnd(m) { return (lcg() >>> 8) % m; }

const HEADERS = 2000, SIZE = 18;

function unpack(format, data, from, out) {
  let to = 0;
  for (let i = 0; i < format.length; i++) {
    switch (format[i]) {
      case 98: {
        const v = data[from];
        out[to++] = v >= 128 ? v - 256 : v;
        from++;
        break;
      }
      case 66:
        out[to++] = data[from++];
        break;
      case 104: {
        const v = data[from] | data[from + 1] << 8;
        out[to++] = v >= 32768 ? v - 65536 : v;
        from += 2;
        break;
      }
      case 72:
        out[to++] = data[from] | data[from + 1] << 8;
        from += 2;
        break;
      case 73:
        out[to++] = (data[from] | data[from + 1] << 8 | data[from + 2] << 16 | data[from + 3] << 24) >>> 0;
        from += 4;
        break;
      case 120:
        from++;
        break;
    }
  }
  return from;
}

function bench(n) {
  const format = Uint8Array.from("HHBxIhBBI", c => c.charCodeAt(0));
  const data = new Uint8Array(HEADERS * SIZE);
  for (let i = 0; i < HEADERS * SIZE; i++) data[i] = rnd(256);
  for (let i = 0; i < HEADERS; i++) if (rnd(32) !== 0) data[i * SIZE + 11] &= 127;
  const out = new Float64Array(16);
  let sum = 0;
  for (let r = 0; r < n; r++) {
    data[rnd(HEADERS) * SIZE] = rnd(256);
    let at = 0;
    for (let i = 0; i < HEADERS; i++) {
      at = unpack(format, data, at, out);
      sum = (sum + out[0] * 3 + out[3] + out[4] * 5 + out[7]) >>> 0;
    }
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 14000))));
