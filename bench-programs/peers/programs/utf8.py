import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


SIZE = 49152


class Found:
    def __init__(self):
        self.letters = self.bad = self.sum = 0


def put(out, c):
    if c < 0x80:
        out.append(c)
    elif c < 0x800:
        out.append(0xC0 | c >> 6)
        out.append(0x80 | c & 63)
    else:
        out.append(0xE0 | c >> 12)
        out.append(0x80 | c >> 6 & 63)
        out.append(0x80 | c & 63)


def generate():
    data = bytearray()
    script = 0
    while len(data) < SIZE:
        end = min(SIZE, len(data) + 3000 + rnd(6000))
        while len(data) < end:
            if script == 0:
                c = 32 + rnd(95)
            elif script == 1:
                c = 0x410 + rnd(64)
            else:
                c = 0x4E00 + rnd(8000)
            put(data, c)
        script = (script + 1) % 3
    return data


def decode(src, found):
    need = code = 0
    for b in src:
        if need == 0:
            if b < 0x80:
                found.letters += 1
                found.sum = (found.sum + b) & 0xFFFFFFF
            elif b < 0xC0:
                found.bad += 1
            elif b < 0xE0:
                need = 1
                code = b & 31
            elif b < 0xF0:
                need = 2
                code = b & 15
            else:
                found.bad += 1
        elif b & 0xC0 == 0x80:
            code = code << 6 | b & 63
            need -= 1
            if need == 0:
                found.letters += 1
                found.sum = (found.sum + code) & 0xFFFFFFF
        else:
            found.bad += 1
            need = 0


def bench(n):
    data = generate()
    found = Found()
    for r in range(n):
        decode(data, found)
    return (found.sum * 31 + found.letters + found.bad * 7) & 0xFFFFFFFF


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 8000))
