"use strict";
const WIDTH = 46;
let seed = 42;

function rnd(m) {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return (seed >>> 8) % m;
}

const words = "goods were sent by the river boat and must be paid within thirty days of this letter".split(" ");

function order() {
  const names = ["lamp oil", "rope", "tallow candles", "map of the holloway", "tin box", "walking stick"];
  const lines = [];
  for (let i = 2 + rnd(6); i > 0; i--) lines.push({ name: names[rnd(6)], count: 1 + rnd(12), cents: 5 + rnd(9000) });
  return lines;
}

function wrapped(text, width) {
  const lines = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (word === "") continue;
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : " " + word;
  }
  lines.push(line);
  return lines;
}

function money(cents) {
  let whole = Math.floor(cents / 100);
  let text = "." + String(cents % 100).padStart(2, "0");
  while (whole >= 1000) {
    text = "," + String(whole % 1000).padStart(3, "0") + text;
    whole = Math.floor(whole / 1000);
  }
  return whole + text;
}

function centred(text, width) {
  return text.padStart(text.length + Math.floor((width - text.length) / 2)).padEnd(width);
}

function invoice(number) {
  const lines = order();
  let out = `Invoice ${String(number).padStart(6, "0")}`.toUpperCase() + "\n" + "=".repeat(WIDTH) + "\n";
  let total = 0;
  lines.forEach((line, i) => {
    const price = line.count * line.cents;
    out += `${String(i + 1).padStart(2)} ${line.name.slice(0, 16).padEnd(19)}${String(line.count).padStart(4)}` +
      ` x${money(line.cents).padStart(8)}${money(price).padStart(11)}\n`;
    total += price;
  });
  out += "-".repeat(WIDTH) + "\n";
  out += `${"total".padEnd(30)}${money(total).padStart(16)}\n`;
  out += `${"of that tax".padEnd(30)}${(Math.floor(total * 19 / 119) / 100).toFixed(2).padStart(16)}\n`;
  let note = "";
  for (let k = 10 + rnd(20); k > 0; k--) note += words[rnd(words.length)] + " ";
  for (const line of wrapped(note, WIDTH - 4)) out += `| ${centred(line, 42)} |\n`;
  return out;
}

function bench(n) {
  let sum = 0;
  let pages = [];
  for (let i = 0; i < n * 100; i++) {
    pages.push(invoice(i));
    if (pages.length === 20) {
      const text = pages.join("\n");
      sum = (sum * 31 + text.length) >>> 0;
      for (let k = 0; k < text.length; k += 5) sum = (sum * 31 + text.charCodeAt(k)) >>> 0;
      pages = [];
    }
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 300))));
