#include "../lib/bench.h"

const i64 default_n = 12000;

enum { ROWS = 4096, COLUMNS = 4 };
enum { REWIND, COLUMN, INTEGER, LT, GE, NE, SUM, COUNT, NEXT, RESULT };

static const int statement[] = {
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
};
static int table[ROWS * COLUMNS];
static i64 reg[8];

static i64 run(const int *code, int size) {
    int pc = 0, row = 0;
    for (;;) {
        int a = code[pc + 1], b = code[pc + 2], c = code[pc + 3];
        switch (code[pc]) {
        case REWIND: row = 0; if (size == 0) pc = a * 4 - 4; break;
        case COLUMN: reg[b] = table[row + a]; break;
        case INTEGER: reg[b] = a; break;
        case LT: if (reg[a] < reg[b]) pc = c * 4 - 4; break;
        case GE: if (reg[a] >= reg[b]) pc = c * 4 - 4; break;
        case NE: if (reg[a] != reg[b]) pc = c * 4 - 4; break;
        case SUM: reg[a] = (reg[a] + reg[b] * reg[c] / 16) & 0xFFFFFFFF; break;
        case COUNT: reg[a]++; break;
        case NEXT: row += COLUMNS; if (row < size) pc = a * 4 - 4; break;
        case RESULT: return reg[a] * 7 + reg[b];
        }
        pc += 4;
    }
}

i64 bench(i64 n) {
    for (int i = 0; i < ROWS; i++) {
        int *row = table + i * COLUMNS;
        row[0] = ((i & 1023) * 1000 >> 10) + rnd(8);
        row[1] = 6 + rnd(60);
        row[2] = i >> 10;
        row[3] = rnd(100);
    }
    u32 sum = 0;
    for (int r = 0; r < n; r++) {
        int at = rnd(ROWS) * COLUMNS + 1;
        table[at] = 6 + rnd(60);
        sum += run(statement, ROWS * COLUMNS);
    }
    return sum;
}
