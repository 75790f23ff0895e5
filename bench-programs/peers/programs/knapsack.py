import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


ITEMS, CAPACITY = 100, 10000


def pack(weight, value):
    best = [0] * (CAPACITY + 1)
    for i in range(ITEMS):
        wi, vi = weight[i], value[i]
        for w in range(CAPACITY, wi - 1, -1):
            t = best[w - wi] + vi
            if t > best[w]:
                best[w] = t
    return best[CAPACITY]


def bench(n):
    weight, value = [0] * ITEMS, [0] * ITEMS
    for i in range(ITEMS):
        weight[i] = 50 + rnd(500)
        value[i] = 1 + rnd(1000)
    total = 0
    for r in range(n):
        k = r % ITEMS
        value[k] = 1 + value[k] * 7 % 1000
        total += pack(weight, value)
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 750))
