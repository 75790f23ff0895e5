#include "../lib/bench.h"

const i64 default_n = 150000;

enum { BLOCK = 512, CHANNELS = 4, WAVE = 1024, DELAY = 3000 };
enum { SILENCE, GAIN, LOWPASS, CLIP, ECHO };

typedef struct { int mode, left, level, step, phase, low, at, delay[DELAY]; } channel;

static int wave[WAVE], out[BLOCK];
static channel channels[CHANNELS];

static void change(channel *c) {
    c->mode = rnd(5);
    c->left = 300 + rnd(3000);
    c->level = 64 + rnd(192);
    c->step = 40 + rnd(400);
}

static void mix(channel *c) {
    for (int t = 0; t < BLOCK; t++) {
        if (c->left == 0) change(c);
        c->left--;
        c->phase = (c->phase + c->step) & 0xFFFF;
        int x = wave[c->phase >> 6];
        if (c->mode == SILENCE) {
            continue;
        } else if (c->mode == GAIN) {
            x = x * c->level >> 8;
        } else if (c->mode == LOWPASS) {
            c->low += (x - c->low) * c->level >> 8;
            x = c->low;
        } else if (c->mode == CLIP) {
            int limit = c->level * 40;
            if (x > limit) x = limit + ((x - limit) >> 2);
            else if (x < -limit) x = ((x + limit) >> 2) - limit;
        } else {
            x = (x + c->delay[c->at]) >> 1;
            c->delay[c->at] = x;
            c->at++;
            if (c->at == DELAY) c->at = 0;
        }
        out[t] += x;
    }
}

i64 bench(i64 n) {
    for (int i = 0; i < WAVE; i++) {
        int half = i & 511, y = half * (512 - half) * 12000 >> 16;
        wave[i] = i < 512 ? y : -y;
    }
    for (int i = 0; i < CHANNELS; i++) channels[i].phase = i * 9973;
    int sum = 0;
    i64 saturated = 0;
    for (int b = 0; b < n; b++) {
        for (int t = 0; t < BLOCK; t++) out[t] = 0;
        for (int i = 0; i < CHANNELS; i++) mix(&channels[i]);
        for (int t = 0; t < BLOCK; t++) {
            int v = out[t];
            if (v > 32767) { v = 32767; saturated++; }
            else if (v < -32768) { v = -32768; saturated++; }
            sum = (sum * 31 + v) & 0xFFFFFF;
        }
    }
    return saturated * 16777216 + sum;
}
