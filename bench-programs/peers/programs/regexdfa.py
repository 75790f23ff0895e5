import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


LOG = 65536
DOT, STAR, PLUS, OPTION, DIGIT, WORD = 46, 42, 43, 63, 100 + 256, 119 + 256


class Nfa:
    def __init__(self, src):
        self.kind, self.times = [], []
        i = 0
        while i < len(src):
            c = ord(src[i])
            if c == STAR or c == PLUS or c == OPTION:
                self.times[-1] = c
            else:
                if c == 92:
                    i += 1
                    self.kind.append(ord(src[i]) + 256)
                else:
                    self.kind.append(DOT + 256 if c == DOT else c)
                self.times.append(1)
            i += 1
        self.size = len(self.kind)


class Dfa:
    def __init__(self):
        self.sets = []
        self.next = [-1] * 65536


def accepts(kind, c):
    if kind < 256:
        return c == kind
    if kind == DIGIT:
        return 48 <= c <= 57
    if kind == WORD:
        return 97 <= c <= 122 or 48 <= c <= 57
    return True


def state(p, d, tried):
    atoms = tried
    for i in range(p.size):
        if atoms >> i & 1 == 1 and (p.times[i] == STAR or p.times[i] == OPTION):
            atoms |= 2 << i
    for s in range(len(d.sets)):
        if d.sets[s] == atoms:
            return s
    d.sets.append(atoms)
    return len(d.sets) - 1


def follow(p, d, s, c):
    atoms = 1
    for i in range(p.size):
        if d.sets[s] >> i & 1 == 1 and accepts(p.kind[i], c):
            atoms |= 2 << i
            if p.times[i] == STAR or p.times[i] == PLUS:
                atoms |= 1 << i
    return state(p, d, atoms)


def search(p, d, text, start, end):
    s = 0
    for i in range(start, end):
        at = s * 256 + text[i]
        if d.next[at] < 0:
            d.next[at] = follow(p, d, s, text[i])
        s = d.next[at]
        if d.sets[s] >> p.size & 1 == 1:
            return i + 1
    return -1


def backtrack(p, text, atom, start, end):
    a, i = atom, start
    while a < p.size:
        times = p.times[a]
        if times == 1:
            if i >= end or not accepts(p.kind[a], text[i]):
                return -1
            i += 1
        else:
            least = i + 1 if times == PLUS else i
            most = min(i + 1, end) if times == OPTION else end
            while i < most and accepts(p.kind[a], text[i]):
                i += 1
            while i > least:
                found = backtrack(p, text, a + 1, i, end)
                if found >= 0:
                    return found
                i -= 1
            if i < least:
                return -1
        a += 1
    return i


def generate():
    levels = [" ERROR", " WARN", " INFO", " INFO", " INFO", " INFO", " INFO", " INFO"]
    events = [" request took ", " cache miss for key ", " disk nearly full at "]
    data, starts = bytearray(), []
    clock = 360000
    while len(data) < LOG:
        clock += rnd(4)
        line = str(clock // 10000) + ":" + str(clock % 10000)
        line += levels[rnd(8)]
        line += " [worker-" + str(rnd(8)) + "] user=anna" + str(rnd(100))
        line += events[max(rnd(8) - 5, 0)]
        line += str(rnd(1000)) + "ms"
        starts.append(len(data))
        data.extend(line.encode())
    starts.append(len(data))
    return data, starts


def bench(n):
    data, starts = generate()
    total = 0
    for src in ["WA?RN.*took \\d+ms", "user=\\w+ .*miss", "\\d\\d:\\d*5\\d? ERROR"]:
        p, d = Nfa(src), Dfa()
        state(p, d, 1)
        for r in range(n):
            for line in range(len(starts) - 1):
                start, end = starts[line], starts[line + 1]
                total += search(p, d, data, start, end) - start
                if (line + r) % 8 != 0:
                    continue
                found = -1
                for at in range(start, end):
                    found = backtrack(p, data, 0, at, end)
                    if found >= 0:
                        break
                total += found * 7
        total += len(d.sets) * 1000
    return total & 0xFFFFFFFF


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 800))
