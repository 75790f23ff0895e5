#include "../lib/bench.h"

const i64 default_n = 40000;

enum { HALT, PUSH, DUP, SWAP, LOAD, STORE, FETCH, PUT, ADD, MUL, AND, XOR, SHR, JZ, JMP, LOOP };
static const int program[] = {
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
};
static int stack[16], local[4], mem[64];

static int run(const int *code) {
    int pc = 0, sp = -1;
    for (;;) {
        int op = code[pc], arg = code[pc + 1];
        pc += 2;
        switch (op) {
        case HALT: return stack[sp];
        case PUSH: stack[++sp] = arg; break;
        case DUP: sp++; stack[sp] = stack[sp - 1]; break;
        case SWAP: { int top = stack[sp]; stack[sp] = stack[sp - 1]; stack[sp - 1] = top; break; }
        case LOAD: stack[++sp] = local[arg]; break;
        case STORE: local[arg] = stack[sp--]; break;
        case FETCH: stack[sp] = mem[stack[sp]]; break;
        case PUT: mem[stack[sp]] = stack[sp - 1]; sp -= 2; break;
        case ADD: sp--; stack[sp] += stack[sp + 1]; break;
        case MUL: sp--; stack[sp] *= stack[sp + 1]; break;
        case AND: sp--; stack[sp] &= stack[sp + 1]; break;
        case XOR: sp--; stack[sp] ^= stack[sp + 1]; break;
        case SHR: sp--; stack[sp] >>= stack[sp + 1]; break;
        case JZ: if (stack[sp] == 0) pc = arg * 2; sp--; break;
        case JMP: pc = arg * 2; break;
        case LOOP: if (--local[0] != 0) pc = arg * 2; break;
        }
    }
}

i64 bench(i64 n) {
    local[1] = (int)n;
    return run(program);
}
