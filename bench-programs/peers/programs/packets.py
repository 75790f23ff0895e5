import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


MAX = 65536
SYNC, KIND, SEQ, SIZE, DATA, TEXT, HIGH, MIDDLE, LOW, CHECK = range(10)


def generate():
    stream = []
    phase = left = number = 0
    while len(stream) < MAX - 4000:
        if left == 0:
            phase = rnd(4)
            left = 1000 + rnd(2000) if phase == 0 else 4 + rnd(8)
        left -= 1
        kind = rnd(4) if rnd(20) == 0 else phase
        blocks = 0 if kind == 0 else 1 + rnd(255)
        check = kind + number
        stream.append(0x7E)
        stream.append(kind)
        stream.append(number & 255)
        if kind > 0:
            stream.append(blocks)
            check += blocks
        value = rnd(65536)
        for i in range(blocks * 12):
            if kind == 1:
                c = rnd(256)
            elif kind == 2:
                c = 32 if rnd(6) == 0 else 97 + rnd(26)
            elif i % 3 == 0:
                value += rnd(100) - 50
                c = value >> 16
            elif i % 3 == 1:
                c = value >> 8
            else:
                c = value
            stream.append(c & 255)
            check += c
        stream.append((check + 1 if rnd(50) == 0 else check) & 255)
        if rnd(30) == 0:
            stream.append(rnd(100))
        number += 1
    return stream


def parse(stream, start):
    state = SYNC
    kind = left = check = value = 0
    acks = good = bad = lost = words = 0
    h = start
    for c in stream:
        if state == SYNC:
            if c == 0x7E:
                state = KIND
            else:
                lost += 1
        elif state == KIND:
            kind = c
            check = c
            state = SEQ
        elif state == SEQ:
            check += c
            if kind == 0:
                acks += 1
                state = CHECK
            else:
                state = SIZE
        elif state == SIZE:
            check += c
            left = c * 12
            state = DATA if kind == 1 else TEXT if kind == 2 else HIGH
        elif state == DATA:
            check += c
            h = (h * 31 + c) & 0xFFFFFF
            left -= 1
            if left == 0:
                state = CHECK
        elif state == TEXT:
            check += c
            if c == 32:
                words += 1
            else:
                h = (h * 33 + c) & 0xFFFFFF
            left -= 1
            if left == 0:
                state = CHECK
        elif state == HIGH:
            check += c
            value = c << 16
            state = MIDDLE
        elif state == MIDDLE:
            check += c
            value += c << 8
            state = LOW
        elif state == LOW:
            check += c
            h = (h + value + c) & 0xFFFFFF
            left -= 3
            state = CHECK if left == 0 else HIGH
        else:
            if c == check & 255:
                good += 1
            else:
                bad += 1
            state = SYNC
    return (acks * 3 + good * 5 + bad * 7 + lost * 11 + words * 13 + h) & 0xFFFFFF


def bench(n):
    stream = generate()
    total = 0
    for r in range(n):
        total = parse(stream, (total + r) & 0xFFFFFF)
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 8000))
