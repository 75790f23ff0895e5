import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


SIZE, SECTION = 32768, 4096
PROSE, LOG, TABLE, BORDER = range(4)
STAR, DIGIT, LETTER, ANY = 42, 35, 64, 63

rules = [
    b"*error*", b"##:##:## warn*", b"*@=####? *",
    b"*,9##.##,*,1##.##,*", b"+*-+*-+", b"*@@@@@@@@@ ??? *",
]


def letters(buf, m):
    for i in range(m):
        buf.append(97 + rnd(26))


def digits(buf, m):
    for i in range(m):
        buf.append(48 + rnd(10))


def put_line(buf, kind):
    end = len(buf) + 80 + rnd(120)
    if kind == PROSE:
        while len(buf) < end:
            if rnd(50) == 0:
                buf.extend(b"error")
            else:
                letters(buf, 1 + rnd(9))
            buf.append(32)
    elif kind == LOG:
        digits(buf, 2)
        buf.append(58)
        digits(buf, 2)
        buf.append(58)
        digits(buf, 2)
        level = rnd(8)
        buf.extend(b" error" if level == 0 else b" warn" if level < 3 else b" info")
        while len(buf) < end:
            buf.append(32)
            letters(buf, 1 + rnd(7))
            buf.append(61)
            digits(buf, 1 + rnd(5))
    elif kind == TABLE:
        while len(buf) < end + 150:
            digits(buf, 3)
            buf.append(46)
            digits(buf, 2)
            buf.append(44)
    else:
        buf.append(43)
        while len(buf) < end:
            m = 20 + rnd(40)
            for i in range(m):
                buf.append(45)
            buf.append(43)
    buf.append(10)


def generate():
    buf = bytearray()
    while len(buf) < SIZE:
        put_line(buf, len(buf) // SECTION % 4)
    return buf


def matches(rule, src, start, to):
    m, p, s, star, mark = len(rule), 0, start, -1, 0
    while s < to:
        c = src[s]
        fits = False
        if p < m:
            want = rule[p]
            if want == STAR:
                star = p
                mark = s
                p += 1
                continue
            if want == DIGIT:
                fits = 48 <= c <= 57
            elif want == LETTER:
                fits = 97 <= c <= 122
            else:
                fits = want == c or want == ANY
        if fits:
            p += 1
            s += 1
        elif star >= 0:
            p = star + 1
            mark += 1
            s = mark
        else:
            return False
    while p < m and rule[p] == STAR:
        p += 1
    return p == m


def scan(src, r):
    h, found, start = r & 0xFFFF, 0, 0
    while start < len(src):
        to = start
        while src[to] != 10:
            to += 1
        for i in range(len(rules)):
            if matches(rules[i], src, start, to):
                found += 1
                h = (h * 31 + start + i) & 0xFFFFFF
        start = to + 1
    return found * 100 + h


def bench(n):
    buf = generate()
    total = 0
    for r in range(n):
        total += scan(buf, r)
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 1500))
