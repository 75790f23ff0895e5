"use strict";
let seed = 42;

function rnd(m) {
  seed = (seed * 1664525 + 1013904223) % 4294967296;
  return (seed >>> 8) % m;
}

function room(text, ways, things) { return { text, ways: new Map(Object.entries(ways)), things: new Set(things), visits: 0 }; }

function parse(line) {
  const words = line.toLowerCase().split(" ");
  switch (words[0]) {
    case "go": case "walk":
      if (words.length === 2) return { kind: "go", way: words[1] };
      break;
    case "north": case "south": case "east": case "west":
      return { kind: "go", way: words[0] };
    case "take": case "get":
      if (words.length > 1) return { kind: "take", thing: words[words.length - 1] };
      break;
    case "drop":
      if (words.length === 2) return { kind: "drop", thing: words[1] };
      break;
    case "use":
      if (words.length === 4 && words[2] === "on") return { kind: "use", thing: words[1], target: words[3] };
      break;
    case "look":
      return { kind: "look" };
  }
  return { kind: "unknown", line };
}

class Game {
  constructor() {
    this.rooms = new Map([
      ["lane", room("A lane worn deep.", { north: "gate", east: "wood" }, ["stick"])],
      ["gate", room("A gate of iron.", { south: "lane" }, [])],
      ["wood", room("Old oaks.", { west: "lane", east: "hut", north: "pond" }, ["nut", "leaf"])],
      ["hut", room("It smells of soup.", { west: "wood" }, ["key", "lamp"])],
      ["pond", room("Still water.", { south: "wood" }, ["frog"])],
      ["cave", room("Dark and dry.", { south: "gate" }, ["gold"])],
    ]);
    this.at = "lane";
    this.bag = new Set();
    this.moves = 0;
    this.handlers = new Map();
    this.out = [];
  }

  on(kind, handler) {
    if (!this.handlers.has(kind)) this.handlers.set(kind, []);
    this.handlers.get(kind).push(handler);
  }

  emit(kind, detail) {
    for (const handler of this.handlers.get(kind) ?? []) handler(detail);
  }

  say(text) { this.out.push(text); }

  obey(command) {
    const here = this.rooms.get(this.at);
    this.moves++;
    switch (command.kind) {
      case "go":
        if (here.ways.has(command.way)) {
          this.at = here.ways.get(command.way);
          this.rooms.get(this.at).visits++;
          this.emit("entered", this.at);
        } else {
          this.say(`You cannot go ${command.way}.`);
        }
        break;
      case "take":
        if (here.things.delete(command.thing)) {
          this.bag.add(command.thing);
          this.emit("got", command.thing);
        } else {
          this.say(`You see no ${command.thing}.`);
        }
        break;
      case "drop":
        if (this.bag.delete(command.thing)) {
          here.things.add(command.thing);
          this.emit("lost", command.thing);
        } else {
          this.say(`You have no ${command.thing}.`);
        }
        break;
      case "use":
        if (command.thing === "key" && command.target === "gate" && this.at === "gate" && this.bag.has("key")) {
          here.ways.set("north", "cave");
          this.emit("opened", "gate");
        } else {
          this.say(`The ${command.thing} does nothing to the ${command.target}.`);
        }
        break;
      case "look": {
        const things = [...here.things].sort();
        this.say(`${here.text} You see ${things.length === 0 ? "nothing" : things.join(", ")}.`);
        break;
      }
      default:
        this.say(`What is "${command.line}"?`);
    }
    this.emit("tick", this.moves);
  }
}

function play(commands) {
  const game = new Game();
  let score = 0, lit = false;
  const seen = new Set();
  game.on("entered", (room) => {
    if (!seen.has(room)) {
      seen.add(room);
      score += 10;
    }
  });
  game.on("entered", (room) => game.say(room === "cave" && !lit ? "It is dark." : game.rooms.get(room).text));
  game.on("got", (thing) => { score += thing === "gold" ? 100 : thing.length; });
  game.on("got", (thing) => { if (thing === "lamp") lit = true; });
  game.on("lost", (thing) => {
    score -= thing.length;
    if (thing === "lamp") lit = false;
  });
  game.on("opened", () => { score += 50; });
  game.on("tick", (n) => { if (n % 50 === 0) score--; });
  const things = ["stick", "nut", "leaf", "key", "lamp", "frog", "gold"];
  const ways = ["north", "south", "east", "west"];
  const made = (i) => {
    switch (rnd(12)) {
      case 0: case 1: case 2: case 3: return ways[rnd(4)];
      case 4: return `go ${ways[rnd(4)]}`;
      case 5: case 6: case 7: return `Take the ${things[rnd(7)]}`;
      case 8: return `drop ${things[rnd(7)]}`;
      case 9: return `use ${things[rnd(7)]} on gate`;
      case 10: return "LOOK";
      default: return `sing ${i % 10}`;
    }
  };
  for (let i = 0; i < commands; i++) game.obey(parse(made(i)));
  let sum = score + 1000;
  for (const line of game.out) {
    sum = (sum * 31 + line.length * 256 + line.charCodeAt(Math.floor(line.length / 2))) >>> 0;
  }
  for (const [name, room] of game.rooms) sum = (sum * 31 + name.length + room.visits + room.things.size) >>> 0;
  return sum;
}

function bench(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) sum = (sum * 31 + play(1000)) >>> 0;
  return sum;
}

console.log(String(bench(Number(process.argv[2] || 1000))));
