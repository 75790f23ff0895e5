import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


SIZE = 32768


class Tree:
    def __init__(self):
        self.weight = [0] * 512
        self.child = [0] * 1024
        self.parent = [-1] * 512
        self.root = 256


def prose(text):
    words = [
        "the ", "of ", "and ", "a ", "to ", "in ", "path ", "was worn ", "deep ", "by feet ", "holloway ", "between ",
        "banks; ", "lane.\n",
    ]
    size = 0
    while size < SIZE:
        word = words[min(rnd(len(words)), rnd(len(words)))]
        length = min(len(word), SIZE - size)
        for i in range(length):
            text[size + i] = ord(word[i])
        size += length


def generate(kind):
    text = [0] * SIZE
    if kind == 0:
        prose(text)
    elif kind == 1:
        for i in range(SIZE // 40):
            at = rnd(SIZE)
            text[at] = 1 << rnd(8)
    else:
        for i in range(SIZE):
            text[i] = rnd(100)
    return text


def lightest(t, count, omitted):
    weight, parent = t.weight, t.parent
    best = -1
    for i in range(count):
        if weight[i] > 0 and parent[i] < 0 and i != omitted and (best < 0 or weight[i] < weight[best]):
            best = i
    return best


def build(text):
    t = Tree()
    for c in text:
        t.weight[c] += 1
    count = 256
    while True:
        a = lightest(t, count, -1)
        b = lightest(t, count, a)
        if b < 0:
            return t
        t.weight[count] = t.weight[a] + t.weight[b]
        t.child[2 * count] = a
        t.child[2 * count + 1] = b
        t.parent[a] = t.parent[b] = count
        t.root = count
        count += 1


def pack(t, text, bits):
    code, length = [0] * 256, [0] * 256
    for c in range(256):
        node = c
        while t.weight[c] > 0 and node != t.root:
            parent = t.parent[node]
            if t.child[2 * parent + 1] == node:
                code[c] |= 1 << length[c]
            length[c] += 1
            node = parent
    size = pending = held = 0
    for c in text:
        pending = pending << length[c] | code[c]
        held += length[c]
        while held >= 8:
            held -= 8
            bits[size] = pending >> held & 255
            size += 1
        pending &= 255
    bits[size] = pending << 8 - held & 255
    return size * 8 + held


def unpack(t, bits, count, out):
    child = t.child
    size, node = 0, t.root
    for i in range(count):
        bit = bits[i >> 3] >> 7 - (i & 7) & 1
        node = child[2 * node + bit]
        if node < 256:
            out[size] = node
            size += 1
            node = t.root
    return size


def bench(n):
    bits, out = [0] * (SIZE * 4), [0] * SIZE
    total = 0
    for kind in range(3):
        text = generate(kind)
        for r in range(n):
            text[r * 7 % SIZE] = text[r * 11 % SIZE]
            t = build(text)
            count = pack(t, text, bits)
            total += count + unpack(t, bits, count, out)
            for i in range(r % 32, SIZE, 32):
                total += int(out[i] == text[i])
        for c in out:
            total = (total * 31 + c) & 0xFFFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 500))
