import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


HALT, RIGHT, LEFT, INC, DEC, OPEN, CLOSE, READ, WRITE = range(9)
prog = ",[>,[->++<]>[-<+>]<<[>[->+>+<<]>>[-<<+>>]<<<-]>[-]>.[->>+<<]>>.<<<<,]"


def assemble(code, target):
    opened = []
    for i, c in enumerate(prog):
        if c == ">":
            code[i] = RIGHT
        elif c == "<":
            code[i] = LEFT
        elif c == "+":
            code[i] = INC
        elif c == "-":
            code[i] = DEC
        elif c == ",":
            code[i] = READ
        elif c == ".":
            code[i] = WRITE
        elif c == "[":
            code[i] = OPEN
            opened.append(i)
        else:
            code[i] = CLOSE
            target[i] = opened.pop()
            target[target[i]] = i


def run(code, target, data):
    tape = [0] * 64
    at = nxt = total = pc = 0
    while True:
        op = code[pc]
        if op == RIGHT:
            at += 1
        elif op == LEFT:
            at -= 1
        elif op == INC:
            tape[at] = (tape[at] + 1) & 255
        elif op == DEC:
            tape[at] = (tape[at] - 1) & 255
        elif op == OPEN:
            if tape[at] == 0:
                pc = target[pc]
        elif op == CLOSE:
            if tape[at] != 0:
                pc = target[pc]
        elif op == READ:
            tape[at] = data[nxt]
            nxt += 1
        elif op == WRITE:
            total = (total * 31 + tape[at]) & 0xFFFFFF
        else:
            return total
        pc += 1


def bench(n):
    code, target = [HALT] * (len(prog) + 1), [0] * (len(prog) + 1)
    data = []
    assemble(code, target)
    for i in range(n):
        data.append(1 + rnd(9))
        data.append(1 + rnd(120))
    data.append(0)
    return run(code, target, data)


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 40000))
