#include "../lib/bench.h"
#include <stdio.h>
#include <string.h>

const i64 default_n = 800;

#define LOG 65536

typedef struct { int kind[64], times[64], size; } Nfa;
typedef struct { i64 sets[256]; int next[65536], count; } Dfa;
typedef struct { u8 data[LOG + 256]; int size, starts[4096], lines; } Log;

static Nfa nfa;
static Dfa dfa;
static Log log_;

static void compile(Nfa *p, const char *src) {
    for (int i = 0; i < 64; i++) { p->kind[i] = 0; p->times[i] = 1; }
    p->size = 0;
    for (; *src; src++)
        if (*src == '*' || *src == '+' || *src == '?') p->times[p->size - 1] = *src;
        else if (*src == '\\') p->kind[p->size++] = *++src + 256;
        else p->kind[p->size++] = *src == '.' ? '.' + 256 : *src;
}

static int accepts(int kind, int c) {
    if (kind < 256) return c == kind;
    switch (kind - 256) {
    case 'd': return c >= '0' && c <= '9';
    case 'w': return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    default: return 1;
    }
}

static int state(Nfa *p, Dfa *d, i64 tried) {
    i64 set = tried;
    for (int i = 0; i < p->size; i++)
        if ((set >> i & 1) && (p->times[i] == '*' || p->times[i] == '?')) set |= (i64)2 << i;
    for (int s = 0; s < d->count; s++) if (d->sets[s] == set) return s;
    d->sets[d->count] = set;
    return d->count++;
}

static int follow(Nfa *p, Dfa *d, int s, int c) {
    i64 set = 1;
    for (int i = 0; i < p->size; i++)
        if ((d->sets[s] >> i & 1) && accepts(p->kind[i], c)) {
            set |= (i64)2 << i;
            if (p->times[i] == '*' || p->times[i] == '+') set |= (i64)1 << i;
        }
    return state(p, d, set);
}

static int search(Nfa *p, Dfa *d, u8 *text, int start, int end) {
    int s = 0;
    for (int i = start; i < end; i++) {
        int at = s * 256 + text[i];
        if (d->next[at] < 0) d->next[at] = follow(p, d, s, text[i]);
        s = d->next[at];
        if (d->sets[s] >> p->size & 1) return i + 1;
    }
    return -1;
}

static int backtrack(Nfa *p, u8 *text, int atom, int from, int end) {
    int i = from;
    for (int a = atom; a < p->size; a++) {
        int times = p->times[a];
        if (times == 1) {
            if (i >= end || !accepts(p->kind[a], text[i])) return -1;
            i++;
        } else {
            int least = times == '+' ? i + 1 : i;
            int most = times == '?' ? (i + 1 < end ? i + 1 : end) : end;
            while (i < most && accepts(p->kind[a], text[i])) i++;
            for (; i > least; i--) {
                int found = backtrack(p, text, a + 1, i, end);
                if (found >= 0) return found;
            }
            if (i < least) return -1;
        }
    }
    return i;
}

static void generate(Log *log) {
    static const char *levels[] = {" ERROR", " WARN", " INFO", " INFO", " INFO", " INFO", " INFO", " INFO"};
    static const char *events[] = {" request took ", " cache miss for key ", " disk nearly full at "};
    int clock = 360000;
    while (log->size < LOG) {
        clock += rnd(4);
        int level = rnd(8), worker = rnd(8), user = rnd(100), what = rnd(8) - 5, ms = rnd(1000);
        log->starts[log->lines++] = log->size;
        log->size += sprintf((char *)log->data + log->size, "%d:%d%s [worker-%d] user=anna%d%s%dms", clock / 10000,
                             clock % 10000, levels[level], worker, user, events[what > 0 ? what : 0], ms);
    }
    log->starts[log->lines] = log->size;
}

i64 bench(i64 n) {
    static const char *patterns[] = {"WA?RN.*took \\d+ms", "user=\\w+ .*miss", "\\d\\d:\\d*5\\d? ERROR"};
    Log *log = &log_;
    Nfa *p = &nfa;
    Dfa *d = &dfa;
    generate(log);
    i64 sum = 0;
    for (int k = 0; k < 3; k++) {
        compile(p, patterns[k]);
        memset(d->next, -1, sizeof d->next);
        d->count = 0;
        state(p, d, 1);
        for (int r = 0; r < n; r++)
            for (int l = 0; l < log->lines; l++) {
                int start = log->starts[l], end = log->starts[l + 1];
                sum += search(p, d, log->data, start, end) - start;
                if ((l + r) % 8 != 0) continue;
                int found = -1;
                for (int from = start; from < end && found < 0; from++) found = backtrack(p, log->data, 0, from, end);
                sum += (i64)found * 7;
            }
        sum += d->count * 1000;
    }
    return sum & 0xFFFFFFFF;
}
