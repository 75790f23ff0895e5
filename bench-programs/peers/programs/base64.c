#include "../lib/bench.h"

const i64 default_n = 8000;

enum { SIZE = 24576, LINE = 76 };

typedef struct { int state, rest, column; } coder;

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static int values[256];
static u8 data[SIZE], coded[SIZE * 2], back[SIZE + 4];

static int encode(coder *c, const u8 *src, int size, u8 *dst) {
    int out = 0;
    for (int i = 0; i < size; i++) {
        int b = src[i];
        switch (c->state) {
        case 0:
            dst[out++] = letters[b >> 2];
            c->rest = (b & 3) << 4;
            c->state = 1;
            break;
        case 1:
            dst[out++] = letters[c->rest | b >> 4];
            c->rest = (b & 15) << 2;
            c->state = 2;
            break;
        default:
            dst[out++] = letters[c->rest | b >> 6];
            dst[out++] = letters[b & 63];
            c->state = 0;
            c->column += 4;
            if (c->column == LINE) {
                dst[out++] = '\n';
                c->column = 0;
            }
        }
    }
    return out;
}

static int decode(coder *c, const u8 *src, int size, u8 *dst) {
    int out = 0;
    for (int i = 0; i < size; i++) {
        int v = values[src[i]];
        if (v < 0) continue;
        switch (c->state) {
        case 0:
            c->rest = v << 2;
            c->state = 1;
            break;
        case 1:
            dst[out++] = c->rest | v >> 4;
            c->rest = (v & 15) << 4;
            c->state = 2;
            break;
        case 2:
            dst[out++] = c->rest | v >> 2;
            c->rest = (v & 3) << 6;
            c->state = 3;
            break;
        default:
            dst[out++] = c->rest | v;
            c->state = 0;
        }
    }
    return out;
}

i64 bench(i64 n) {
    for (int i = 0; i < SIZE; i++) data[i] = rnd(256);
    for (int i = 0; i < 256; i++) values[i] = -1;
    for (int i = 0; i < 64; i++) values[(u8)letters[i]] = i;
    u32 sum = 0;
    for (int r = 0; r < n; r++) {
        int at = rnd(SIZE);
        data[at] = rnd(256);
        coder encoder = {0, 0, 0}, decoder = {0, 0, 0};
        int size = encode(&encoder, data, SIZE, coded), read = decode(&decoder, coded, size, back);
        int letter = coded[rnd(size)];
        sum = sum * 31 + size + read + letter + back[rnd(read)];
    }
    return sum;
}
