import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


HEADERS, SIZE = 2000, 18


def unpack(fmt, data, at, out):
    to = 0
    for letter in fmt:
        if letter == 66:
            out[to] = data[at]
            at += 1
            to += 1
        elif letter == 72:
            out[to] = data[at] | data[at + 1] << 8
            at += 2
            to += 1
        elif letter == 73:
            out[to] = data[at] | data[at + 1] << 8 | data[at + 2] << 16 | data[at + 3] << 24
            at += 4
            to += 1
        elif letter == 104:
            v = data[at] | data[at + 1] << 8
            out[to] = v - 65536 if v >= 32768 else v
            at += 2
            to += 1
        elif letter == 120:
            at += 1
        elif letter == 98:
            v = data[at]
            out[to] = v - 256 if v >= 128 else v
            at += 1
            to += 1
    return at


def bench(n):
    fmt = b"HHBxIhBBI"
    data = bytearray(rnd(256) for i in range(HEADERS * SIZE))
    for i in range(HEADERS):
        if rnd(32) != 0:
            data[i * SIZE + 11] &= 127
    out = [0] * 16
    total = 0
    for r in range(n):
        changed = rnd(HEADERS) * SIZE
        data[changed] = rnd(256)
        at = 0
        for i in range(HEADERS):
            at = unpack(fmt, data, at, out)
            total = (total + out[0] * 3 + out[3] + out[4] * 5 + out[7]) & 0xFFFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 14000))
