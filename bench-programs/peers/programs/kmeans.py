import math
import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


N, K = 1000, 8


def bench(n):
    px, py, pz = [0.0] * N, [0.0] * N, [0.0] * N
    for i in range(N):
        px[i] = rnd(1000) / 10.0 + i % 5 * 30
        py[i] = rnd(1000) / 10.0 + i % 3 * 40
        pz[i] = rnd(1000) / 10.0 + i % 2 * 50
    cx = [px[k * 7] for k in range(K)]
    cy = [py[k * 7] for k in range(K)]
    cz = [pz[k * 7] for k in range(K)]
    for r in range(n):
        sx, sy, sz, count = [0.0] * K, [0.0] * K, [0.0] * K, [0] * K
        for i in range(N):
            x, y, z = px[i], py[i], pz[i]
            best = 1e30
            nearest = 0
            for k in range(K):
                dx, dy, dz = x - cx[k], y - cy[k], z - cz[k]
                d = dx * dx + dy * dy + dz * dz
                if d < best:
                    best = d
                    nearest = k
            sx[nearest] += x
            sy[nearest] += y
            sz[nearest] += z
            count[nearest] += 1
        for k in range(K):
            if count[k] > 0:
                cx[k] = sx[k] / count[k]
                cy[k] = sy[k] / count[k]
                cz[k] = sz[k] / count[k]
        px[r % N] += 0.5
    total = 0.0
    for k in range(K):
        total += cx[k] + cy[k] + cz[k]
    return math.floor(total * 1e6)


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 50000))
