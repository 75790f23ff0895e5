#include "../lib/bench.h"
#include <string.h>

const i64 default_n = 1500;

enum { SIZE = 32768, SECTION = 4096, LONGEST = 512, RULES = 6 };
enum { PROSE, LOG, TABLE, BORDER };

static const char *const rules[RULES] = {
    "*error*", "##:##:## warn*", "*@=####? *", "*,9##.##,*,1##.##,*", "+*-+*-+", "*@@@@@@@@@ ??? *",
};
static u8 buf[SIZE + LONGEST];
static int len;

static void put(int c) { buf[len++] = c; }
static void put_all(const char *s) { while (*s) put(*s++); }
static void letters(int m) { for (int i = 0; i < m; i++) put('a' + rnd(26)); }
static void digits(int m) { for (int i = 0; i < m; i++) put('0' + rnd(10)); }

static void put_line(int kind) {
    int end = len + 80 + rnd(120);
    if (kind == PROSE) {
        while (len < end) {
            if (rnd(50) == 0) put_all("error"); else letters(1 + rnd(9));
            put(' ');
        }
    } else if (kind == LOG) {
        digits(2);
        put(':');
        digits(2);
        put(':');
        digits(2);
        int level = rnd(8);
        put_all(level == 0 ? " error" : level < 3 ? " warn" : " info");
        while (len < end) {
            put(' ');
            letters(1 + rnd(7));
            put('=');
            digits(1 + rnd(5));
        }
    } else if (kind == TABLE) {
        while (len < end + 150) {
            digits(3);
            put('.');
            digits(2);
            put(',');
        }
    } else {
        put('+');
        while (len < end) {
            int m = 20 + rnd(40);
            for (int i = 0; i < m; i++) put('-');
            put('+');
        }
    }
    put('\n');
}

static void generate(void) {
    len = 0;
    while (len < SIZE) put_line(len / SECTION % 4);
}

static int matches(const char *rule, int m, int from, int to) {
    int p = 0, s = from, star = -1, mark = 0;
    while (s < to) {
        int c = buf[s], fits = 0;
        if (p < m) {
            int want = rule[p];
            if (want == '*') {
                star = p;
                mark = s;
                p++;
                continue;
            }
            if (want == '#') fits = c >= '0' && c <= '9';
            else if (want == '@') fits = c >= 'a' && c <= 'z';
            else fits = want == c || want == '?';
        }
        if (fits) {
            p++;
            s++;
        } else if (star >= 0) {
            p = star + 1;
            mark++;
            s = mark;
        } else {
            return 0;
        }
    }
    while (p < m && rule[p] == '*') p++;
    return p == m;
}

static int scan(int r) {
    int hash = r & 0xFFFF, found = 0, from = 0;
    while (from < len) {
        int to = from;
        while (buf[to] != '\n') to++;
        for (int i = 0; i < RULES; i++) {
            if (matches(rules[i], (int)strlen(rules[i]), from, to)) {
                found++;
                hash = (hash * 31 + from + i) & 0xFFFFFF;
            }
        }
        from = to + 1;
    }
    return found * 100 + hash;
}

i64 bench(i64 n) {
    generate();
    i64 total = 0;
    for (int r = 0; r < n; r++) total += scan(r);
    return total;
}
