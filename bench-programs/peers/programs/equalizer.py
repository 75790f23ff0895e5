import math
import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


BLOCK = 1024
GAIN, LOWPASS, HIGHPASS, PEAK, LIMIT = range(5)


class Band:
    def __init__(self, kind, amount):
        self.kind = kind
        self.amount = amount
        self.last = self.before = 0.0


def sample():
    return (rnd(2000) - 1000) / 1000.0


def equalize(bands, samples):
    total = 0.0
    for i in range(BLOCK):
        x = samples[i]
        for band in bands:
            kind = band.kind
            if kind == GAIN:
                x *= band.amount
            elif kind == LOWPASS:
                band.last += (x - band.last) * band.amount
                x = band.last
            elif kind == HIGHPASS:
                band.last += (x - band.last) * band.amount
                x -= band.last
            elif kind == PEAK:
                y = x + band.amount * (band.last - band.before * 0.5)
                band.before = band.last
                band.last = y * 0.5
                x = y
            elif kind == LIMIT:
                if x > band.amount:
                    x = band.amount
                elif x < -band.amount:
                    x = -band.amount
        total += abs(x)
    return total


def bench(n):
    bands = [
        Band(GAIN, 0.875), Band(HIGHPASS, 0.03125), Band(PEAK, 0.25), Band(LOWPASS, 0.375), Band(LIMIT, 0.9375),
    ]
    samples = [sample() for i in range(BLOCK)]
    total = 0.0
    for r in range(n):
        at = rnd(BLOCK)
        samples[at] = sample()
        total += equalize(bands, samples)
    return int(math.floor(total * 1000.0))


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 40000))
