import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


SIZE = 65536
VALUE, VALUE_OR_END, KEY, KEY_OR_END, COLON, COMMA_OR_END = range(6)
TRUE, FALSE, NULL = b"true", b"false", b"null"


class Totals:
    def __init__(self):
        self.strings = self.keys = self.numbers = self.words = self.deepest = self.hash = 0


def put(d, s):
    d.extend(s.encode())


def records():
    d = bytearray()
    names, stock = ["anna", "Bob \\\"B\\\"", "carla m."], ["true", "true", "false", "null"]
    put(d, "[")
    while len(d) < SIZE:
        if len(d) > 1:
            put(d, ",\n")
        put(d, "{\"id\": " + str(rnd(100000)) + ", \"name\": \"" + names[rnd(3)])
        put(d, "\", \"price\": " + str(rnd(1000)) + "." + str(10 + rnd(90)) + ", \"tags\": [")
        for t in range(rnd(3)):
            put(d, "\"new\"" if t == 0 else ", \"on sale\"")
        put(d, "], \"stock\": " + stock[rnd(4)] + "}")
    put(d, "]\n")
    return d


def numbers():
    d = bytearray()
    put(d, "{\"rows\": [")
    while len(d) < SIZE:
        put(d, ",\n[" if len(d) > 10 else "[")
        for i in range(8):
            put(d, ", " if i > 0 else "")
            put(d, str(rnd(20000) - 1000))
        put(d, "]")
    put(d, "]}\n")
    return d


def string_end(d, start):
    i = start
    while i < len(d):
        c = d[i]
        if c == 34:
            return i + 1
        if c < 32:
            return -1
        i += 2 if c == 92 else 1
    return -1


def skip_digits(d, start):
    i = start
    while 48 <= d[i] <= 57:
        i += 1
    return i


def check(d, opened, t):
    depth, state, i = 0, VALUE, 0
    while i < len(d):
        c = d[i]
        if c == 32 or c == 10:
            i += 1
        elif c == 123 or c == 91:  # { [
            if state > VALUE_OR_END:
                return i
            opened[depth] = c
            depth += 1
            t.deepest = max(t.deepest, depth)
            state = KEY_OR_END if c == 123 else VALUE_OR_END
            i += 1
        elif c == 125 or c == 93:  # } ]
            if depth == 0 or opened[depth - 1] != c - 2:
                return i
            if state != COMMA_OR_END and state != VALUE_OR_END and state != KEY_OR_END:
                return i
            depth -= 1
            state = COMMA_OR_END
            i += 1
        elif c == 44:  # ,
            if state != COMMA_OR_END or depth == 0:
                return i
            state = KEY if opened[depth - 1] == 123 else VALUE
            i += 1
        elif c == 58:  # :
            if state != COLON:
                return i
            state = VALUE
            i += 1
        elif c == 34:  # "
            if state > KEY_OR_END:
                return i
            end = string_end(d, i + 1)
            if end < 0:
                return i
            for k in range(i + 1, end - 1):
                t.hash = (t.hash * 31 + d[k]) & 0xFFFFFF
            if state <= VALUE_OR_END:
                t.strings += 1
                state = COMMA_OR_END
            else:
                t.keys += 1
                state = COLON
            i = end
        elif 48 <= c <= 57 or c == 45:  # 0..9 -
            if state > VALUE_OR_END:
                return i
            end = skip_digits(d, i + 1 if c == 45 else i)
            if d[end] == 46:
                end = skip_digits(d, end + 1)
            t.numbers += end - i
            state = COMMA_OR_END
            i = end
        elif c == 116 or c == 102 or c == 110:  # t f n
            if state > VALUE_OR_END:
                return i
            word = TRUE if c == 116 else FALSE if c == 102 else NULL
            for k in range(len(word)):
                if d[i + k] != word[k]:
                    return i
            t.words += 1
            state = COMMA_OR_END
            i += len(word)
        else:
            return i
    return len(d) if depth == 0 else i


def bench(n):
    t = Totals()
    opened = [0] * 64
    total = 0
    for d in [records(), numbers()]:
        for r in range(n):
            total += check(d, opened, t)
    return total + t.strings * 3 + t.keys * 5 + t.numbers * 7 + t.words * 11 + t.deepest + t.hash


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 2000))
