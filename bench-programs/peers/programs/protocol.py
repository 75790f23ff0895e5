import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


SIZE, CHUNK, FLAG, ESCAPE = 65536, 1500, 0x7E, 0x7D
PING, TEXT, BLOCK, STATUS = range(1, 5)
HUNT, KIND, LENGTH, BODY, CHECK_LOW, CHECK_HIGH = range(6)
table = [0] * 256


class Line:
    def __init__(self):
        self.data = []
        self.check = 0


class Receiver:
    def __init__(self):
        self.state = HUNT
        self.escaped = False
        self.kind = self.left = self.check = self.filled = 0
        self.body = [0] * 256
        self.pings = self.text = self.blocks = self.status = self.errors = 0


def send(line, c):
    line.check = line.check >> 8 ^ table[(line.check ^ c) & 255]
    if c == FLAG or c == ESCAPE:
        line.data.append(ESCAPE)
        line.data.append(c ^ 32)
    else:
        line.data.append(c)


def send_message(line, kind, length):
    line.data.append(FLAG)
    line.check = 0xFFFF
    send(line, kind)
    send(line, length)
    for i in range(length):
        send(line, 97 + rnd(26) if kind == TEXT else FLAG if rnd(8) == 0 else rnd(256))
    check = line.check
    send(line, check & 255)
    send(line, check >> 8)
    if rnd(50) == 0:
        line.data[-3] ^= 4


def traffic(phase):
    line = Line()
    i = 0
    while len(line.data) < SIZE:
        kind = rnd(4) if phase == 3 else phase
        if kind == 0:
            send_message(line, PING, 0)
        elif kind == 1:
            send_message(line, TEXT, 20 + rnd(60))
        elif kind == 2 and i % 5 != 4:
            send_message(line, BLOCK, 128)
        else:
            send_message(line, STATUS, 4)
        i += 1
    return line.data


def deliver(r):
    if r.kind == PING:
        r.pings += 1
    elif r.kind == TEXT:
        for i in range(r.filled):
            r.text = (r.text * 31 + r.body[i]) & 0xFFFFFF
    elif r.kind == BLOCK:
        for i in range(r.filled):
            r.blocks += r.body[i]
    elif r.kind == STATUS:
        r.status ^= r.body[0] | r.body[1] << 8 | r.body[2] << 16
    else:
        r.errors += 1


def receive(r, data, start, end):
    for i in range(start, end):
        c = data[i]
        if c == FLAG:
            if r.state != HUNT:
                r.errors += 1
            r.state = KIND
            r.escaped = False
            r.check = 0xFFFF
            continue
        if r.state == HUNT:
            continue
        if c == ESCAPE:
            r.escaped = True
            continue
        if r.escaped:
            c ^= 32
            r.escaped = False
        if r.state < CHECK_LOW:
            r.check = r.check >> 8 ^ table[(r.check ^ c) & 255]
        if r.state == KIND:
            r.kind = c
            r.state = LENGTH
        elif r.state == LENGTH:
            r.left = c
            r.filled = 0
            r.state = BODY if c > 0 else CHECK_LOW
        elif r.state == BODY:
            r.body[r.filled] = c
            r.filled += 1
            if r.filled == r.left:
                r.state = CHECK_LOW
        elif r.state == CHECK_LOW:
            r.check ^= c
            r.state = CHECK_HIGH
        else:
            if r.check == c << 8:
                deliver(r)
            else:
                r.errors += 1
            r.state = HUNT


def bench(n):
    for i in range(256):
        c = i
        for bit in range(8):
            c = c >> 1 ^ 0x8408 if c & 1 == 1 else c >> 1
        table[i] = c
    r = Receiver()
    for phase in [0, 2, 1, 3, 2, 0]:
        data = traffic(phase)
        for repetition in range(n):
            for i in range(0, len(data), CHUNK):
                receive(r, data, i, min(i + CHUNK, len(data)))
    return r.pings + r.text * 3 + r.blocks * 5 + r.status * 7 + r.errors * 11


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 400))
