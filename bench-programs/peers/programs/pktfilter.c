#include "../lib/bench.h"

const i64 default_n = 24000;

enum { PACKETS = 1024, LENGTH = 64 };
enum { LDB, LDH, LDW, LDX, LDHX, JEQ, JGT, JSET, AND, RET };

static const u32 filter[] = {
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
};
static u8 data[PACKETS * LENGTH];

static u32 run(const u32 *code, const u8 *p) {
    u32 a = 0, x = 0;
    for (const u32 *pc = code;; pc += 4) {
        u32 k = pc[1];
        switch (pc[0]) {
        case LDB: a = p[k]; break;
        case LDH: a = p[k] << 8 | p[k + 1]; break;
        case LDW: a = (u32)p[k] << 24 | p[k + 1] << 16 | p[k + 2] << 8 | p[k + 3]; break;
        case LDX: x = (p[k] & 15) * 4; break;
        case LDHX: a = p[x + k] << 8 | p[x + k + 1]; break;
        case JEQ: pc += (a == k ? pc[2] : pc[3]) * 4; break;
        case JGT: pc += (a > k ? pc[2] : pc[3]) * 4; break;
        case JSET: pc += (a & k ? pc[2] : pc[3]) * 4; break;
        case AND: a &= k; break;
        case RET: return k;
        }
    }
}

static void generate(void) {
    int left = 0, kind = 0;
    for (int i = 0; i < PACKETS; i++) {
        if (left == 0) {
            left = 4 + rnd(60);
            kind = rnd(12);
        }
        left--;
        u8 *p = data + i * LENGTH;
        for (int b = 0; b < LENGTH; b++) p[b] = rnd(256);
        p[12] = 8;
        p[13] = kind == 0 ? 6 : 0;
        p[14] = 0x45;
        p[20] = 0x40;
        p[21] = 0;
        p[23] = kind == 1 ? 17 : 6;
        p[26] = 10;
        p[27] = kind == 2 ? 2 : 1;
        p[36] = 1;
        p[37] = 187;
    }
}

i64 bench(i64 n) {
    generate();
    u32 sum = 0;
    for (int r = 0; r < n; r++) {
        int at = rnd(PACKETS) * LENGTH + 37;
        data[at] = rnd(20) == 0 ? 80 : 187;
        for (int i = 0; i < PACKETS; i++) sum += run(filter, data + i * LENGTH);
    }
    return sum;
}
