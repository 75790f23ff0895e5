import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


N = 20000


def merge_sort(a, tmp, lo, hi):
    if hi - lo < 2:
        return
    mid = (lo + hi) // 2
    merge_sort(a, tmp, lo, mid)
    merge_sort(a, tmp, mid, hi)
    i, j, k = lo, mid, lo
    while i < mid and j < hi:
        if a[i] <= a[j]:
            tmp[k] = a[i]
            i += 1
        else:
            tmp[k] = a[j]
            j += 1
        k += 1
    while i < mid:
        tmp[k] = a[i]
        i += 1
        k += 1
    while j < hi:
        tmp[k] = a[j]
        j += 1
        k += 1
    for m in range(lo, hi):
        a[m] = tmp[m]


def bench(n):
    source = [rnd(1000000) for i in range(N)]
    a, tmp = [0] * N, [0] * N
    total = 0
    for r in range(n):
        flip = r & 1023
        for i in range(N):
            a[i] = source[i] ^ flip
        merge_sort(a, tmp, 0, N)
        total += a[r * 37 % N]
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 350))
