import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


N = 128
CELLS = N * N


def generation(g, o):
    for y in range(N):
        up, row, down = (y + N - 1) % N * N, y * N, (y + 1) % N * N
        for x in range(N):
            left, right = (x + N - 1) % N, (x + 1) % N
            s = (g[up + left] + g[up + x] + g[up + right] + g[row + left] + g[row + right]
                 + g[down + left] + g[down + x] + g[down + right])
            o[row + x] = 1 if s == 3 or s == 2 and g[row + x] == 1 else 0


def bench(n):
    grids = [[0] * CELLS, [0] * CELLS]
    for i in range(CELLS):
        grids[0][i] = int(rnd(3) == 0)
    current = 0
    for r in range(n):
        generation(grids[current], grids[1 - current])
        current = 1 - current
        grids[current][r * 131 % CELLS] = 1
    last = grids[current]
    total = 0
    for i in range(CELLS):
        total += last[i] * (i % 101 + 1)
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 9000))
