import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


PACKETS, LENGTH = 1024, 64
LDB, LDH, LDW, LDX, LDHX, JEQ, JGT, JSET, AND, RET = range(10)
filter_code = [
    LDH, 12, 0, 0,
    JEQ, 0x800, 0, 12,
    LDB, 23, 0, 0,
    JEQ, 6, 0, 10,
    LDW, 26, 0, 0,
    AND, 0xFFFF0000, 0, 0,
    JEQ, 0x0A010000, 0, 7,
    LDH, 20, 0, 0,
    JSET, 0x1FFF, 5, 0,
    LDX, 14, 0, 0,
    LDHX, 16, 0, 0,
    JEQ, 443, 1, 0,
    JGT, 8000, 0, 1,
    RET, 96, 0, 0,
    RET, 0, 0, 0,
]


def run(code, data, base):
    pc = a = x = 0
    while True:
        op, k = code[pc], code[pc + 1]
        if op == JEQ:
            pc += (code[pc + 2] if a == k else code[pc + 3]) * 4
        elif op == LDH:
            a = data[base + k] << 8 | data[base + k + 1]
        elif op == LDB:
            a = data[base + k]
        elif op == LDW:
            a = data[base + k] << 24 | data[base + k + 1] << 16 | data[base + k + 2] << 8 | data[base + k + 3]
        elif op == AND:
            a &= k
        elif op == JSET:
            pc += (code[pc + 2] if a & k != 0 else code[pc + 3]) * 4
        elif op == LDX:
            x = (data[base + k] & 15) * 4
        elif op == LDHX:
            a = data[base + x + k] << 8 | data[base + x + k + 1]
        elif op == JGT:
            pc += (code[pc + 2] if a > k else code[pc + 3]) * 4
        else:
            return k
        pc += 4


def generate():
    data = bytearray(PACKETS * LENGTH)
    left = kind = 0
    for i in range(PACKETS):
        if left == 0:
            left = 4 + rnd(60)
            kind = rnd(12)
        left -= 1
        at = i * LENGTH
        for b in range(LENGTH):
            data[at + b] = rnd(256)
        data[at + 12] = 8
        data[at + 13] = 6 if kind == 0 else 0
        data[at + 14] = 0x45
        data[at + 20] = 0x40
        data[at + 21] = 0
        data[at + 23] = 17 if kind == 1 else 6
        data[at + 26] = 10
        data[at + 27] = 2 if kind == 2 else 1
        data[at + 36] = 1
        data[at + 37] = 187
    return data


def bench(n):
    data = generate()
    total = 0
    for r in range(n):
        at = rnd(PACKETS) * LENGTH + 37
        data[at] = 80 if rnd(20) == 0 else 187
        for i in range(PACKETS):
            total += run(filter_code, data, i * LENGTH)
        total &= 0xFFFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 24000))
