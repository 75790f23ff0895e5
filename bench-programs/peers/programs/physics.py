import math
import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


COUNT, DT, GRAVITY, BALL, NEAR = 1200, 0.002, -9.81, 0.08, 0.002
GAS, SAND, DROP, SPARK = range(4)
bounce = [0.9, 0.2, 0.5, 0.7]


class Particles:
    def __init__(self):
        self.x, self.y = [0.0] * COUNT, [0.0] * COUNT
        self.vx, self.vy = [0.0] * COUNT, [0.0] * COUNT
        self.age, self.material = [0] * COUNT, [0] * COUNT


class Ball:
    def __init__(self):
        self.x = self.y = self.sine = 0.0
        self.cosine = 1.0


def uniform(low, high):
    return low + (high - low) * rnd(10000) / 10000.0


def fill_box():
    p = Particles()
    for i in range(COUNT):
        p.x[i] = uniform(0.0, 1.0)
        p.y[i] = uniform(0.0, 1.0)
        p.vx[i] = uniform(-1.0, 1.0)
        p.vy[i] = uniform(-1.0, 1.0)
        p.age[i] = rnd(500)
        p.material[i] = i * 4 // COUNT
    return p


def hit_ball(p, i, ball, distance):
    nx = (p.x[i] - ball.x) / distance
    ny = (p.y[i] - ball.y) / distance
    towards = p.vx[i] * nx + p.vy[i] * ny
    p.x[i] = ball.x + nx * BALL
    p.y[i] = ball.y + ny * BALL
    if towards < 0.0:
        p.vx[i] -= (1.0 + bounce[p.material[i]]) * towards * nx
        p.vy[i] -= (1.0 + bounce[p.material[i]]) * towards * ny


def hit_walls(p, i):
    kept = bounce[p.material[i]]
    if p.x[i] < 0.0 or p.x[i] > 1.0:
        p.x[i] = 0.0 if p.x[i] < 0.0 else 1.0
        p.vx[i] *= -kept
    if p.y[i] < 0.0 or p.y[i] > 1.0:
        p.y[i] = 0.0 if p.y[i] < 0.0 else 1.0
        p.vy[i] *= -kept


def step(p, ball):
    x, y, vx, vy = p.x, p.y, p.vx, p.vy
    hits = 0
    for i in range(COUNT):
        ax, ay = 0.0, GRAVITY
        material = p.material[i]
        if material == GAS:
            ax = 0.5 - x[i] - 0.1 * vx[i]
            ay = 0.4 - y[i] - 0.1 * vy[i]
        elif material == SAND:
            ax = 0.2 * ball.cosine
            if y[i] < 0.01:
                ax -= 4.0 * vx[i]
        elif material == DROP:
            speed = math.sqrt(vx[i] * vx[i] + vy[i] * vy[i])
            ax = -0.4 * speed * vx[i]
            ay -= 0.4 * speed * vy[i]
            if y[i] <= 0.0:
                y[i] = 1.0
                vy[i] = 0.0
        elif material == SPARK:
            ay *= 0.3
            p.age[i] += 1
            if p.age[i] > 500:
                p.age[i] = i % 37
                x[i] = ball.x
                y[i] = ball.y + BALL
                vx[i] = 0.01 * (i % 64) - 0.32
                vy[i] = 2.5
        vx[i] += ax * DT
        vy[i] += ay * DT
        x[i] += vx[i] * DT
        y[i] += vy[i] * DT
        if x[i] < 0.0 or x[i] > 1.0 or y[i] < 0.0 or y[i] > 1.0:
            hit_walls(p, i)
        dx = x[i] - ball.x
        dy = y[i] - ball.y
        far = dx * dx + dy * dy
        if BALL * BALL > far > 0.0:
            hit_ball(p, i, ball, math.sqrt(far))
            hits += 1
        if i > 0 and abs(x[i] - x[i - 1]) < NEAR and abs(y[i] - y[i - 1]) < NEAR:
            vx[i], vx[i - 1] = vx[i - 1], vx[i]
            hits += 1
    return hits


def bench(n):
    p = fill_box()
    ball = Ball()
    hits = 0
    for r in range(n):
        cosine = 0.9999875 * ball.cosine - 0.005 * ball.sine
        ball.sine = 0.005 * ball.cosine + 0.9999875 * ball.sine
        ball.cosine = cosine
        ball.x = 0.5 + 0.3 * cosine
        ball.y = 0.5 + 0.3 * ball.sine
        hits += step(p, ball)
    total = 0.0
    for i in range(COUNT):
        total += p.x[i] + 2.0 * p.y[i] + 0.1 * p.vx[i] + 0.2 * p.vy[i]
    return math.floor(total * 1e6) + hits


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 50000))
