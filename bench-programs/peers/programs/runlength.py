import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


WIDTH, SIZE = 256, 65536


def paint(image):
    for i in range(40):
        wide = 32 + rnd(160)
        high = 16 + rnd(100)
        x = rnd(WIDTH - wide)
        y = rnd(WIDTH - high)
        colour = rnd(256)
        gap = 3 + rnd(4) if i % 2 == 0 else 1
        for row in range(y, y + high):
            for column in range(x, x + wide, gap):
                image[row * WIDTH + column] = colour
    for i in range(12):
        row = rnd(WIDTH)
        for column in range(WIDTH):
            image[row * WIDTH + column] = rnd(256)


def flush(image, start, count, out, size):
    if count == 0:
        return size
    out[size] = count - 1
    for i in range(count):
        out[size + 1 + i] = image[start + i]
    return size + 1 + count


def encode(image, out):
    size = literals = 0
    run = 1
    for i in range(1, SIZE + 1):
        if i < SIZE and image[i] == image[i - 1] and run < 130:
            run += 1
            continue
        if run > 2:
            size = flush(image, i - run - literals, literals, out, size)
            literals = 0
            out[size] = run + 125
            out[size + 1] = image[i - 1]
            size += 2
        else:
            literals += run
            if literals > 126:
                size = flush(image, i - literals, literals, out, size)
                literals = 0
        run = 1
    return flush(image, SIZE - literals, literals, out, size)


def decode(coded, image, start):
    h = start
    at = left = value = last = edges = column = 0
    literal = False
    for i in range(SIZE):
        if left == 0:
            c = coded[at]
            at += 1
            literal = c < 128
            if literal:
                left = c + 1
            else:
                left = c - 125
                value = coded[at]
                at += 1
        left -= 1
        if literal:
            value = coded[at]
            at += 1
        image[i] = value
        if value != last:
            edges += 1
            last = value
        column += 1
        if column == WIDTH:
            h = (h * 31 + edges * 256 + value) & 0xFFFFFF
            column = 0
    return h


def bench(n):
    image, copied, coded = [0] * SIZE, [0] * SIZE, [0] * (2 * SIZE)
    total = 0
    paint(image)
    for r in range(n):
        image[r & 255] = r & 15
        size = encode(image, coded)
        total = decode(coded, copied, (total + size) & 0xFFFFFF)
        total = (total + copied[r * 977 & (SIZE - 1)]) & 0xFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 3500))
