#include "../lib/bench.h"

const i64 default_n = 1500;

static const char *src =
    "++++++++++[>++++++++++<-]>[<+>-]<[>+++++[>+++++++[>+++[>++>+<<-]<-]<-]>>>[>>+<<-]<<<<-]>>>>>.>.";
static int match[256];
static u8 tape[64];

i64 bench(i64 n) {
    int stack[64], sp = 0, len = 0;
    for (; src[len]; len++) {
        if (src[len] == '[') stack[sp++] = len;
        if (src[len] == ']') { int o = stack[--sp]; match[o] = len; match[len] = o; }
    }
    i64 sum = 0;
    for (int r = 0; r < n; r++) {
        for (int i = 0; i < 64; i++) tape[i] = 0;
        tape[5] = r;
        int ptr = 0;
        for (int pc = 0; pc < len; pc++)
            switch (src[pc]) {
            case '>': ptr++; break;
            case '<': ptr--; break;
            case '+': tape[ptr]++; break;
            case '-': tape[ptr]--; break;
            case '.': sum = (sum * 31 + tape[ptr]) & 0xFFFFFF; break;
            case '[': if (tape[ptr] == 0) pc = match[pc]; break;
            case ']': if (tape[ptr] != 0) pc = match[pc]; break;
            }
    }
    return sum;
}
