#include "../lib/bench.h"

const i64 default_n = 40000;

enum { BLOCK = 1024, BANDS = 5 };
enum { GAIN, LOWPASS, HIGHPASS, PEAK, LIMIT };

typedef struct { int kind; double amount, last, before; } band;

static double samples[BLOCK];
static band bands[BANDS] = {
    {GAIN, 0.875, 0, 0}, {HIGHPASS, 0.03125, 0, 0}, {PEAK, 0.25, 0, 0}, {LOWPASS, 0.375, 0, 0}, {LIMIT, 0.9375, 0, 0},
};

static double sample(void) { return (rnd(2000) - 1000) / 1000.0; }

static double equalize(void) {
    double sum = 0;
    for (int i = 0; i < BLOCK; i++) {
        double x = samples[i];
        for (int k = 0; k < BANDS; k++) {
            band *b = &bands[k];
            switch (b->kind) {
            case GAIN:
                x *= b->amount;
                break;
            case LOWPASS:
                b->last += (x - b->last) * b->amount;
                x = b->last;
                break;
            case HIGHPASS:
                b->last += (x - b->last) * b->amount;
                x -= b->last;
                break;
            case PEAK: {
                double y = x + b->amount * (b->last - b->before * 0.5);
                b->before = b->last;
                b->last = y * 0.5;
                x = y;
                break;
            }
            case LIMIT:
                if (x > b->amount) x = b->amount;
                else if (x < -b->amount) x = -b->amount;
                break;
            }
        }
        sum += x < 0 ? -x : x;
    }
    return sum;
}

i64 bench(i64 n) {
    for (int i = 0; i < BLOCK; i++) samples[i] = sample();
    double sum = 0;
    for (int r = 0; r < n; r++) {
        int at = rnd(BLOCK);
        samples[at] = sample();
        sum += equalize();
    }
    return ifloor(sum * 1000.0);
}
