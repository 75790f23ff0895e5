#include "../lib/bench.h"

const i64 default_n = 5000;

#define SIZE 32768
static u8 text[SIZE], bits[SIZE];
static int weight[512], left[512], right[512], parent[512];

static void generate(void) {
    int i = 0;
    while (i < SIZE) {
        int kind = rnd(8), end = i + 200 + rnd(1500), width = 2 + rnd(3);
        if (end > SIZE) end = SIZE;
        for (; i < end; i++) {
            if (kind < 3) text[i] = 32;
            else if (kind == 3) text[i] = 45;
            else if (kind < 7) text[i] = i % width == 0 ? 124 : 32;
            else if (rnd(6) == 0) text[i] = rnd(10) == 0 ? 10 : 32;
            else { int a = rnd(26); text[i] = 97 + a * rnd(26) / 26; }
        }
    }
}

static int build(void) {
    for (int i = 0; i < 512; i++) weight[i] = 0;
    for (int i = 0; i < SIZE; i++) weight[text[i]]++;
    for (int next = 256;; next++) {
        int a = -1, b = -1;
        for (int i = 0; i < next; i++) {
            if (weight[i] > 0) {
                if (a < 0 || weight[i] < weight[a]) { b = a; a = i; }
                else if (b < 0 || weight[i] < weight[b]) b = i;
            }
        }
        if (b < 0) return a;
        left[next] = a;
        right[next] = b;
        weight[next] = weight[a] + weight[b];
        weight[a] = weight[b] = 0;
    }
}

static int encode(int root) {
    int path[64], size = 0;
    for (int i = 0; i < SIZE; i++) bits[i] = 0;
    for (int i = 256; i <= root; i++) parent[left[i]] = parent[right[i]] = i;
    for (int i = 0; i < SIZE; i++) {
        int node = text[i], depth = 0;
        while (node != root) {
            path[depth++] = right[parent[node]] == node;
            node = parent[node];
        }
        while (depth > 0) {
            if (path[--depth]) bits[size >> 3] |= 128 >> (size & 7);
            size++;
        }
    }
    return size;
}

static int decode(int size, int root, int start) {
    int node = root, hash = start, column = 0;
    for (int i = 0; i < size; i++) {
        if ((bits[i >> 3] >> (7 - (i & 7)) & 1) == 0) node = left[node];
        else node = right[node];
        if (node < 256) {
            if (node == 10) {
                hash = (hash + column) & 0xFFFFFF;
                column = 0;
            } else {
                hash = (hash * 31 + node) & 0xFFFFFF;
                column++;
            }
            node = root;
        }
    }
    return hash;
}

i64 bench(i64 n) {
    generate();
    int root = build(), size = encode(root), sum = 0;
    for (int r = 0; r < n; r++) sum = decode(size, root, (sum + r) & 0xFFFFFF);
    return sum;
}
