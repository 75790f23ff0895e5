import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


HOUR, LANES, ROOM = 36000, 4, 64
GREEN, AMBER, RED = range(3)

gaps = [
    900, 1200, 1500, 1500, 900, 400, 150, 60, 32, 60, 110, 120,
    110, 120, 130, 120, 110, 100, 90, 120, 200, 300, 450, 700,
    1200, 1500, 1800, 1800, 1500, 700, 250, 140, 90, 110, 140, 130,
    110, 110, 100, 80, 50, 30, 60, 110, 180, 300, 500, 900,
]


class Lane:
    def __init__(self, first):
        self.queue = self.head = self.ready = 0
        self.next = first
        self.times = [0] * ROOM


def bench(n):
    lanes = [Lane(i * 50) for i in range(LANES)]
    hour, hour_end, side, light, light_end, idle = 6, HOUR, 0, GREEN, 600, 0
    passed = turned = waited = h = 0
    for t in range(n * HOUR):
        if t == hour_end:
            hour = 0 if hour == 23 else hour + 1
            hour_end += HOUR
        if light == GREEN:
            if lanes[side].queue + lanes[side + 2].queue > 0:
                idle = 0
            else:
                idle += 1
            if lanes[1 - side].queue + lanes[3 - side].queue > 0:
                if t >= light_end or idle >= 40:
                    light = AMBER
                    light_end = t + 30
        elif t >= light_end:
            if light == AMBER:
                light = RED
                light_end = t + 20
            else:
                side = 1 - side
                light = GREEN
                light_end = t + 600
                idle = 0
                lanes[side].ready = t + 15
                lanes[side + 2].ready = t + 15
        for i in range(LANES):
            lane = lanes[i]
            if t == lane.next:
                if lane.queue < ROOM:
                    lane.times[(lane.head + lane.queue) & (ROOM - 1)] = t
                    lane.queue += 1
                else:
                    turned += 1
                lane.next = t + 1 + rnd(2 * gaps[(i & 1) * 24 + hour])
            if lane.queue > 0:
                if light == GREEN and side == (i & 1):
                    if t >= lane.ready:
                        wait = t - lane.times[lane.head]
                        lane.head = (lane.head + 1) & (ROOM - 1)
                        lane.queue -= 1
                        lane.ready = t + 20
                        passed += 1
                        waited += wait
                        h = (h * 31 + wait) & 0xFFFFFF
    return waited * 8 + passed * 3 + turned + h


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 2500))
