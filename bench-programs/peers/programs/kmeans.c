#include "../lib/bench.h"

const i64 default_n = 50000;

#define N 1000
#define K 8
static double px[N], py[N], pz[N], cx[K], cy[K], cz[K], sx[K], sy[K], sz[K];
static int cnt[K];

i64 bench(i64 n) {
    for (int i = 0; i < N; i++) {
        px[i] = rnd(1000) / 10.0 + (i % 5) * 30;
        py[i] = rnd(1000) / 10.0 + (i % 3) * 40;
        pz[i] = rnd(1000) / 10.0 + (i % 2) * 50;
    }
    for (int k = 0; k < K; k++) { cx[k] = px[k * 7]; cy[k] = py[k * 7]; cz[k] = pz[k * 7]; }
    for (int r = 0; r < n; r++) {
        for (int k = 0; k < K; k++) { sx[k] = sy[k] = sz[k] = 0; cnt[k] = 0; }
        for (int i = 0; i < N; i++) {
            double best = 1e30;
            int bk = 0;
            for (int k = 0; k < K; k++) {
                double dx = px[i] - cx[k], dy = py[i] - cy[k], dz = pz[i] - cz[k];
                double d = dx * dx + dy * dy + dz * dz;
                if (d < best) { best = d; bk = k; }
            }
            sx[bk] += px[i]; sy[bk] += py[i]; sz[bk] += pz[i];
            cnt[bk]++;
        }
        for (int k = 0; k < K; k++)
            if (cnt[k] > 0) { cx[k] = sx[k] / cnt[k]; cy[k] = sy[k] / cnt[k]; cz[k] = sz[k] / cnt[k]; }
        px[r % N] += 0.5;
    }
    double sum = 0;
    for (int k = 0; k < K; k++) sum += cx[k] + cy[k] + cz[k];
    return ifloor(sum * 1e6);
}
