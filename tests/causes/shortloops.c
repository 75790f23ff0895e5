#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define SIZE 60000
static uint8_t data[SIZE];
static long numbers(const uint8_t *data, int size) {
    int pos = 0; long sum = 0;
    while (pos < size - 16) {
        long value = 0; int shift = 0, b = data[pos++];
        while (b >= 128) { value |= (long)(b & 127) << shift; shift += 7; b = data[pos++]; }
        value |= (long)b << shift;
        int hash = 0;
        for (int k = 0; k < (value & 3); k++) hash = (hash * 31 + data[pos++]) & 0xFFFFFF;
        sum += value ^ hash;
    }
    return sum;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1500; uint32_t seed = 7; long sum = 0;
    for (int i = 0; i < SIZE; i++) {
        seed = seed * 1664525u + 1013904223u;
        data[i] = (seed >> 16 & 3) == 0 ? 128 | seed >> 20 : seed >> 20 & 127;
    }
    for (int r = 0; r < n; r++) sum += numbers(data, SIZE);
    printf("%ld\n", sum);
}
