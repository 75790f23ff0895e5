#include "../lib/bench.h"

const i64 default_n = 350;

#define N 20000
static int src[N], a[N], tmp[N];

static void sort(int lo, int hi) {
    if (hi - lo < 2) return;
    int mid = (lo + hi) / 2;
    sort(lo, mid);
    sort(mid, hi);
    int i = lo, j = mid, k = lo;
    while (i < mid && j < hi) {
        if (a[i] <= a[j]) tmp[k++] = a[i++];
        else tmp[k++] = a[j++];
    }
    while (i < mid) tmp[k++] = a[i++];
    while (j < hi) tmp[k++] = a[j++];
    for (k = lo; k < hi; k++) a[k] = tmp[k];
}

i64 bench(i64 n) {
    for (int i = 0; i < N; i++) src[i] = rnd(1000000);
    i64 sum = 0;
    for (int r = 0; r < n; r++) {
        for (int i = 0; i < N; i++) a[i] = src[i] ^ (r & 1023);
        sort(0, N);
        sum += a[r * 37 % N];
    }
    return sum;
}
