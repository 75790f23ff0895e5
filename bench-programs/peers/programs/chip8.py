import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


WIDTH, HEIGHT, START, TICK = 64, 32, 0x200, 10
rom = [
    0x6A08, 0x6B04, 0x6C01, 0x6D01, 0x6E00, 0xA270, 0xDAB3,
    0x221A, 0x2228, 0x223A, 0x2256, 0x2262, 0x120E,
    0xA270, 0xDAB3, 0x8AC4, 0x8BD4, 0xDAB3, 0x8EF4, 0x00EE,
    0x4A38, 0x6CFF, 0x4A00, 0x6C01, 0x4B1D, 0x6DFF, 0x4B00, 0x6D01, 0x00EE,
    0x80E0, 0xA300, 0xF033, 0xF265, 0x8014, 0x8024, 0x6100,
    0x620D, 0x8104, 0x72FF, 0x3200, 0x124A, 0x8913, 0x00EE,
    0x6004, 0xF015, 0xF007, 0x3000, 0x125A, 0x00EE,
    0xC03F, 0xC11F, 0xA273, 0xD011, 0x00EE, 0x0000, 0x0000,
    0x60F0, 0x6080,
]


class Machine:
    def __init__(self):
        self.mem = [0] * 4096
        self.v = [0] * 16
        self.screen = [0] * (WIDTH * HEIGHT)
        self.stack = [0] * 16
        self.pc = START
        self.i = self.sp = self.delay = self.beeps = 0
        for i, word in enumerate(rom):
            self.mem[START + 2 * i] = word >> 8
            self.mem[START + 2 * i + 1] = word & 255


def draw(m, x, y, rows):
    hit = 0
    for r in range(rows):
        bits = m.mem[m.i + r]
        for c in range(8):
            if bits >> (7 - c) & 1 == 1:
                at = (y + r) % HEIGHT * WIDTH + (x + c) % WIDTH
                hit |= m.screen[at]
                m.screen[at] ^= 1
    m.v[15] = hit


def arithmetic(v, x, y, op):
    total = v[x] - v[y] if op == 5 else v[x] + v[y]
    if op == 0:
        v[x] = v[y]
    elif op == 1:
        v[x] |= v[y]
    elif op == 2:
        v[x] &= v[y]
    elif op == 3:
        v[x] ^= v[y]
    elif op == 4:
        v[x] = total & 255
        v[15] = total >> 8
    elif op == 5:
        v[x] = total & 255
        v[15] = int(total >= 0)
    else:
        raise ValueError("no such operation")


def run(m, count):
    mem, v = m.mem, m.v
    for cycle in range(count):
        op = mem[m.pc] << 8 | mem[m.pc + 1]
        x, y, nn = op >> 8 & 15, op >> 4 & 15, op & 255
        m.pc += 2
        kind = op >> 12
        if kind == 0x0:
            if op == 0x00E0:
                m.screen = [0] * (WIDTH * HEIGHT)
            elif op == 0x00EE:
                m.sp -= 1
                m.pc = m.stack[m.sp]
        elif kind == 0x1:
            m.pc = op & 0xFFF
        elif kind == 0x2:
            m.stack[m.sp] = m.pc
            m.sp += 1
            m.pc = op & 0xFFF
        elif kind == 0x3:
            if v[x] == nn:
                m.pc += 2
        elif kind == 0x4:
            if v[x] != nn:
                m.pc += 2
        elif kind == 0x6:
            v[x] = nn
        elif kind == 0x7:
            v[x] = (v[x] + nn) & 255
        elif kind == 0x8:
            arithmetic(v, x, y, op & 15)
        elif kind == 0xA:
            m.i = op & 0xFFF
        elif kind == 0xC:
            v[x] = rnd(256) & nn
        elif kind == 0xD:
            draw(m, v[x], v[y], op & 15)
        elif kind == 0xF:
            if nn == 0x07:
                v[x] = m.delay
            elif nn == 0x15:
                m.delay = v[x]
            elif nn == 0x18:
                m.beeps += v[x]
            elif nn == 0x1E:
                m.i = (m.i + v[x]) & 0xFFF
            elif nn == 0x33:
                mem[m.i] = v[x] // 100
                mem[m.i + 1] = v[x] // 10 % 10
                mem[m.i + 2] = v[x] % 10
            elif nn == 0x55:
                for k in range(x + 1):
                    mem[m.i + k] = v[k]
            elif nn == 0x65:
                for k in range(x + 1):
                    v[k] = mem[m.i + k]
            else:
                raise ValueError("no such operation")
        else:
            raise ValueError("no such operation")
        if cycle % TICK == 0 and m.delay > 0:
            m.delay -= 1


def bench(n):
    m = Machine()
    total = 0
    for r in range(n):
        run(m, 1000)
        total = (total * 31 + m.v[9] + m.pc) & 0xFFFFFF
    for i in range(WIDTH * HEIGHT):
        total += m.screen[i] * i
    for i in range(16):
        total += m.v[i] << i
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 150000))
