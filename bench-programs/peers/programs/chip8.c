#include "../lib/bench.h"
#include <stdlib.h>

const i64 default_n = 150000;

#define WIDTH 64
#define HEIGHT 32
#define START 0x200
#define TICK 10

static const int rom[] = {
    0x6A08, 0x6B04, 0x6C01, 0x6D01, 0x6E00, 0xA270, 0xDAB3,
    0x221A, 0x2228, 0x223A, 0x2256, 0x2262, 0x120E,
    0xA270, 0xDAB3, 0x8AC4, 0x8BD4, 0xDAB3, 0x8EF4, 0x00EE,
    0x4A38, 0x6CFF, 0x4A00, 0x6C01, 0x4B1D, 0x6DFF, 0x4B00, 0x6D01, 0x00EE,
    0x80E0, 0xA300, 0xF033, 0xF265, 0x8014, 0x8024, 0x6100,
    0x620D, 0x8104, 0x72FF, 0x3200, 0x124A, 0x8913, 0x00EE,
    0x6004, 0xF015, 0xF007, 0x3000, 0x125A, 0x00EE,
    0xC03F, 0xC11F, 0xA273, 0xD011, 0x00EE, 0x0000, 0x0000,
    0x60F0, 0x6080,
};

typedef struct {
    u8 mem[4096], v[16], screen[WIDTH * HEIGHT];
    int stack[16], pc, i, sp, delay, beeps;
} Machine;

static Machine machine;

static void boot(Machine *m) {
    m->pc = START;
    for (unsigned i = 0; i < sizeof rom / sizeof *rom; i++) {
        m->mem[START + 2 * i] = rom[i] >> 8;
        m->mem[START + 2 * i + 1] = rom[i];
    }
}

static void draw(Machine *m, int x, int y, int rows) {
    int hit = 0;
    for (int r = 0; r < rows; r++) {
        int bits = m->mem[m->i + r];
        for (int c = 0; c < 8; c++)
            if (bits >> (7 - c) & 1) {
                int at = (y + r) % HEIGHT * WIDTH + (x + c) % WIDTH;
                hit |= m->screen[at];
                m->screen[at] ^= 1;
            }
    }
    m->v[15] = hit;
}

static void arithmetic(u8 *v, int x, int y, int op) {
    int sum = op == 5 ? v[x] - v[y] : v[x] + v[y];
    switch (op) {
    case 0: v[x] = v[y]; break;
    case 1: v[x] |= v[y]; break;
    case 2: v[x] &= v[y]; break;
    case 3: v[x] ^= v[y]; break;
    case 4:
    case 5: v[x] = sum; v[15] = op == 4 ? sum >> 8 : sum >= 0; break;
    default: abort();
    }
}

static void run(Machine *m, int count) {
    u8 *mem = m->mem, *v = m->v;
    for (int cycle = 0; cycle < count; cycle++) {
        int op = mem[m->pc] << 8 | mem[m->pc + 1];
        int x = op >> 8 & 15, y = op >> 4 & 15, nn = op & 255;
        m->pc += 2;
        switch (op >> 12) {
        case 0x0:
            if (op == 0x00E0) __builtin_memset(m->screen, 0, sizeof m->screen);
            else if (op == 0x00EE) m->pc = m->stack[--m->sp];
            break;
        case 0x1: m->pc = op & 0xFFF; break;
        case 0x2: m->stack[m->sp++] = m->pc; m->pc = op & 0xFFF; break;
        case 0x3: if (v[x] == nn) m->pc += 2; break;
        case 0x4: if (v[x] != nn) m->pc += 2; break;
        case 0x6: v[x] = nn; break;
        case 0x7: v[x] += nn; break;
        case 0x8: arithmetic(v, x, y, op & 15); break;
        case 0xA: m->i = op & 0xFFF; break;
        case 0xC: v[x] = rnd(256) & nn; break;
        case 0xD: draw(m, v[x], v[y], op & 15); break;
        case 0xF:
            switch (nn) {
            case 0x07: v[x] = m->delay; break;
            case 0x15: m->delay = v[x]; break;
            case 0x18: m->beeps += v[x]; break;
            case 0x1E: m->i = (m->i + v[x]) & 0xFFF; break;
            case 0x33:
                mem[m->i] = v[x] / 100;
                mem[m->i + 1] = v[x] / 10 % 10;
                mem[m->i + 2] = v[x] % 10;
                break;
            case 0x55: __builtin_memmove(mem + m->i, v, x + 1); break;
            case 0x65: __builtin_memmove(v, mem + m->i, x + 1); break;
            default: abort();
            }
            break;
        default: abort();
        }
        if (cycle % TICK == 0 && m->delay > 0) m->delay--;
    }
}

i64 bench(i64 n) {
    Machine *m = &machine;
    boot(m);
    i64 sum = 0;
    for (i64 r = 0; r < n; r++) {
        run(m, 1000);
        sum = (sum * 31 + m->v[9] + m->pc) & 0xFFFFFF;
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++) sum += m->screen[i] * i;
    for (int i = 0; i < 16; i++) sum += m->v[i] << i;
    return sum;
}
