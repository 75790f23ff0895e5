#include "../lib/bench.h"

const i64 default_n = 40000;

enum { HALT, RIGHT, LEFT, INC, DEC, OPEN, CLOSE, READ, WRITE };
static const char prog[] = ",[>,[->++<]>[-<+>]<<[>[->+>+<<]>>[-<<+>>]<<<-]>[-]>.[->>+<<]>>.<<<<,]";
static int code[sizeof prog], target[sizeof prog];

static void assemble(void) {
    int open[64], depth = 0;
    for (int i = 0; prog[i]; i++) {
        switch (prog[i]) {
        case '>': code[i] = RIGHT; break;
        case '<': code[i] = LEFT; break;
        case '+': code[i] = INC; break;
        case '-': code[i] = DEC; break;
        case ',': code[i] = READ; break;
        case '.': code[i] = WRITE; break;
        case '[': code[i] = OPEN; open[depth++] = i; break;
        case ']': code[i] = CLOSE; target[i] = open[--depth]; target[open[depth]] = i; break;
        }
    }
}

static int run(const u8 *input) {
    u8 tape[64] = {0};
    int at = 0, next = 0, sum = 0, pc = 0;
    for (;; pc++) {
        switch (code[pc]) {
        case RIGHT: at++; break;
        case LEFT: at--; break;
        case INC: tape[at]++; break;
        case DEC: tape[at]--; break;
        case OPEN: if (tape[at] == 0) pc = target[pc]; break;
        case CLOSE: if (tape[at] != 0) pc = target[pc]; break;
        case READ: tape[at] = input[next++]; break;
        case WRITE: sum = (sum * 31 + tape[at]) & 0xFFFFFF; break;
        case HALT: return sum;
        }
    }
}

i64 bench(i64 n) {
    u8 *input = calloc(2 * n + 1, 1);
    assemble();
    for (int i = 0; i < n; i++) {
        input[2 * i] = 1 + rnd(9);
        input[2 * i + 1] = 1 + rnd(120);
    }
    int sum = run(input);
    free(input);
    return sum;
}
