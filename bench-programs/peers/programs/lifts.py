import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


DAY, FLOORS, CARS, ROOM, RIDE, OPEN = 8000, 16, 4, 8, 12, 40
IDLE, UP, DOWN, DOORS = range(4)
gaps = [30, 80, 30, 600]


class Car:
    def __init__(self):
        self.state = IDLE
        self.timer = self.floor = self.load = 0
        self.goal = -1
        self.stops = [0] * FLOORS


class House:
    def __init__(self):
        self.waiting = [0] * FLOORS
        self.claimed = [False] * FLOORS
        self.calls = self.hash = 0


def claim(h, floor):
    if not h.claimed[floor]:
        h.claimed[floor] = True
        if h.waiting[floor] > 0:
            h.calls -= 1


def release(h, floor):
    if h.claimed[floor]:
        h.claimed[floor] = False
        if h.waiting[floor] > 0:
            h.calls += 1


def come(h, phase):
    floor = 0 if phase == 0 else rnd(FLOORS)
    if h.waiting[floor] == 0 and not h.claimed[floor]:
        h.calls += 1
    h.waiting[floor] += 1


def open_doors(h, car):
    if car.goal >= 0:
        release(h, car.goal)
    car.goal = -1
    claim(h, car.floor)
    car.state = DOORS
    car.timer = OPEN


def start(car, state):
    car.state = state
    car.timer = RIDE


def answer(h, car):
    best = -1
    for f in range(FLOORS):
        if h.waiting[f] > 0 and not h.claimed[f]:
            if best < 0 or abs(f - car.floor) < abs(best - car.floor):
                best = f
    if best == car.floor:
        open_doors(h, car)
    else:
        claim(h, best)
        car.goal = best
        start(car, UP if best > car.floor else DOWN)


def pass_floor(h, car):
    f = car.floor
    if car.stops[f] > 0 or f == car.goal or h.waiting[f] > 0 and car.load < ROOM:
        open_doors(h, car)
    else:
        car.timer = RIDE


def exchange(h, car, phase):
    f = car.floor
    claim(h, f)
    car.load -= car.stops[f]
    h.hash = (h.hash * 31 + car.stops[f] * FLOORS + f) & 0xFFFFFF
    car.stops[f] = 0
    while h.waiting[f] > 0 and car.load < ROOM:
        to = 0
        if phase != 2 or f == 0:
            to = rnd(FLOORS - 1)
            if to >= f:
                to += 1
        h.waiting[f] -= 1
        car.stops[to] += 1
        car.load += 1
    release(h, f)


def leave(car):
    for f in range(car.floor + 1, FLOORS):
        if car.stops[f] > 0:
            start(car, UP)
            return
    if car.load > 0:
        start(car, DOWN)
    else:
        car.state = IDLE


def simulate(h, cars, ticks):
    phase = gap = 0
    for t in range(ticks):
        if gap == 0:
            phase = t % DAY // (DAY // 4)
            come(h, phase)
            gap = gaps[phase] + rnd(gaps[phase])
        gap -= 1
        for car in cars:
            if car.state == IDLE:
                if h.calls > 0:
                    answer(h, car)
            elif car.state == UP:
                car.timer -= 1
                if car.timer == 0:
                    car.floor += 1
                    pass_floor(h, car)
            elif car.state == DOWN:
                car.timer -= 1
                if car.timer == 0:
                    car.floor -= 1
                    pass_floor(h, car)
            else:
                car.timer -= 1
                if car.timer == 0:
                    exchange(h, car, phase)
                    leave(car)


def bench(n):
    h = House()
    cars = [Car() for i in range(CARS)]
    simulate(h, cars, n * DAY)
    return h.hash


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 6000))
