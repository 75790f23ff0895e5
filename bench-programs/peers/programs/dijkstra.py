import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


N, DEGREE = 2000, 8


class Heap:
    def __init__(self):
        self.items = [0] * (N * DEGREE + 2)
        self.size = 0


def push(heap, v):
    a = heap.items
    i = heap.size
    heap.size += 1
    while i > 0:
        p = (i - 1) // 2
        if a[p] <= v:
            break
        a[i] = a[p]
        i = p
    a[i] = v


def pop(heap):
    a = heap.items
    top = a[0]
    heap.size -= 1
    size = heap.size
    v = a[size]
    i = 0
    while True:
        c = 2 * i + 1
        if c >= size:
            break
        if c + 1 < size and a[c + 1] < a[c]:
            c += 1
        if a[c] >= v:
            break
        a[i] = a[c]
        i = c
    a[i] = v
    return top


def shortest(heap, target, weight, dist, source):
    for i in range(N):
        dist[i] = 1000000
    dist[source] = 0
    heap.size = 0
    push(heap, source)
    while heap.size > 0:
        top = pop(heap)
        d = top // 2048
        u = top % 2048
        if d > dist[u]:
            continue
        for k in range(u * DEGREE, u * DEGREE + DEGREE):
            v = target[k]
            candidate = d + weight[k]
            if candidate < dist[v]:
                dist[v] = candidate
                push(heap, candidate * 2048 + v)


def bench(n):
    target, weight, dist = [0] * (N * DEGREE), [0] * (N * DEGREE), [0] * N
    for i in range(N * DEGREE):
        target[i] = rnd(N)
        weight[i] = 1 + rnd(100)
    heap = Heap()
    total = 0
    for r in range(n):
        shortest(heap, target, weight, dist, r % N)
        for d in dist:
            total += d
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 1600))
