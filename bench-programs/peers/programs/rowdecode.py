import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


ROWS, FIELDS = 1000, 8
PLAIN, SIGNED, DELTA, RUN, FIXED, TEXT = range(6)
last, left = [0] * FIELDS, [0] * FIELDS


class Table:
    def __init__(self, schema, absent):
        self.schema = schema
        self.absent = absent
        self.data = bytearray()


class Reader:
    def __init__(self, data):
        self.data = data
        self.pos = 0


def put_plain(t, n):
    while n >= 128:
        t.data.append(n & 127 | 128)
        n >>= 7
    t.data.append(n)


def put_field(t, f):
    kind = t.schema[f]
    if kind == PLAIN:
        put_plain(t, rnd(5000) if rnd(8) == 0 else rnd(128))
    elif kind == SIGNED:
        put_plain(t, rnd(6000))
    elif kind == DELTA:
        put_plain(t, rnd(40))
    elif kind == RUN:
        if left[f] == 0:
            left[f] = 10 + rnd(40)
            put_plain(t, left[f])
            put_plain(t, rnd(5))
        left[f] -= 1
    elif kind == FIXED:
        for i in range(4):
            t.data.append(rnd(256) if i < 3 else 0)
    else:
        length = 4 + rnd(3) * rnd(3)
        put_plain(t, length)
        for i in range(length):
            t.data.append(97 + rnd(26))


def encode(schema, absent):
    t = Table(schema, absent)
    for f in range(FIELDS):
        left[f] = 0
    for row in range(ROWS):
        start = len(t.data)
        t.data.append(0)
        for f in range(FIELDS):
            if rnd(100) < absent[f]:
                t.data[start] |= 1 << f
            else:
                put_field(t, f)
    return t


def plain(r):
    value = shift = 0
    while True:
        b = r.data[r.pos]
        r.pos += 1
        value |= (b & 127) << shift
        if b < 128:
            return value
        shift += 7


def signed(r):
    n = plain(r)
    return n >> 1 ^ -(n & 1)


def fixed(r):
    r.pos += 4
    return r.data[r.pos - 4] | r.data[r.pos - 3] << 8 | r.data[r.pos - 2] << 16 | r.data[r.pos - 1] << 24


def run(r, f):
    if left[f] == 0:
        left[f] = plain(r)
        last[f] = plain(r)
    left[f] -= 1
    return last[f]


def delta(r, f):
    last[f] += signed(r)
    return last[f]


def text_hash(r):
    h = 0
    for i in range(plain(r)):
        h = (h * 31 + r.data[r.pos]) & 0xFFFFFF
        r.pos += 1
    return h


def decode(t, columns):
    r = Reader(t.data)
    absent_fields = 0
    for f in range(FIELDS):
        last[f] = left[f] = 0
    for row in range(ROWS):
        absent = r.data[r.pos]
        r.pos += 1
        for f in range(FIELDS):
            if absent >> f & 1 == 1:
                absent_fields += 1
                columns[f][row] = -1
                continue
            kind = t.schema[f]
            if kind == PLAIN:
                v = plain(r)
            elif kind == SIGNED:
                v = signed(r)
            elif kind == DELTA:
                v = delta(r, f)
            elif kind == RUN:
                v = run(r, f)
            elif kind == FIXED:
                v = fixed(r)
            else:
                v = text_hash(r)
            columns[f][row] = v
    return absent_fields + r.pos


def bench(n):
    tables = [
        encode([DELTA, DELTA, RUN, SIGNED, FIXED, TEXT, RUN, PLAIN], [0, 0, 0, 3, 0, 0, 0, 5]),
        encode([DELTA, RUN, SIGNED, SIGNED, SIGNED, FIXED, PLAIN, PLAIN], [0, 0, 0, 0, 2, 0, 0, 0]),
    ]
    columns = [[0] * ROWS for f in range(FIELDS)]
    total = 0
    for table in tables:
        for r in range(n):
            total += decode(table, columns)
            for f in range(FIELDS):
                total += columns[f][r % ROWS]
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 13000))
