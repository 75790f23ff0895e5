import sys

seed = 42


def rnd(m):
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return (seed >> 8) % m


class Room:
    def __init__(self, text, ways, things):
        self.text = text
        self.ways = ways
        self.things = things
        self.visits = 0


def parse(line):
    words = line.lower().split()
    if words[0] in ("go", "walk") and len(words) == 2:
        return ("go", words[1])
    if words[0] in ("north", "south", "east", "west"):
        return ("go", words[0])
    if words[0] in ("take", "get") and len(words) > 1:
        return ("take", words[-1])
    if words[0] == "drop" and len(words) == 2:
        return ("drop", words[1])
    if words[0] == "use" and len(words) == 4 and words[2] == "on":
        return ("use", words[1], words[3])
    if words[0] == "look":
        return ("look",)
    return ("unknown", line)


class Game:
    def __init__(self):
        self.rooms = {
            "lane": Room("A lane worn deep.", {"north": "gate", "east": "wood"}, {"stick"}),
            "gate": Room("A gate of iron.", {"south": "lane"}, set()),
            "wood": Room("Old oaks.", {"west": "lane", "east": "hut", "north": "pond"}, {"nut", "leaf"}),
            "hut": Room("It smells of soup.", {"west": "wood"}, {"key", "lamp"}),
            "pond": Room("Still water.", {"south": "wood"}, {"frog"}),
            "cave": Room("Dark and dry.", {"south": "gate"}, {"gold"}),
        }
        self.at = "lane"
        self.bag = set()
        self.moves = 0
        self.handlers = {}
        self.out = []

    def on(self, kind, handler):
        self.handlers.setdefault(kind, []).append(handler)

    def emit(self, kind, detail):
        for handler in self.handlers.get(kind, ()):
            handler(detail)

    def say(self, text):
        self.out.append(text)

    def obey(self, command):
        room = self.rooms[self.at]
        self.moves += 1
        kind = command[0]
        if kind == "go":
            way = command[1]
            if way in room.ways:
                self.at = room.ways[way]
                self.rooms[self.at].visits += 1
                self.emit("entered", self.at)
            else:
                self.say(f"You cannot go {way}.")
        elif kind == "take":
            thing = command[1]
            if thing in room.things:
                room.things.remove(thing)
                self.bag.add(thing)
                self.emit("got", thing)
            else:
                self.say(f"You see no {thing}.")
        elif kind == "drop":
            thing = command[1]
            if thing in self.bag:
                self.bag.remove(thing)
                room.things.add(thing)
                self.emit("lost", thing)
            else:
                self.say(f"You have no {thing}.")
        elif kind == "use":
            _, thing, target = command
            if thing == "key" and target == "gate" and self.at == "gate" and "key" in self.bag:
                room.ways["north"] = "cave"
                self.emit("opened", "gate")
            else:
                self.say(f"The {thing} does nothing to the {target}.")
        elif kind == "look":
            things = sorted(room.things)
            self.say(f"{room.text} You see {', '.join(things) if things else 'nothing'}.")
        else:
            self.say(f'What is "{command[1]}"?')
        self.emit("tick", self.moves)


def play(commands):
    game = Game()
    score = 0
    lit = False
    seen = set()

    def explore(room):
        nonlocal score
        if room not in seen:
            seen.add(room)
            score += 10

    def describe(room):
        game.say("It is dark." if room == "cave" and not lit else game.rooms[room].text)

    def earn(thing):
        nonlocal score
        score += 100 if thing == "gold" else len(thing)

    def light(thing):
        nonlocal lit
        if thing == "lamp":
            lit = True

    def lose(thing):
        nonlocal score, lit
        score -= len(thing)
        if thing == "lamp":
            lit = False

    def open_gate(_):
        nonlocal score
        score += 50

    def tick(n):
        nonlocal score
        if n % 50 == 0:
            score -= 1

    game.on("entered", explore)
    game.on("entered", describe)
    game.on("got", earn)
    game.on("got", light)
    game.on("lost", lose)
    game.on("opened", open_gate)
    game.on("tick", tick)
    things = ["stick", "nut", "leaf", "key", "lamp", "frog", "gold"]
    ways = ["north", "south", "east", "west"]
    for i in range(commands):
        k = rnd(12)
        if k < 4:
            line = ways[rnd(4)]
        elif k == 4:
            line = f"go {ways[rnd(4)]}"
        elif k <= 7:
            line = f"Take the {things[rnd(7)]}"
        elif k == 8:
            line = f"drop {things[rnd(7)]}"
        elif k == 9:
            line = f"use {things[rnd(7)]} on gate"
        elif k == 10:
            line = "LOOK"
        else:
            line = f"sing {i % 10}"
        game.obey(parse(line))
    total = score + 1000
    for line in game.out:
        total = (total * 31 + len(line) * 256 + ord(line[len(line) // 2])) & 0xFFFFFFFF
    for name, room in game.rooms.items():
        total = (total * 31 + len(name) + room.visits + len(room.things)) & 0xFFFFFFFF
    return total


def bench(n):
    total = 0
    for _ in range(n):
        total = (total * 31 + play(1000)) & 0xFFFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
