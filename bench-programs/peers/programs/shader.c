#include "../lib/bench.h"
#define floor __builtin_floor

const i64 default_n = 1000;

enum { SIDE = 128, WORDS = 48 };
enum { MOV, ADD, SUB, MUL, MAD, MIN, MAX, SLT, FRC };

static const int code[WORDS] = {
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
};
static double reg[16];

static double pixel(void) {
    reg[15] = 0;
    for (int pc = 0; pc < WORDS; pc += 4) {
        int to = code[pc + 1], a = code[pc + 2], b = code[pc + 3];
        switch (code[pc]) {
        case MOV: reg[to] = reg[a]; break;
        case ADD: reg[to] = reg[a] + reg[b]; break;
        case SUB: reg[to] = reg[a] - reg[b]; break;
        case MUL: reg[to] = reg[a] * reg[b]; break;
        case MAD: reg[to] += reg[a] * reg[b]; break;
        case MIN: reg[to] = reg[a] < reg[b] ? reg[a] : reg[b]; break;
        case MAX: reg[to] = reg[a] > reg[b] ? reg[a] : reg[b]; break;
        case SLT: reg[to] = reg[a] < reg[b] ? 1 : 0; break;
        case FRC: reg[to] = reg[a] - floor(reg[a]); break;
        }
    }
    return reg[15];
}

i64 bench(i64 n) {
    reg[3] = 1;
    reg[4] = 6;
    reg[5] = 0.125;
    double sum = 0;
    for (int r = 0; r < n; r++) {
        reg[2] = r / 64.0;
        for (int y = 0; y < SIDE; y++) {
            reg[1] = y / 64.0;
            for (int x = 0; x < SIDE; x++) {
                reg[0] = x / 64.0;
                sum += pixel();
            }
        }
    }
    return ifloor(sum * 1000.0);
}
