import sys


HALT, PUSH, DUP, SWAP, LOAD, STORE, FETCH, PUT, ADD, MUL, AND, XOR, SHR, JZ, JMP, LOOP = range(16)
program = [
    PUSH, 0, PUSH, 12345,
    PUSH, 1000, STORE, 0,
    PUSH, 1103, MUL, 0, PUSH, 12347, ADD, 0, PUSH, 1048575, AND, 0, LOOP, 4,
    PUSH, 600, STORE, 0,
    DUP, 0, PUSH, 63, AND, 0, FETCH, 0, ADD, 0, PUSH, 1048575, AND, 0, LOOP, 13,
    PUSH, 100, STORE, 0,
    DUP, 0, PUSH, 1, SHR, 0, SWAP, 0, PUSH, 1, AND, 0, JZ, 32,
    PUSH, 589824, XOR, 0, LOOP, 23,
    DUP, 0, DUP, 0, PUSH, 63, AND, 0, PUT, 0,
    DUP, 0, STORE, 2, ADD, 0, PUSH, 16777215, AND, 0, LOAD, 2,
    LOAD, 1, PUSH, -1, ADD, 0, DUP, 0, STORE, 1, JZ, 51, JMP, 2,
    STORE, 2, HALT, 0,
]


def run(code, stack, local, mem):
    pc, sp = 0, -1
    while True:
        op, arg = code[pc], code[pc + 1]
        pc += 2
        if op == PUSH:
            sp += 1
            stack[sp] = arg
        elif op == DUP:
            sp += 1
            stack[sp] = stack[sp - 1]
        elif op == AND:
            sp -= 1
            stack[sp] &= stack[sp + 1]
        elif op == ADD:
            sp -= 1
            stack[sp] += stack[sp + 1]
        elif op == LOOP:
            local[0] -= 1
            if local[0] != 0:
                pc = arg * 2
        elif op == MUL:
            sp -= 1
            stack[sp] *= stack[sp + 1]
        elif op == FETCH:
            stack[sp] = mem[stack[sp]]
        elif op == SHR:
            sp -= 1
            stack[sp] >>= stack[sp + 1]
        elif op == SWAP:
            stack[sp], stack[sp - 1] = stack[sp - 1], stack[sp]
        elif op == JZ:
            if stack[sp] == 0:
                pc = arg * 2
            sp -= 1
        elif op == XOR:
            sp -= 1
            stack[sp] ^= stack[sp + 1]
        elif op == LOAD:
            sp += 1
            stack[sp] = local[arg]
        elif op == STORE:
            local[arg] = stack[sp]
            sp -= 1
        elif op == PUT:
            mem[stack[sp]] = stack[sp - 1]
            sp -= 2
        elif op == JMP:
            pc = arg * 2
        else:
            return stack[sp]


def bench(n):
    stack, local, mem = [0] * 16, [0] * 4, [0] * 64
    local[1] = n
    return run(program, stack, local, mem)


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 40000))
