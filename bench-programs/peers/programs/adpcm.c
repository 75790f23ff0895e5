#include "../lib/bench.h"

const i64 default_n = 2000;

#define SIZE 32768
static const int steps[] = {
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28,
    31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118,
    130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494,
    544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066,
    2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630,
    9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
};
static const int moves[] = {-1, -1, -1, -1, 2, 4, 6, 8};
static int pcm[SIZE];
static u8 coded[SIZE / 2];

static void generate(void) {
    int i = 0;
    while (i < SIZE) {
        int kind = rnd(8), end = i + 500 + rnd(2000), half = 4 + rnd(60), slope = 1 + rnd(200);
        int up = 1, count = 0, v = 0;
        if (end > SIZE) end = SIZE;
        for (; i < end; i++) {
            if (kind == 6) {
                v = slope * 16 - rnd(slope * 32);
            } else if (kind >= 4) {
                if (kind == 5) v = up ? slope : -slope;
                else v += up ? slope : -slope;
                if (++count == half) { count = 0; up = !up; }
            }
            pcm[i] = v;
        }
    }
}

static void encode(void) {
    int value = 0, index = 0;
    for (int i = 0; i < SIZE; i++) {
        int step = steps[index], diff = pcm[i] - value, code = 0, delta = step >> 3;
        if (diff < 0) { code = 8; diff = -diff; }
        if (diff >= step) { code |= 4; diff -= step; delta += step; }
        step >>= 1;
        if (diff >= step) { code |= 2; diff -= step; delta += step; }
        step >>= 1;
        if (diff >= step) { code |= 1; delta += step; }
        if (code >= 8) value -= delta;
        else value += delta;
        if (value > 32767) value = 32767;
        else if (value < -32768) value = -32768;
        index += moves[code & 7];
        if (index < 0) index = 0;
        else if (index > 88) index = 88;
        if ((i & 1) == 0) coded[i >> 1] = code;
        else coded[i >> 1] |= code << 4;
    }
}

static int decode(int start) {
    int value = 0, index = 0, hash = start;
    for (int i = 0; i < SIZE; i++) {
        int code = (i & 1) == 0 ? coded[i >> 1] & 15 : coded[i >> 1] >> 4, step = steps[index], delta = step >> 3;
        if (code & 4) delta += step;
        if (code & 2) delta += step >> 1;
        if (code & 1) delta += step >> 2;
        if (code >= 8) value -= delta;
        else value += delta;
        if (value > 32767) value = 32767;
        else if (value < -32768) value = -32768;
        index += moves[code & 7];
        if (index < 0) index = 0;
        else if (index > 88) index = 88;
        hash = (hash * 31 + value) & 0xFFFFFF;
    }
    return hash;
}

i64 bench(i64 n) {
    int sum = 0;
    generate();
    for (int r = 0; r < n; r++) {
        pcm[r * 977 & 1023] = r & 255;
        encode();
        sum = decode(sum);
    }
    return sum;
}
