import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


SIZE = 32768


def generate():
    text = []
    while len(text) < SIZE:
        kind = rnd(8)
        end = min(len(text) + 200 + rnd(1500), SIZE)
        width = 2 + rnd(3)
        for i in range(len(text), end):
            if kind < 3:
                text.append(32)
            elif kind == 3:
                text.append(45)
            elif kind < 7:
                text.append(124 if i % width == 0 else 32)
            elif rnd(6) == 0:
                text.append(10 if rnd(10) == 0 else 32)
            else:
                text.append(97 + rnd(26) * rnd(26) // 26)
    return text


def build(text, left, right):
    weight = [0] * 512
    for c in text:
        weight[c] += 1
    nxt = 256
    while True:
        a = b = -1
        for i in range(nxt):
            if weight[i] > 0:
                if a < 0 or weight[i] < weight[a]:
                    b = a
                    a = i
                elif b < 0 or weight[i] < weight[b]:
                    b = i
        if b < 0:
            return a
        left[nxt] = a
        right[nxt] = b
        weight[nxt] = weight[a] + weight[b]
        weight[a] = weight[b] = 0
        nxt += 1


def encode(text, left, right, root, bits):
    parent, path = [0] * 512, [0] * 64
    size = 0
    for i in range(256, root + 1):
        parent[left[i]] = parent[right[i]] = i
    for node in text:
        depth = 0
        while node != root:
            path[depth] = 1 if right[parent[node]] == node else 0
            depth += 1
            node = parent[node]
        while depth > 0:
            depth -= 1
            if path[depth] != 0:
                bits[size >> 3] |= 128 >> (size & 7)
            size += 1
    return size


def decode(bits, size, left, right, root, start):
    node = root
    h = start
    column = 0
    for i in range(size):
        if bits[i >> 3] >> (7 - (i & 7)) & 1 == 0:
            node = left[node]
        else:
            node = right[node]
        if node < 256:
            if node == 10:
                h = (h + column) & 0xFFFFFF
                column = 0
            else:
                h = (h * 31 + node) & 0xFFFFFF
                column += 1
            node = root
    return h


def bench(n):
    text = generate()
    bits, left, right = [0] * SIZE, [-1] * 512, [-1] * 512
    root = build(text, left, right)
    size = encode(text, left, right, root, bits)
    total = 0
    for r in range(n):
        total = decode(bits, size, left, right, root, (total + r) & 0xFFFFFF)
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 5000))
