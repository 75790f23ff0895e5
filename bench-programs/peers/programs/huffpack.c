#include "../lib/bench.h"
#include <string.h>

const i64 default_n = 500;

#define SIZE 32768

typedef struct { int weight[512], child[1024], parent[512], root; } Tree;

static u8 text[SIZE], bits[SIZE * 4], out[SIZE];
static Tree tree;

static void prose(u8 *text) {
    static const char *words[] = {"the ", "of ", "and ", "a ", "to ", "in ", "path ", "was worn ", "deep ", "by feet ",
        "holloway ", "between ", "banks; ", "lane.\n"};
    int size = 0;
    while (size < SIZE) {
        int a = rnd(14), b = rnd(14);
        const char *word = words[a < b ? a : b];
        int length = strlen(word);
        if (length > SIZE - size) length = SIZE - size;
        memcpy(text + size, word, length);
        size += length;
    }
}

static void generate(int kind, u8 *text) {
    memset(text, 0, SIZE);
    switch (kind) {
    case 0: prose(text); break;
    case 1: for (int i = 0; i < SIZE / 40; i++) { int at = rnd(SIZE); text[at] = 1 << rnd(8); } break;
    default: for (int i = 0; i < SIZE; i++) text[i] = rnd(100);
    }
}

static int lightest(Tree *t, int count, int except) {
    int best = -1;
    for (int i = 0; i < count; i++)
        if (t->weight[i] > 0 && t->parent[i] < 0 && i != except && (best < 0 || t->weight[i] < t->weight[best]))
            best = i;
    return best;
}

static void build(Tree *t, const u8 *text) {
    memset(t->weight, 0, sizeof t->weight);
    memset(t->parent, -1, sizeof t->parent);
    t->root = 256;
    for (int i = 0; i < SIZE; i++) t->weight[text[i]]++;
    for (int count = 256;; count++) {
        int a = lightest(t, count, -1), b = lightest(t, count, a);
        if (b < 0) break;
        t->weight[count] = t->weight[a] + t->weight[b];
        t->child[2 * count] = a;
        t->child[2 * count + 1] = b;
        t->parent[a] = t->parent[b] = count;
        t->root = count;
    }
}

static int pack(Tree *t, const u8 *text, u8 *bits) {
    u32 code[256] = {0};
    int length[256] = {0};
    for (int c = 0; c < 256; c++)
        for (int node = c; t->weight[c] > 0 && node != t->root; node = t->parent[node]) {
            if (t->child[2 * t->parent[node] + 1] == node) code[c] |= 1u << length[c];
            length[c]++;
        }
    int size = 0, held = 0;
    u32 pending = 0;
    for (int i = 0; i < SIZE; i++) {
        int c = text[i];
        pending = pending << length[c] | code[c];
        held += length[c];
        while (held >= 8) {
            held -= 8;
            bits[size++] = pending >> held;
        }
        pending &= 255;
    }
    bits[size] = pending << (8 - held);
    return size * 8 + held;
}

static int unpack(Tree *t, const u8 *bits, int count, u8 *out) {
    int size = 0, node = t->root;
    for (int i = 0; i < count; i++) {
        int bit = bits[i >> 3] >> (7 - (i & 7)) & 1;
        node = t->child[2 * node + bit];
        if (node < 256) {
            out[size++] = node;
            node = t->root;
        }
    }
    return size;
}

i64 bench(i64 n) {
    i64 sum = 0;
    for (int kind = 0; kind < 3; kind++) {
        generate(kind, text);
        for (i64 r = 0; r < n; r++) {
            text[r * 7 % SIZE] = text[r * 11 % SIZE];
            build(&tree, text);
            int count = pack(&tree, text, bits);
            sum += count + unpack(&tree, bits, count, out);
            for (int i = r % 32; i < SIZE; i += 32) sum += out[i] == text[i];
        }
        for (int i = 0; i < SIZE; i++) sum = (sum * 31 + out[i]) & 0xFFFFFFFF;
    }
    return sum;
}
