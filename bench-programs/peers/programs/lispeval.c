#include "../lib/bench.h"
#include <stdlib.h>
#include <string.h>

const i64 default_n = 1000;

#define CELLS 1000000
enum { NIL = 0, IF = -2, QUOTE = -4, DEFINE = -6, PLUS = -8, MINUS = -10, LESS = -12, EQUAL = -14 };
enum { CONS = -16, CAR = -18, CDR = -20 };

static char names[32][16] = {"", "if", "quote", "define", "+", "-", "<", "=", "cons", "car", "cdr"};
static int globals[32], head[CELLS], tail[CELLS], symbols = 11, used = 1;
static const char *at;

static int cons(int a, int b) {
    head[used] = a;
    tail[used] = b;
    return used++ * 2;
}

static int read(void);

static int read_list(void) {
    while (*at == ' ') at++;
    if (*at == ')') { at++; return NIL; }
    int first = read();
    return cons(first, read_list());
}

static int read(void) {
    while (*at == ' ') at++;
    if (*at == '(') { at++; return read_list(); }
    const char *start = at;
    while (*at != ' ' && *at != ')') at++;
    int length = at - start;
    if (*start >= '0' && *start <= '9') return atoi(start) * 2 + 1;
    for (int s = 1; s < symbols; s++)
        if ((int)strlen(names[s]) == length && memcmp(names[s], start, length) == 0) return -2 * s;
    memcpy(names[symbols], start, length);
    return -2 * symbols++;
}

static int lookup(int symbol, int s) {
    while (s != NIL) {
        int pair = head[s >> 1];
        if (head[pair >> 1] == symbol) return tail[pair >> 1];
        s = tail[s >> 1];
    }
    return globals[-symbol >> 1];
}

static int second(int list) { return head[tail[list >> 1] >> 1]; }

static int eval(int e, int env) {
    for (;;) {
        if ((e & 1) == 1 || e == NIL) return e;
        if (e < 0) return lookup(e, env);
        int f = head[e >> 1], args = tail[e >> 1];
        switch (f) {
        case IF: {
            int rest = tail[args >> 1];
            e = eval(head[args >> 1], env) != NIL ? head[rest >> 1] : second(rest);
            break;
        }
        case QUOTE: return head[args >> 1];
        case DEFINE: globals[-head[args >> 1] >> 1] = tail[args >> 1]; return NIL;
        case CAR: return head[eval(head[args >> 1], env) >> 1];
        case CDR: return tail[eval(head[args >> 1], env) >> 1];
        case PLUS: case MINUS: case LESS: case EQUAL: case CONS: {
            int a = eval(head[args >> 1], env);
            int b = eval(second(args), env);
            switch (f) {
            case PLUS: return a + b - 1;
            case MINUS: return a - b + 1;
            case LESS: return a < b;
            case EQUAL: return a == b;
            default: return cons(a, b);
            }
        }
        default: {
            int lambda = globals[-f >> 1], params = head[lambda >> 1], inner = NIL;
            for (int arg = args; params != NIL; params = tail[params >> 1], arg = tail[arg >> 1]) {
                int value = eval(head[arg >> 1], env);
                int pair = cons(head[params >> 1], value);
                inner = cons(pair, inner);
            }
            e = second(lambda);
            env = inner;
        }
        }
    }
}

static int parse(const char *src) {
    at = src;
    return read();
}

i64 bench(i64 n) {
    static const char *definitions[] = {
        "(define fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))) )",
        "(define count (n sum) (if (= n 0) sum (count (- n 1) (+ sum n))) )",
        "(define range (a b) (if (< a b) (cons a (range (+ a 1) b)) (quote ())) )",
        "(define evens (l) (if (= l (quote ())) 0 (if (< (car l) 10) (evens (cdr l)) (+ (car l) (evens (cdr l))))) )",
    };
    static const char *sources[] = {"(fib 16) ", "(count 5000 0) ", "(evens (range 1 1500)) "};
    for (int i = 0; i < 4; i++) eval(parse(definitions[i]), NIL);
    i64 sum = 0;
    for (int i = 0; i < 3; i++) {
        int e = parse(sources[i]), base = used;
        for (i64 r = 0; r < n; r++) {
            i64 value = eval(e, NIL) >> 1;
            sum = (sum * 7 + value + used) & 0xFFFFFFFF;
            used = base;
        }
    }
    return sum;
}
