#include "../lib/bench.h"

const i64 default_n = 14000;

enum { HEADERS = 2000, SIZE = 18 };

static u8 data[HEADERS * SIZE];

// As in a library, which is not compiled for one format.
__attribute__((noinline)) int unpack(const char *format, int from, i64 *out) {
    for (; *format; format++) {
        switch (*format) {
        case 'b': {
            int v = data[from];
            *out++ = v >= 128 ? v - 256 : v;
            from++;
            break;
        }
        case 'B':
            *out++ = data[from++];
            break;
        case 'h': {
            int v = data[from] | data[from + 1] << 8;
            *out++ = v >= 32768 ? v - 65536 : v;
            from += 2;
            break;
        }
        case 'H':
            *out++ = data[from] | data[from + 1] << 8;
            from += 2;
            break;
        case 'I':
            *out++ = data[from] | data[from + 1] << 8 | data[from + 2] << 16 | (u32)data[from + 3] << 24;
            from += 4;
            break;
        case 'x':
            from++;
            break;
        }
    }
    return from;
}

i64 bench(i64 n) {
    for (int i = 0; i < HEADERS * SIZE; i++) data[i] = rnd(256);
    for (int i = 0; i < HEADERS; i++) if (rnd(32) != 0) data[i * SIZE + 11] &= 127;
    i64 out[16];
    i64 sum = 0;
    for (int r = 0; r < n; r++) {
        int changed = rnd(HEADERS) * SIZE;
        data[changed] = rnd(256);
        int at = 0;
        for (int i = 0; i < HEADERS; i++) {
            at = unpack("HHBxIhBBI", at, out);
            sum = (sum + out[0] * 3 + out[3] + out[4] * 5 + out[7]) & 0xFFFFFFFF;
        }
    }
    return sum;
}
