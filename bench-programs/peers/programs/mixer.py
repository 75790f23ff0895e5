import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


BLOCK, CHANNELS, WAVE, DELAY = 512, 4, 1024, 3000
SILENCE, GAIN, LOWPASS, CLIP, ECHO = range(5)


class Channel:
    def __init__(self, phase):
        self.mode = self.left = self.level = self.step = self.low = self.at = 0
        self.phase = phase
        self.delay = [0] * DELAY


def change(c):
    c.mode = rnd(5)
    c.left = 300 + rnd(3000)
    c.level = 64 + rnd(192)
    c.step = 40 + rnd(400)


def mix(c, wave, out):
    for t in range(BLOCK):
        if c.left == 0:
            change(c)
        c.left -= 1
        c.phase = (c.phase + c.step) & 0xFFFF
        x = wave[c.phase >> 6]
        if c.mode == SILENCE:
            continue
        elif c.mode == GAIN:
            x = x * c.level >> 8
        elif c.mode == LOWPASS:
            c.low += (x - c.low) * c.level >> 8
            x = c.low
        elif c.mode == CLIP:
            limit = c.level * 40
            if x > limit:
                x = limit + ((x - limit) >> 2)
            elif x < -limit:
                x = ((x + limit) >> 2) - limit
        else:
            x = (x + c.delay[c.at]) >> 1
            c.delay[c.at] = x
            c.at += 1
            if c.at == DELAY:
                c.at = 0
        out[t] += x


def bench(n):
    wave = [0] * WAVE
    for i in range(WAVE):
        half = i & 511
        y = half * (512 - half) * 12000 >> 16
        wave[i] = y if i < 512 else -y
    channels = [Channel(i * 9973) for i in range(CHANNELS)]
    total = saturated = 0
    for b in range(n):
        out = [0] * BLOCK
        for c in channels:
            mix(c, wave, out)
        for t in range(BLOCK):
            v = out[t]
            if v > 32767:
                v = 32767
                saturated += 1
            elif v < -32768:
                v = -32768
                saturated += 1
            total = (total * 31 + v) & 0xFFFFFF
    return saturated * 16777216 + total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 150000))
