import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


SIZE, DEPTH = 65536, 64
BETWEEN, NUMBER, STRING, ESCAPE, WORD = range(5)


def put_number(buf, m):
    buf.append(49 + rnd(9))
    for i in range(1, m):
        buf.append(48 + rnd(10))


def put_samples(buf):
    buf.append(91)
    for i in range(800 + rnd(800)):
        put_number(buf, 3)
        buf.append(44)
    put_number(buf, 3)
    buf.append(93)


def put_text(buf):
    buf.append(34)
    for i in range(1000 + rnd(3000)):
        if rnd(200) == 0:
            buf.extend(b"\\n")
        else:
            buf.append(97 + rnd(26))
    buf.append(34)


def put_records(buf):
    buf.append(91)
    for i in range(20 + rnd(60)):
        buf.extend(b"{\"id\":")
        put_number(buf, 4)
        buf.extend(b",\"name\":\"")
        for k in range(3 + rnd(8)):
            buf.append(97 + rnd(26))
        buf.extend(b"\",\"on\":false," if rnd(4) == 0 else b"\",\"on\":true,")
        buf.extend(b"\"at\":-")
        put_number(buf, 1 + rnd(5))
        buf.extend(b"},")
    buf.extend(b"null]")


def put_nest(buf):
    for i in range(20 + rnd(40)):
        depth = 4 + rnd(20)
        for k in range(depth):
            buf.append(91)
        put_number(buf, 2)
        for k in range(depth):
            buf.append(93)
        buf.append(44)
    buf.extend(b"{}")


def generate():
    buf = bytearray()
    buf.append(91)
    while len(buf) < SIZE:
        kind = rnd(4)
        if kind == 0:
            put_samples(buf)
        elif kind == 1:
            put_text(buf)
        elif kind == 2:
            put_records(buf)
        else:
            put_nest(buf)
        buf.append(44)
    buf.extend(b"0]\n")
    return buf


def read(src, stack, r):
    state, h = BETWEEN, r & 0xFFFF
    depth = number = total = strings = keys = words = deepest = 0
    expects_key = in_key = negative = False
    for c in src:
        if state == NUMBER:
            if 48 <= c <= 57:
                number = (number * 10 + c - 48) & 0xFFFFFF
                continue
            total += -number if negative else number
            negative = False
            state = BETWEEN
        elif state == STRING:
            if c == 92:
                state = ESCAPE
            elif c == 34:
                if in_key:
                    keys += 1
                else:
                    strings += 1
                state = BETWEEN
            else:
                h = (h * 31 + c) & 0xFFFFFF
            continue
        elif state == ESCAPE:
            h = (h * 33 + c) & 0xFFFFFF
            state = STRING
            continue
        elif state == WORD:
            if 97 <= c <= 122:
                continue
            words += 1
            state = BETWEEN
        if 48 <= c <= 57:
            number = c - 48
            state = NUMBER
        elif c == 44:
            expects_key = stack[depth] == 123
        elif c == 34:
            in_key = expects_key
            state = STRING
        elif c == 58:
            expects_key = False
        elif c == 91 or c == 123:
            depth += 1
            stack[depth] = c
            expects_key = c == 123
            if depth > deepest:
                deepest = depth
        elif c == 93 or c == 125:
            depth -= 1
        elif c == 45:
            negative = True
        elif 97 <= c <= 122:
            state = WORD
    return total + h + strings * 3 + keys * 5 + words * 7 + deepest * 11


def bench(n):
    buf = generate()
    stack = [0] * DEPTH
    total = 0
    for r in range(n):
        total += read(buf, stack, r)
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 4500))
