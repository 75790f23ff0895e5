import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


N = 500


def distance(a, b, row):
    for j in range(N + 1):
        row[j] = j
    for i in range(1, N + 1):
        diag = row[0]
        row[0] = i
        for j in range(1, N + 1):
            d = diag + int(a[i - 1] != b[j - 1])
            diag = row[j]
            if diag + 1 < d:
                d = diag + 1
            if row[j - 1] + 1 < d:
                d = row[j - 1] + 1
            row[j] = d
    return row[N]


def bench(n):
    a, b, row = [0] * N, [0] * N, [0] * (N + 1)
    for i in range(N):
        a[i] = rnd(4)
        b[i] = rnd(4)
    total = 0
    for r in range(n):
        a[r * 7 % N] = r & 3
        total += distance(a, b, row)
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 2200))
