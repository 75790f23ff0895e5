import sys
from heapq import heappop, heappush

TASKS = 2000
WORKERS = 4

seed = 42


def rnd(m):
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return (seed >> 8) % m


class Task:
    def __init__(self, id, priority, cost):
        self.id = id
        self.priority = priority
        self.cost = cost
        self.missing = 0
        self.next = []

    def __lt__(self, other):
        return self.priority > other.priority or self.priority == other.priority and self.id < other.id


def plan():
    tasks = []
    for id in range(TASKS):
        task = Task(id, rnd(10), 1 + rnd(50))
        if id > 20:
            for _ in range(rnd(4)):
                tasks[id - 1 - rnd(20)].next.append(id)
                task.missing += 1
        tasks.append(task)
    return tasks


def run(tasks):
    ready = []
    running = []
    for task in tasks:
        if task.missing == 0:
            heappush(ready, task)
    now = busy = order = 0
    while True:
        while busy < WORKERS and ready:
            task = heappop(ready)
            heappush(running, (now + task.cost, task.id))
            busy += 1
        if not running:
            return now + order
        now, id = heappop(running)
        busy -= 1
        order = (order * 31 + id) & 0xFFFFF
        done = tasks[id]
        if done.priority == 0 and rnd(16) == 0:
            done.priority = 5
            heappush(ready, done)
            continue
        for following in done.next:
            tasks[following].missing -= 1
            if tasks[following].missing == 0:
                heappush(ready, tasks[following])
        if rnd(8) == 0:
            extra = Task(len(tasks), rnd(5), 1 + rnd(9))
            tasks.append(extra)
            heappush(ready, extra)


def bench(n):
    total = 0
    for _ in range(n):
        tasks = plan()
        total = (total * 31 + run(tasks) + len(tasks)) & 0xFFFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 800))
