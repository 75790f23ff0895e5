import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


FRAMES, SAMPLES = 2048, 4
IDLE, START, DATA, PARITY, STOP = range(5)


class Port:
    def __init__(self):
        self.state = IDLE
        self.wait = self.bits = self.shift = self.parity = self.got = self.errors = self.sum = 0


def receive(p, line, size):
    for i in range(size):
        level = line[i]
        if p.wait > 0:
            p.wait -= 1
        elif p.state == DATA:
            p.shift = p.shift >> 1 | level << 7
            p.parity ^= level
            p.bits += 1
            if p.bits == 8:
                p.state = PARITY
            p.wait = SAMPLES - 1
        elif p.state == IDLE:
            if level == 0:
                p.state = START
                p.wait = SAMPLES // 2 - 1
        elif p.state == START:
            if level == 0:
                p.state = DATA
                p.bits = 0
                p.shift = 0
                p.parity = 0
                p.wait = SAMPLES - 1
            else:
                p.state = IDLE
        elif p.state == PARITY:
            if p.parity != level:
                p.errors += 1
            p.state = STOP
            p.wait = SAMPLES - 1
        elif p.state == STOP:
            if level == 1:
                p.got += 1
                p.sum = (p.sum * 31 + p.shift) & 0xFFFFFF
            else:
                p.errors += 1
            p.state = IDLE


def generate(line):
    at = 0
    for f in range(FRAMES):
        byte = rnd(256)
        odd = bin(byte).count("1") & 1
        for b in range(11):
            level = 0 if b == 0 else byte >> (b - 1) & 1 if b <= 8 else odd if b == 9 else 1
            for s in range(SAMPLES):
                line[at] = level
                at += 1
        if rnd(16) == 0:
            at += rnd(8)
    return at


def bench(n):
    line = bytearray([1]) * (FRAMES * 13 * SAMPLES)
    size = generate(line)
    p = Port()
    for r in range(n):
        receive(p, line, size)
    return (p.sum * 31 + p.got * 7 + p.errors) & 0xFFFFFFFF


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 8000))
