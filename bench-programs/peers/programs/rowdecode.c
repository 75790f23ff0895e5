#include "../lib/bench.h"
#include <string.h>

const i64 default_n = 13000;

#define ROWS 1000
#define FIELDS 8
enum { PLAIN, SIGNED, DELTA, RUN, FIXED, TEXT };

typedef struct { const int *schema, *absent; u8 data[ROWS * FIELDS * 10]; int size; } Table;
typedef struct { const u8 *data; int pos; } Reader;

static int last[FIELDS], left[FIELDS], columns[FIELDS][ROWS];
static Table tables[2];

static void put(Table *t, int b) { t->data[t->size++] = b; }

static void put_plain(Table *t, int n) {
    for (; n >= 128; n >>= 7) put(t, (n & 127) | 128);
    put(t, n);
}

static void put_field(Table *t, int f) {
    switch (t->schema[f]) {
    case PLAIN: put_plain(t, rnd(8) == 0 ? rnd(5000) : rnd(128)); break;
    case SIGNED: put_plain(t, rnd(6000)); break;
    case DELTA: put_plain(t, rnd(40)); break;
    case RUN:
        if (left[f] == 0) {
            left[f] = 10 + rnd(40);
            put_plain(t, left[f]);
            put_plain(t, rnd(5));
        }
        left[f]--;
        break;
    case FIXED: for (int i = 0; i < 4; i++) put(t, i < 3 ? rnd(256) : 0); break;
    default: {
        int a = rnd(3), b = rnd(3), length = 4 + a * b;
        put_plain(t, length);
        for (int i = 0; i < length; i++) put(t, 'a' + rnd(26));
    }
    }
}

static void encode(Table *t, const int *schema, const int *absent) {
    t->schema = schema;
    t->absent = absent;
    memset(left, 0, sizeof left);
    for (int row = 0; row < ROWS; row++) {
        int start = t->size;
        put(t, 0);
        for (int f = 0; f < FIELDS; f++)
            if (rnd(100) < absent[f]) t->data[start] |= 1 << f; else put_field(t, f);
    }
}

static int plain(Reader *r) {
    int value = 0;
    for (int shift = 0;; shift += 7) {
        int b = r->data[r->pos++];
        value |= (b & 127) << shift;
        if (b < 128) return value;
    }
}

static int signed_(Reader *r) {
    int n = plain(r);
    return n >> 1 ^ -(n & 1);
}

static int fixed(Reader *r) {
    r->pos += 4;
    return r->data[r->pos - 4] | r->data[r->pos - 3] << 8 | r->data[r->pos - 2] << 16 | r->data[r->pos - 1] << 24;
}

static int run(Reader *r, int f) {
    if (left[f] == 0) {
        left[f] = plain(r);
        last[f] = plain(r);
    }
    left[f]--;
    return last[f];
}

static int delta(Reader *r, int f) {
    last[f] += signed_(r);
    return last[f];
}

static int text_hash(Reader *r) {
    int hash = 0;
    for (int i = plain(r); i > 0; i--) hash = (hash * 31 + r->data[r->pos++]) & 0xFFFFFF;
    return hash;
}

static int decode(const Table *t) {
    Reader reader = {t->data, 0}, *r = &reader;
    int absent_fields = 0;
    memset(last, 0, sizeof last);
    memset(left, 0, sizeof left);
    for (int row = 0; row < ROWS; row++) {
        int absent = r->data[r->pos++];
        for (int f = 0; f < FIELDS; f++) {
            if (absent >> f & 1) {
                absent_fields++;
                columns[f][row] = -1;
                continue;
            }
            int v;
            switch (t->schema[f]) {
            case PLAIN: v = plain(r); break;
            case SIGNED: v = signed_(r); break;
            case DELTA: v = delta(r, f); break;
            case RUN: v = run(r, f); break;
            case FIXED: v = fixed(r); break;
            default: v = text_hash(r);
            }
            columns[f][row] = v;
        }
    }
    return absent_fields + r->pos;
}

i64 bench(i64 n) {
    static const int orders[] = {DELTA, DELTA, RUN, SIGNED, FIXED, TEXT, RUN, PLAIN};
    static const int orders_absent[] = {0, 0, 0, 3, 0, 0, 0, 5};
    static const int samples[] = {DELTA, RUN, SIGNED, SIGNED, SIGNED, FIXED, PLAIN, PLAIN};
    static const int samples_absent[] = {0, 0, 0, 0, 2, 0, 0, 0};
    encode(&tables[0], orders, orders_absent);
    encode(&tables[1], samples, samples_absent);
    i64 sum = 0;
    for (int k = 0; k < 2; k++)
        for (i64 r = 0; r < n; r++) {
            sum += decode(&tables[k]);
            for (int f = 0; f < FIELDS; f++) sum += columns[f][r % ROWS];
        }
    return sum;
}
