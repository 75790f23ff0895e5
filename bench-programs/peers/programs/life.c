#include "../lib/bench.h"

const i64 default_n = 9000;

#define N 128
static u8 grid[2][N * N];

i64 bench(i64 n) {
    for (int i = 0; i < N * N; i++) grid[0][i] = rnd(3) == 0;
    int cur = 0;
    for (int r = 0; r < n; r++) {
        u8 *g = grid[cur], *o = grid[1 - cur];
        for (int y = 0; y < N; y++) {
            int up = (y + N - 1) % N * N, row = y * N, dn = (y + 1) % N * N;
            for (int x = 0; x < N; x++) {
                int l = (x + N - 1) % N, rt = (x + 1) % N;
                int s = g[up + l] + g[up + x] + g[up + rt] + g[row + l] + g[row + rt]
                    + g[dn + l] + g[dn + x] + g[dn + rt];
                o[row + x] = s == 3 || (s == 2 && g[row + x] == 1);
            }
        }
        cur = 1 - cur;
        grid[cur][r * 131 % (N * N)] = 1;
    }
    i64 sum = 0;
    for (int i = 0; i < N * N; i++) sum += grid[cur][i] * (i % 101 + 1);
    return sum;
}
