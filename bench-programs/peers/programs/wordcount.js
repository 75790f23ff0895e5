"use strict";
const LINES = 1000;
let seed = 42;

function rnd(m) {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return (seed >>> 8) % m;
}

function vocabulary(n) {
  const syllables = "ka lo mi ren tas vel dor an qui est bra".split(" ");
  const words = [];
  for (let i = 0; i < n; i++) {
    let word = "";
    for (let k = 1 + rnd(3); k > 0; k--) word += syllables[rnd(syllables.length)];
    words.push(rnd(8) === 0 ? word[0].toUpperCase() + word.slice(1) : word);
  }
  return words;
}

function prose(words) {
  const ends = ["", "", "", "", ",", ".", "!", ";"];
  const lines = [];
  for (let i = 0; i < LINES; i++) {
    const line = [];
    for (let k = 6 + rnd(8); k > 0; k--) line.push(words[rnd(1 + rnd(words.length))] + ends[rnd(8)]);
    lines.push(line.join(" "));
  }
  return lines.join("\n");
}

function isLetter(c) { return (c | 32) >= 97 && (c | 32) <= 122; }

function normal(word) {
  let end = word.length;
  while (end > 0 && !isLetter(word.charCodeAt(end - 1))) end--;
  return word.slice(0, end).toLowerCase();
}

function ranking(counts) {
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

function bench(n) {
  const text = prose(vocabulary(600));
  let sum = 0;
  for (let pass = 0; pass < n; pass++) {
    const counts = new Map();
    const neighbours = new Map();
    for (const line of text.split("\n")) {
      let last = "";
      for (const part of line.split(" ")) {
        const word = normal(part);
        counts.set(word, (counts.get(word) ?? 0) + 1);
        if (last !== "") {
          const pair = last + " " + word;
          neighbours.set(pair, (neighbours.get(pair) ?? 0) + 1);
        }
        last = word;
      }
    }
    for (const [word, count] of ranking(counts).slice(0, 50)) {
      sum = (sum * 31 + word.charCodeAt(0) * 1000 + word.length * 100 + count) >>> 0;
    }
    for (const [pair, count] of ranking(neighbours).slice(0, 50)) {
      const [a, b] = pair.split(" ");
      sum = (sum * 31 + a.charCodeAt(0) * 1000 + b.length * 100 + count) >>> 0;
    }
    sum = (sum + counts.size * 7 + neighbours.size) >>> 0;
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 80))));
