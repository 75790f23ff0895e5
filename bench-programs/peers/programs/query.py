import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


ROWS, COLUMNS = 4096, 4
REWIND, COLUMN, INTEGER, LT, GE, NE, SUM, COUNT, NEXT, RESULT = range(10)
statement = [
    INTEGER, 0, 0, 0,
    INTEGER, 0, 1, 0,
    INTEGER, 8, 2, 0,
    INTEGER, 2, 3, 0,
    INTEGER, 900, 4, 0,
    REWIND, 15, 0, 0,
    COLUMN, 2, 5, 0,
    NE, 5, 3, 14,
    COLUMN, 1, 6, 0,
    LT, 6, 2, 14,
    COLUMN, 0, 7, 0,
    GE, 7, 4, 14,
    COUNT, 0, 0, 0,
    SUM, 1, 7, 6,
    NEXT, 6, 0, 0,
    RESULT, 0, 1, 0,
]


def run(code, table, reg):
    pc = row = 0
    while True:
        op, a, b, c = code[pc], code[pc + 1], code[pc + 2], code[pc + 3]
        if op == COLUMN:
            reg[b] = table[row + a]
        elif op == NE:
            if reg[a] != reg[b]:
                pc = c * 4 - 4
        elif op == NEXT:
            row += COLUMNS
            if row < len(table):
                pc = a * 4 - 4
        elif op == LT:
            if reg[a] < reg[b]:
                pc = c * 4 - 4
        elif op == GE:
            if reg[a] >= reg[b]:
                pc = c * 4 - 4
        elif op == COUNT:
            reg[a] += 1
        elif op == SUM:
            reg[a] = (reg[a] + reg[b] * reg[c] // 16) & 0xFFFFFFFF
        elif op == INTEGER:
            reg[b] = a
        elif op == REWIND:
            row = 0
            if len(table) == 0:
                pc = a * 4 - 4
        else:
            return reg[a] * 7 + reg[b]
        pc += 4


def bench(n):
    table = [0] * (ROWS * COLUMNS)
    for i in range(ROWS):
        table[i * COLUMNS] = ((i & 1023) * 1000 >> 10) + rnd(8)
        table[i * COLUMNS + 1] = 6 + rnd(60)
        table[i * COLUMNS + 2] = i >> 10
        table[i * COLUMNS + 3] = rnd(100)
    reg = [0] * 8
    total = 0
    for r in range(n):
        at = rnd(ROWS) * COLUMNS + 1
        table[at] = 6 + rnd(60)
        total = (total + run(statement, table, reg)) & 0xFFFFFFFF
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 12000))
