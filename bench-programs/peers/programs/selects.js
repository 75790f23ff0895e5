"use strict";
let seed = 42;

function rnd(m) {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return (seed >>> 8) % m;
}

const tables = {};

function fillTables() {
  tables.teams = [];
  tables.staff = [];
  for (let i = 0; i < 12; i++) {
    tables.teams.push({ team: `team${i}`, place: ["york", "bath", "ely"][i % 3], floor: Math.floor(i / 4) });
  }
  for (let i = 0; i < 1000; i++) {
    tables.staff.push({ id: i, team: `team${rnd(12)}`, age: 18 + rnd(50), pay: 1000 + rnd(4000) });
  }
}

function condition(words) {
  for (const word of ["or", "and"]) {
    const at = words.indexOf(word);
    if (at >= 0) {
      const left = condition(words.slice(0, at)), right = condition(words.slice(at + 1));
      return word === "or" ? (row) => left(row) || right(row) : (row) => left(row) && right(row);
    }
  }
  const [column, op, word] = words;
  const n = Number(word);
  if (Number.isNaN(n)) return (row) => row[column] === word;
  switch (op) {
    case "<": return (row) => row[column] < n;
    case ">": return (row) => row[column] > n;
    default: return (row) => row[column] === n;
  }
}

function parse(text) {
  const words = text.split(" ");
  const after = (word) => {
    const at = words.indexOf(word);
    return at < 0 ? null : words[at + 1];
  };
  const parts = words[1].split(",").map((part) => {
    if (part === "count") return { kind: "count" };
    if (part.startsWith("sum:")) return { kind: "sum", name: part.slice(4) };
    return { kind: "column", name: part };
  });
  let filter = () => true;
  const at = words.indexOf("where");
  if (at >= 0) {
    const end = words.findIndex((word) => word === "group" || word === "most");
    filter = condition(words.slice(at + 1, end < 0 ? words.length : end));
  }
  const most = Number(after("most") ?? 1000);
  return { parts, from: after("from"), joined: after("join"), filter, group: after("group"), most };
}

function joinTeams(rows, others) {
  const byTeam = new Map(others.map((row) => [row.team, row]));
  return rows.map((row) => ({ ...row, ...byTeam.get(row.team) }));
}

function evaluated(part, rows) {
  switch (part.kind) {
    case "column": return rows[0][part.name];
    case "count": return rows.length;
    default: return rows.reduce((sum, row) => sum + row[part.name], 0);
  }
}

function answer(query) {
  let rows = tables[query.from];
  if (query.joined) rows = joinTeams(rows, tables[query.joined]);
  rows = rows.filter(query.filter);
  const groups = new Map();
  rows.forEach((row, i) => {
    const key = query.group ? row[query.group] : i;
    const group = groups.get(key);
    if (group) group.push(row); else groups.set(key, [row]);
  });
  const out = [...groups.values()].map((group) => {
    const row = query.parts.map((part) => evaluated(part, group));
    const key = row.map((v) => typeof v === "number" ? String(v).padStart(8, "0") : v).join(" ");
    return [key, row];
  });
  out.sort((a, b) => a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0);
  return out.slice(0, query.most).map(([, row]) => row);
}

function bench(n) {
  fillTables();
  let sum = 0;
  for (let i = 0; i < n; i++) {
    for (const question of [
      `select id,pay from staff where age > ${30 + rnd(20)} and pay < 2500 most 20`,
      `select team,count,sum:pay from staff where age < ${30 + rnd(30)} or team = team${rnd(12)} group team`,
      `select place,sum:pay,count from staff join teams where floor = ${rnd(3)} group place`,
    ]) {
      for (const row of answer(parse(question))) {
        for (const v of row) {
          const x = typeof v === "number" ? v : v.length * 256 + v.charCodeAt(v.length - 1);
          sum = (sum * 31 + x) >>> 0;
        }
      }
    }
  }
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 350))));
