import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


RECORDS, FIELDS = 1000, 7
VARINT, ZIGZAG, BOOLEAN, FIXED, TEXT, DELTA = range(6)
kinds = [DELTA, FIXED, BOOLEAN, VARINT, TEXT, ZIGZAG, BOOLEAN]


def put_varint(out, at, v):
    while v >= 128:
        out[at] = v & 127 | 128
        at += 1
        v >>= 7
    out[at] = v
    return at + 1


def write_records(kinds, values, names, out):
    at = before = 0
    for r in range(RECORDS):
        for f in range(FIELDS):
            value, kind = values[r * FIELDS + f], kinds[f]
            out[at] = f << 3 | kind
            at += 1
            if kind == VARINT:
                at = put_varint(out, at, value)
            elif kind == ZIGZAG:
                at = put_varint(out, at, value << 1 ^ value >> 63)
            elif kind == BOOLEAN:
                out[at] = value & 1
                at += 1
            elif kind == FIXED:
                out[at] = value & 255
                out[at + 1] = value >> 8 & 255
                out[at + 2] = value >> 16 & 255
                out[at + 3] = value >> 24
                at += 4
            elif kind == TEXT:
                out[at] = 8
                at += 1
                for i in range(8):
                    out[at + i] = names[value * 8 + i]
                at += 8
            elif kind == DELTA:
                at = put_varint(out, at, value - before)
                before = value
    return at


def bench(n):
    values = [0] * (RECORDS * FIELDS)
    for r in range(RECORDS):
        to = r * FIELDS
        values[to] = r * 3 + rnd(3)
        values[to + 1] = lcg()
        values[to + 2] = rnd(2)
        values[to + 3] = 20 + rnd(60)
        values[to + 4] = rnd(16)
        values[to + 5] = rnd(100) - 50
        values[to + 6] = rnd(2)
    names = bytearray(97 + rnd(26) for i in range(128))
    out = bytearray(RECORDS * FIELDS * 10)
    total = 0
    for r in range(n):
        at = rnd(RECORDS) * FIELDS + 3
        values[at] = rnd(80)
        size = write_records(kinds, values, names, out)
        total = (total * 31 + size + out[rnd(size)]) & 0xFFFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 20000))
