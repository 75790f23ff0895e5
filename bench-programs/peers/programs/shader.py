import math
import sys


SIDE = 128
MOV, ADD, SUB, MUL, MAD, MIN, MAX, SLT, FRC = range(9)
code = [
    MUL, 6, 0, 0,
    MAD, 6, 1, 1,
    ADD, 7, 6, 2,
    FRC, 7, 7, 7,
    SUB, 8, 3, 7,
    MUL, 8, 8, 7,
    MUL, 9, 0, 4,
    FRC, 9, 9, 9,
    SLT, 10, 9, 5,
    MAX, 11, 10, 8,
    MIN, 11, 11, 3,
    MAD, 15, 11, 7,
]


def pixel(code, reg):
    reg[15] = 0.0
    for pc in range(0, len(code), 4):
        op, to, a, b = code[pc], code[pc + 1], code[pc + 2], code[pc + 3]
        if op == MUL:
            reg[to] = reg[a] * reg[b]
        elif op == MAD:
            reg[to] += reg[a] * reg[b]
        elif op == FRC:
            reg[to] = reg[a] - math.floor(reg[a])
        elif op == ADD:
            reg[to] = reg[a] + reg[b]
        elif op == SUB:
            reg[to] = reg[a] - reg[b]
        elif op == SLT:
            reg[to] = 1.0 if reg[a] < reg[b] else 0.0
        elif op == MAX:
            reg[to] = reg[a] if reg[a] > reg[b] else reg[b]
        elif op == MIN:
            reg[to] = reg[a] if reg[a] < reg[b] else reg[b]
        elif op == MOV:
            reg[to] = reg[a]
    return reg[15]


def bench(n):
    reg = [0.0] * 16
    reg[3] = 1.0
    reg[4] = 6.0
    reg[5] = 0.125
    total = 0.0
    for r in range(n):
        reg[2] = r / 64.0
        for y in range(SIDE):
            reg[1] = y / 64.0
            for x in range(SIDE):
                reg[0] = x / 64.0
                total += pixel(code, reg)
    return int(math.floor(total * 1000.0))


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
