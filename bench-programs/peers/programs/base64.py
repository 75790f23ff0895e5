import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


SIZE, LINE = 24576, 76
letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class Coder:
    def __init__(self):
        self.state = self.rest = self.column = 0


def encode(c, src, size, dst):
    out = 0
    for i in range(size):
        b = src[i]
        if c.state == 0:
            dst[out] = letters[b >> 2]
            out += 1
            c.rest = (b & 3) << 4
            c.state = 1
        elif c.state == 1:
            dst[out] = letters[c.rest | b >> 4]
            out += 1
            c.rest = (b & 15) << 2
            c.state = 2
        else:
            dst[out] = letters[c.rest | b >> 6]
            dst[out + 1] = letters[b & 63]
            out += 2
            c.state = 0
            c.column += 4
            if c.column == LINE:
                dst[out] = 10
                out += 1
                c.column = 0
    return out


def decode(c, values, src, size, dst):
    out = 0
    for i in range(size):
        v = values[src[i]]
        if v < 0:
            continue
        if c.state == 0:
            c.rest = v << 2
            c.state = 1
        elif c.state == 1:
            dst[out] = c.rest | v >> 4
            out += 1
            c.rest = (v & 15) << 4
            c.state = 2
        elif c.state == 2:
            dst[out] = c.rest | v >> 2
            out += 1
            c.rest = (v & 3) << 6
            c.state = 3
        else:
            dst[out] = c.rest | v
            out += 1
            c.state = 0
    return out


def bench(n):
    data, coded, back = bytearray(SIZE), bytearray(SIZE * 2), bytearray(SIZE + 4)
    for i in range(SIZE):
        data[i] = rnd(256)
    values = [-1] * 256
    for i in range(64):
        values[letters[i]] = i
    total = 0
    for r in range(n):
        at = rnd(SIZE)
        data[at] = rnd(256)
        size = encode(Coder(), data, SIZE, coded)
        read = decode(Coder(), values, coded, size, back)
        total = (total * 31 + size + read + coded[rnd(size)] + back[rnd(read)]) & 0xFFFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 8000))
