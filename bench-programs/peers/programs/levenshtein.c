#include "../lib/bench.h"

const i64 default_n = 2200;

#define N 500
static u8 a[N], b[N];
static int row[N + 1];

i64 bench(i64 n) {
    for (int i = 0; i < N; i++) { a[i] = rnd(4); b[i] = rnd(4); }
    i64 sum = 0;
    for (int r = 0; r < n; r++) {
        a[r * 7 % N] = r & 3;
        for (int j = 0; j <= N; j++) row[j] = j;
        for (int i = 1; i <= N; i++) {
            int diag = row[0];
            row[0] = i;
            for (int j = 1; j <= N; j++) {
                int d = diag + (a[i - 1] == b[j - 1] ? 0 : 1);
                diag = row[j];
                if (diag + 1 < d) d = diag + 1;
                if (row[j - 1] + 1 < d) d = row[j - 1] + 1;
                row[j] = d;
            }
        }
        sum += row[N];
    }
    return sum;
}
