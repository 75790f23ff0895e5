#include "../lib/bench.h"

const i64 default_n = 20000;

enum { RECORDS = 1000, FIELDS = 7 };
enum { VARINT, ZIGZAG, BOOLEAN, FIXED, TEXT, DELTA };

static const int kinds[FIELDS] = {DELTA, FIXED, BOOLEAN, VARINT, TEXT, ZIGZAG, BOOLEAN};
static int values[RECORDS * FIELDS];
static u8 names[128], out[RECORDS * FIELDS * 10];

static int put_varint(int at, u32 v) {
    while (v >= 128) {
        out[at++] = (v & 127) | 128;
        v >>= 7;
    }
    out[at++] = v;
    return at;
}

static int write_records(void) {
    int at = 0, before = 0;
    for (int r = 0; r < RECORDS; r++) {
        for (int f = 0; f < FIELDS; f++) {
            int value = values[r * FIELDS + f], kind = kinds[f];
            out[at++] = f << 3 | kind;
            switch (kind) {
            case VARINT:
                at = put_varint(at, value);
                break;
            case ZIGZAG:
                at = put_varint(at, (u32)value << 1 ^ (u32)(value >> 31));
                break;
            case BOOLEAN:
                out[at++] = value & 1;
                break;
            case FIXED:
                out[at] = value;
                out[at + 1] = value >> 8;
                out[at + 2] = value >> 16;
                out[at + 3] = value >> 24;
                at += 4;
                break;
            case TEXT:
                out[at++] = 8;
                for (int i = 0; i < 8; i++) out[at + i] = names[value * 8 + i];
                at += 8;
                break;
            case DELTA:
                at = put_varint(at, value - before);
                before = value;
                break;
            }
        }
    }
    return at;
}

i64 bench(i64 n) {
    for (int r = 0; r < RECORDS; r++) {
        int *to = values + r * FIELDS;
        to[0] = r * 3 + rnd(3);
        to[1] = (int)lcg();
        to[2] = rnd(2);
        to[3] = 20 + rnd(60);
        to[4] = rnd(16);
        to[5] = rnd(100) - 50;
        to[6] = rnd(2);
    }
    for (int i = 0; i < 128; i++) names[i] = 'a' + rnd(26);
    u32 sum = 0;
    for (int r = 0; r < n; r++) {
        int at = rnd(RECORDS) * FIELDS + 3;
        values[at] = rnd(80);
        int size = write_records();
        sum = sum * 31 + size + out[rnd(size)];
    }
    return sum;
}
