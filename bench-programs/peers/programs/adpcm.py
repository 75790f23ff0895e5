import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


SIZE = 32768
steps = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28,
    31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118,
    130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494,
    544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066,
    2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630,
    9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
]
moves = [-1, -1, -1, -1, 2, 4, 6, 8]


def generate():
    pcm = []
    while len(pcm) < SIZE:
        kind = rnd(8)
        end = min(len(pcm) + 500 + rnd(2000), SIZE)
        half = 4 + rnd(60)
        slope = 1 + rnd(200)
        up = True
        count = v = 0
        while len(pcm) < end:
            if kind == 6:
                v = slope * 16 - rnd(slope * 32)
            elif kind >= 4:
                if kind == 5:
                    v = slope if up else -slope
                else:
                    v += slope if up else -slope
                count += 1
                if count == half:
                    count = 0
                    up = not up
            pcm.append(v)
    return pcm


def encode(pcm, coded):
    value = index = 0
    for i in range(SIZE):
        step = steps[index]
        diff = pcm[i] - value
        code = 0
        delta = step >> 3
        if diff < 0:
            code = 8
            diff = -diff
        if diff >= step:
            code |= 4
            diff -= step
            delta += step
        step >>= 1
        if diff >= step:
            code |= 2
            diff -= step
            delta += step
        step >>= 1
        if diff >= step:
            code |= 1
            delta += step
        if code >= 8:
            value -= delta
        else:
            value += delta
        if value > 32767:
            value = 32767
        elif value < -32768:
            value = -32768
        index += moves[code & 7]
        if index < 0:
            index = 0
        elif index > 88:
            index = 88
        if i & 1 == 0:
            coded[i >> 1] = code
        else:
            coded[i >> 1] |= code << 4


def decode(coded, start):
    value = index = 0
    h = start
    for i in range(SIZE):
        code = coded[i >> 1] & 15 if i & 1 == 0 else coded[i >> 1] >> 4
        step = steps[index]
        delta = step >> 3
        if code & 4:
            delta += step
        if code & 2:
            delta += step >> 1
        if code & 1:
            delta += step >> 2
        if code >= 8:
            value -= delta
        else:
            value += delta
        if value > 32767:
            value = 32767
        elif value < -32768:
            value = -32768
        index += moves[code & 7]
        if index < 0:
            index = 0
        elif index > 88:
            index = 88
        h = (h * 31 + value) & 0xFFFFFF
    return h


def bench(n):
    pcm = generate()
    coded = [0] * (SIZE // 2)
    total = 0
    for r in range(n):
        pcm[r * 977 & 1023] = r & 255
        encode(pcm, coded)
        total = decode(coded, total)
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 2000))
