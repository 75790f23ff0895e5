#include "../lib/bench.h"

const i64 default_n = 4500;

enum { SIZE = 65536, LONGEST = 8192, DEPTH = 64 };
enum { BETWEEN, NUMBER, STRING, ESCAPE, WORD };

static u8 buf[SIZE + LONGEST], stack[DEPTH];
static int len;

static void put(int c) { buf[len++] = c; }
static void put_all(const char *s) { while (*s) put(*s++); }

static void put_number(int m) {
    put('1' + rnd(9));
    for (int i = 1; i < m; i++) put('0' + rnd(10));
}

static void put_samples(void) {
    put('[');
    for (int i = 800 + rnd(800); i > 0; i--) { put_number(3); put(','); }
    put_number(3);
    put(']');
}

static void put_text(void) {
    put('"');
    for (int i = 1000 + rnd(3000); i > 0; i--) {
        if (rnd(200) == 0) put_all("\\n");
        else put('a' + rnd(26));
    }
    put('"');
}

static void put_records(void) {
    put('[');
    for (int i = 20 + rnd(60); i > 0; i--) {
        put_all("{\"id\":");
        put_number(4);
        put_all(",\"name\":\"");
        for (int k = 3 + rnd(8); k > 0; k--) put('a' + rnd(26));
        put_all(rnd(4) == 0 ? "\",\"on\":false," : "\",\"on\":true,");
        put_all("\"at\":-");
        put_number(1 + rnd(5));
        put_all("},");
    }
    put_all("null]");
}

static void put_nest(void) {
    for (int round = 20 + rnd(40); round > 0; round--) {
        int depth = 4 + rnd(20);
        for (int i = 0; i < depth; i++) put('[');
        put_number(2);
        for (int i = 0; i < depth; i++) put(']');
        put(',');
    }
    put_all("{}");
}

static void generate(void) {
    len = 0;
    put('[');
    while (len < SIZE) {
        switch (rnd(4)) {
        case 0: put_samples(); break;
        case 1: put_text(); break;
        case 2: put_records(); break;
        default: put_nest(); break;
        }
        put(',');
    }
    put_all("0]\n");
}

static i64 read_all(int r) {
    int state = BETWEEN, depth = 0, expects_key = 0, in_key = 0, negative = 0, number = 0, hash = r & 0xFFFF;
    int strings = 0, keys = 0, words = 0, deepest = 0;
    i64 sum = 0;
    for (int i = 0; i < len; i++) {
        int c = buf[i];
        if (state == NUMBER) {
            if (c >= '0' && c <= '9') { number = (number * 10 + c - '0') & 0xFFFFFF; continue; }
            sum += negative ? -number : number;
            negative = 0;
            state = BETWEEN;
        } else if (state == STRING) {
            if (c == '\\') {
                state = ESCAPE;
            } else if (c == '"') {
                if (in_key) keys++;
                else strings++;
                state = BETWEEN;
            } else {
                hash = (hash * 31 + c) & 0xFFFFFF;
            }
            continue;
        } else if (state == ESCAPE) {
            hash = (hash * 33 + c) & 0xFFFFFF;
            state = STRING;
            continue;
        } else if (state == WORD) {
            if (c >= 'a' && c <= 'z') continue;
            words++;
            state = BETWEEN;
        }
        if (c >= '0' && c <= '9') { number = c - '0'; state = NUMBER; }
        else if (c == ',') expects_key = stack[depth] == '{';
        else if (c == '"') { in_key = expects_key; state = STRING; }
        else if (c == ':') expects_key = 0;
        else if (c == '[' || c == '{') {
            depth++;
            stack[depth] = c;
            expects_key = c == '{';
            if (depth > deepest) deepest = depth;
        }
        else if (c == ']' || c == '}') depth--;
        else if (c == '-') negative = 1;
        else if (c >= 'a' && c <= 'z') state = WORD;
    }
    return sum + hash + strings * 3 + keys * 5 + words * 7 + deepest * 11;
}

i64 bench(i64 n) {
    generate();
    i64 total = 0;
    for (int r = 0; r < n; r++) total += read_all(r);
    return total;
}
