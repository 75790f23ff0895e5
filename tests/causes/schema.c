#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define SIZE 60000
typedef struct { const uint8_t *data; int pos; } Reader;
static int last[8]; static uint8_t data[SIZE];
static long number(Reader *r) {
    long value = 0;
    for (int shift = 0;; shift += 7) {
        int b = r->data[r->pos++];
        value |= (long)(b & 127) << shift;
        if (b < 128) return value;
    }
}
static long decode(const int *schema, const uint8_t *data) {
    Reader q = {data, 0}, *r = &q; long sum = 0;
    while (r->pos < SIZE - 64)
        for (int f = 0; f < 8; f++) {
            long v;
            switch (schema[f]) {
            case 0: v = number(r); break;
            case 1: v = number(r) >> 1; break;
            case 2: v = last[f] + number(r); break;
            case 3: r->pos += 2; v = r->data[r->pos - 1] << 8 | r->data[r->pos - 2]; break;
            case 4: v = -number(r); break;
            default: r->pos += 1; v = r->data[r->pos - 1] * 3;
            }
            last[f] = v & 0xFFFF; sum += v * (f + 1);
        }
    return sum;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1500; uint32_t seed = 7; long sum = 0;
    static const int s[] = {2, 0, 3, 1, 5, 4, 2, 3};
    for (int i = 0; i < SIZE; i++) {
        seed = seed * 1664525u + 1013904223u;
        data[i] = (seed >> 16 & 3) == 0 ? 128 | seed >> 20 : seed >> 20 & 127;
    }
    for (int r = 0; r < n; r++) sum += decode(s, data);
    printf("%ld\n", sum);
}
