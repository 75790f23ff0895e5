#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { uint8_t *data; int pos; } Reader;
static int last[8];
static int number(Reader *r) {
    int value = 0, shift = 0;
    for (;;) { int b = r->data[r->pos++]; value |= (b & 127) << shift; if (b < 128) return value; shift += 7; }
}
static long decode(const int *schema, Reader *r, int rows) {
    long sum = 0;
    for (int row = 0; row < rows; row++)
        for (int f = 0; f < 8; f++) {
            int v;
            switch (schema[f]) {
            case 0: v = number(r); break;
            case 1: v = number(r) ^ 0x55; break;
            case 2: v = last[f] + number(r); break;
            case 3: r->pos += 2; v = r->data[r->pos - 1] << 8 | r->data[r->pos - 2]; break;
            case 4: v = -number(r); break;
            default: r->pos += 1; v = r->data[r->pos - 1] * 3;
            }
            last[f] = v & 0xFFFF; sum += (long)v * (f + 1);
        }
    return sum;
}
static uint8_t data[32000];
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 2000; long sum = 0;
    static const int a[] = {2, 0, 3, 1, 5, 4, 2, 3}, b[] = {1, 3, 2, 2, 0, 5, 3, 4};
    for (int i = 0; i < 32000; i++) data[i] = i * 37 % 101;
    for (int r = 0; r < n; r++) {
        Reader x = {data, 0}, y = {data, 0};
        sum += decode(a, &x, 3000);
        sum += decode(b, &y, 3000);
    }
    printf("%ld\n", sum);
}
