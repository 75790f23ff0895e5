"use strict";
const SALES = 5000;
let seed = 42;

function rnd(m) {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return (seed >>> 8) % m;
}

const compose = (f, g) => (x) => g(f(x));

function groupBy(xs, key) {
  const groups = new Map();
  for (const x of xs) {
    const k = key(x);
    if (!groups.has(k)) groups.set(k, []);
    groups.get(k).push(x);
  }
  return groups;
}

function rule(kind, by) {
  switch (kind) {
    case 0: return (cents) => cents + by;
    case 1: return (cents) => cents - Math.floor(cents * by / 100);
    case 2: return (cents) => Math.max(cents, by * 10);
    default: return (cents) => cents % by === 0 ? cents - by : cents;
  }
}

function chain(rules) { return rules.reduce(compose, (cents) => cents); }

function total(xs) { return xs.reduce((a, b) => a + b, 0); }

function bench(n) {
  const products = ["lamp", "rope", "oil", "candle", "map", "compass"];
  const sales = [];
  for (let i = 0; i < SALES; i++) {
    sales.push({ region: rnd(8), product: products[rnd(6)], amount: 1 + rnd(20), cents: 50 + rnd(5000) });
  }
  let sum = 0;
  const report = (x) => { sum = (sum * 31 + x) >>> 0; };
  for (let pass = 0; pass < n; pass++) {
    const least = rnd(1000), region = rnd(8);
    const large = sales.filter((s) => s.amount * s.cents > least * 10 && s.region !== region);
    report(total(large.map((s) => s.amount * s.cents)));
    report(large.filter((s) => s.product === "oil").length);

    const price = chain([0, 1, 2, 3].map((kind) => rule(kind, 2 + rnd(30))));
    report(large.map((s) => price(s.cents)).reduce((a, b) => Math.max(a, b), 0));
    for (const [product, group] of groupBy(large, (s) => s.product)) {
      let seen = 0;
      const costly = group.filter((s) => {
        seen += s.amount;
        return s.cents > 4000;
      });
      report(product.length + seen + costly.length);
    }
    const groups = groupBy(large, (s) => s.region + " " + s.product);
    const amounts = [...groups].map(([key, group]) => [key, total(group.map((s) => s.amount))]);
    if (amounts.length > 0) {
      const [key, amount] = amounts.reduce((best, g) => g[1] > best[1] ? g : best);
      const [place, product] = key.split(" ");
      report(Number(place) * 100 + product.length + amount);
    }
    report(total(large.filter((s, i) => i % 7 === 0).slice(0, products.length).map((s) => s.cents)));
    report(Number(large.some((s) => s.cents === least)) + Number(large.every((s) => s.cents >= 50)));
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 600))));
