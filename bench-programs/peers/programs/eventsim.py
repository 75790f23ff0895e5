import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


LINES, STATIONS = 4, 3
ARRIVE, START, FINISH, MOVE, FAIL, REPAIR = range(6)


class Queue:
    def __init__(self):
        self.events = [0] * 256
        self.size = 0


class Station:
    def __init__(self, service):
        self.waiting = 0
        self.busy = False
        self.broken = False
        self.service = service
        self.finished = 0
        self.idle_since = 0
        self.idle = 0


def schedule(q, time, kind, station):
    events = q.events
    event = time << 16 | kind << 8 | station
    i = q.size
    q.size += 1
    while i > 0:
        parent = (i - 1) // 2
        if events[parent] <= event:
            break
        events[i] = events[parent]
        i = parent
    events[i] = event


def following(q):
    events = q.events
    first = events[0]
    q.size -= 1
    event = events[q.size]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= q.size:
            break
        if child + 1 < q.size and events[child + 1] < events[child]:
            child += 1
        if events[child] >= event:
            break
        events[i] = events[child]
        i = child
    events[i] = event
    return first


def simulate(q, stations, count):
    h = 0
    for i in range(count):
        event = following(q)
        now = event >> 16
        at = event & 255
        s = stations[at]
        kind = event >> 8 & 255
        if kind == ARRIVE:
            s.waiting += 1
            schedule(q, now, START, at)
            schedule(q, now + 24, ARRIVE, at)
        elif kind == START:
            if s.busy or s.broken or s.waiting == 0:
                continue
            s.busy = True
            s.waiting -= 1
            s.idle += now - s.idle_since
            schedule(q, now + s.service, FINISH, at)
        elif kind == FINISH:
            s.busy = False
            s.finished += 1
            s.idle_since = now
            if s.waiting > 0:
                schedule(q, now, START, at)
            if at % STATIONS < STATIONS - 1:
                schedule(q, now + 3, MOVE, at + 1)
            if at % STATIONS == 1 and rnd(100) == 0:
                schedule(q, now + 1, FAIL, at)
        elif kind == MOVE:
            s.waiting += 1
            schedule(q, now, START, at)
        elif kind == FAIL:
            if not s.broken:
                schedule(q, now + 100 + rnd(100), REPAIR, at)
            s.broken = True
        elif kind == REPAIR:
            s.broken = False
            h = (h * 31 + now + s.waiting) & 0xFFFFFF
            if s.waiting > 0:
                schedule(q, now, START, at)
    return h


def bench(n):
    q = Queue()
    stations = []
    for i in range(LINES * STATIONS):
        stations.append(Station(16 + i % 5))
        if i % STATIONS == 0:
            schedule(q, i * 2, ARRIVE, i)
    total = 0
    for r in range(n):
        total += simulate(q, stations, 1000)
    for s in stations:
        total += s.waiting * 3 + s.finished * 5 + s.idle * 7
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 30000))
