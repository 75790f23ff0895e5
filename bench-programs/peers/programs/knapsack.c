#include "../lib/bench.h"

const i64 default_n = 750;

#define ITEMS 100
#define CAP 10000
static int wt[ITEMS], val[ITEMS], best[CAP + 1];

i64 bench(i64 n) {
    for (int i = 0; i < ITEMS; i++) { wt[i] = 50 + rnd(500); val[i] = 1 + rnd(1000); }
    i64 sum = 0;
    for (int r = 0; r < n; r++) {
        val[r % ITEMS] = 1 + val[r % ITEMS] * 7 % 1000;
        for (int w = 0; w <= CAP; w++) best[w] = 0;
        for (int i = 0; i < ITEMS; i++) {
            int wi = wt[i], vi = val[i];
            for (int w = CAP; w >= wi; w--) {
                int t = best[w - wi] + vi;
                if (t > best[w]) best[w] = t;
            }
        }
        sum += best[CAP];
    }
    return sum;
}
