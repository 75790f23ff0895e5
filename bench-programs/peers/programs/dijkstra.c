#include "../lib/bench.h"

const i64 default_n = 1600;

#define N 2000
#define DEG 8
static int to[N * DEG], wt[N * DEG], dist[N], heap[N * DEG + 2], size;

static void push(int v) {
    int i = size++;
    while (i > 0) {
        int p = (i - 1) / 2;
        if (heap[p] <= v) break;
        heap[i] = heap[p];
        i = p;
    }
    heap[i] = v;
}

static int pop(void) {
    int top = heap[0], v = heap[--size], i = 0;
    for (;;) {
        int c = 2 * i + 1;
        if (c >= size) break;
        if (c + 1 < size && heap[c + 1] < heap[c]) c++;
        if (heap[c] >= v) break;
        heap[i] = heap[c];
        i = c;
    }
    heap[i] = v;
    return top;
}

i64 bench(i64 n) {
    for (int i = 0; i < N * DEG; i++) { to[i] = rnd(N); wt[i] = 1 + rnd(100); }
    i64 sum = 0;
    for (int r = 0; r < n; r++) {
        for (int i = 0; i < N; i++) dist[i] = 1000000;
        int s = r % N;
        dist[s] = 0;
        size = 0;
        push(s);
        while (size > 0) {
            int top = pop(), d = top / 2048, u = top % 2048;
            if (d > dist[u]) continue;
            for (int k = u * DEG; k < u * DEG + DEG; k++) {
                int nd = d + wt[k], v = to[k];
                if (nd < dist[v]) { dist[v] = nd; push(nd * 2048 + v); }
            }
        }
        for (int i = 0; i < N; i++) sum += dist[i];
    }
    return sum;
}
