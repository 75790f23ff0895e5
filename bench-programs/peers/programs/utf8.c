#include "../lib/bench.h"

const i64 default_n = 8000;

enum { SIZE = 49152 };

typedef struct { int letters, bad, sum; } found;

static u8 data[SIZE + 8];

static int put(int at, int c) {
    if (c < 0x80) {
        data[at++] = c;
    } else if (c < 0x800) {
        data[at++] = 0xC0 | c >> 6;
        data[at++] = 0x80 | (c & 63);
    } else {
        data[at++] = 0xE0 | c >> 12;
        data[at++] = 0x80 | (c >> 6 & 63);
        data[at++] = 0x80 | (c & 63);
    }
    return at;
}

static int generate(void) {
    int size = 0, script = 0;
    while (size < SIZE) {
        int end = size + 3000 + rnd(6000);
        if (end > SIZE) end = SIZE;
        while (size < end) {
            int c;
            switch (script) {
            case 0: c = 32 + rnd(95); break;
            case 1: c = 0x410 + rnd(64); break;
            default: c = 0x4E00 + rnd(8000);
            }
            size = put(size, c);
        }
        script = (script + 1) % 3;
    }
    return size;
}

static void decode(const u8 *src, int size, found *f) {
    int need = 0, code = 0;
    for (int i = 0; i < size; i++) {
        int b = src[i];
        if (need == 0) {
            if (b < 0x80) {
                f->letters++;
                f->sum = (f->sum + b) & 0xFFFFFFF;
            } else if (b < 0xC0) {
                f->bad++;
            } else if (b < 0xE0) {
                need = 1;
                code = b & 31;
            } else if (b < 0xF0) {
                need = 2;
                code = b & 15;
            } else {
                f->bad++;
            }
        } else if ((b & 0xC0) == 0x80) {
            code = code << 6 | (b & 63);
            need--;
            if (need == 0) {
                f->letters++;
                f->sum = (f->sum + code) & 0xFFFFFFF;
            }
        } else {
            f->bad++;
            need = 0;
        }
    }
}

i64 bench(i64 n) {
    int size = generate();
    found f = {0, 0, 0};
    for (int r = 0; r < n; r++) decode(data, size, &f);
    return ((i64)f.sum * 31 + f.letters + (i64)f.bad * 7) & 0xFFFFFFFF;
}
