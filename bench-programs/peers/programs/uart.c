#include "../lib/bench.h"

const i64 default_n = 8000;

enum { FRAMES = 2048, SAMPLES = 4 };
enum { IDLE, START, DATA, PARITY, STOP };

typedef struct { int state, wait, bits, shift, parity, got, errors, sum; } port;

static u8 line[FRAMES * 13 * SAMPLES];

static void receive(port *p, int size) {
    for (int i = 0; i < size; i++) {
        int level = line[i];
        if (p->wait > 0) {
            p->wait--;
            continue;
        }
        switch (p->state) {
        case IDLE:
            if (level == 0) {
                p->state = START;
                p->wait = SAMPLES / 2 - 1;
            }
            break;
        case START:
            if (level == 0) {
                p->state = DATA;
                p->bits = 0;
                p->shift = 0;
                p->parity = 0;
                p->wait = SAMPLES - 1;
            } else {
                p->state = IDLE;
            }
            break;
        case DATA:
            p->shift = p->shift >> 1 | level << 7;
            p->parity ^= level;
            p->bits++;
            if (p->bits == 8) p->state = PARITY;
            p->wait = SAMPLES - 1;
            break;
        case PARITY:
            if (p->parity != level) p->errors++;
            p->state = STOP;
            p->wait = SAMPLES - 1;
            break;
        case STOP:
            if (level == 1) {
                p->got++;
                p->sum = (p->sum * 31 + p->shift) & 0xFFFFFF;
            } else {
                p->errors++;
            }
            p->state = IDLE;
            break;
        }
    }
}

static int generate(void) {
    for (int i = 0; i < FRAMES * 13 * SAMPLES; i++) line[i] = 1;
    int at = 0;
    for (int f = 0; f < FRAMES; f++) {
        int byte = rnd(256), odd = __builtin_popcount(byte) & 1;
        for (int b = 0; b < 11; b++) {
            int level = b == 0 ? 0 : b <= 8 ? byte >> (b - 1) & 1 : b == 9 ? odd : 1;
            for (int s = 0; s < SAMPLES; s++) line[at++] = level;
        }
        if (rnd(16) == 0) at += rnd(8);
    }
    return at;
}

i64 bench(i64 n) {
    int size = generate();
    port p = {0};
    for (int r = 0; r < n; r++) receive(&p, size);
    return ((i64)p.sum * 31 + (i64)p.got * 7 + p.errors) & 0xFFFFFFFF;
}
