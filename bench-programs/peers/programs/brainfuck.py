import sys

SRC = "++++++++++[>++++++++++<-]>[<+>-]<[>+++++[>+++++++[>+++[>++>+<<-]<-]<-]>>>[>>+<<-]<<<<-]>>>>>.>."


def brackets(code):
    jump, stack = [0] * len(code), []
    for i, c in enumerate(code):
        if c == "[":
            stack.append(i)
        elif c == "]":
            opened = stack.pop()
            jump[opened] = i
            jump[i] = opened
    return jump


def execute(code, jump, tape, start):
    total = start
    ptr = pc = 0
    while pc < len(code):
        op = code[pc]
        if op == ">":
            ptr += 1
        elif op == "<":
            ptr -= 1
        elif op == "+":
            tape[ptr] = (tape[ptr] + 1) & 255
        elif op == "-":
            tape[ptr] = (tape[ptr] - 1) & 255
        elif op == ".":
            total = (total * 31 + tape[ptr]) & 0xFFFFFF
        elif op == "[":
            if tape[ptr] == 0:
                pc = jump[pc]
        elif op == "]":
            if tape[ptr] != 0:
                pc = jump[pc]
        pc += 1
    return total


def bench(n):
    jump = brackets(SRC)
    total = 0
    for r in range(n):
        tape = [0] * 64
        tape[5] = r & 255
        total = execute(SRC, jump, tape, total)
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 1500))
