#include "../lib/bench.h"
#include <stdio.h>
#include <string.h>

const i64 default_n = 2000;

#define SIZE 65536
enum { VALUE, VALUE_OR_END, KEY, KEY_OR_END, COLON, COMMA_OR_END };

typedef struct { u8 data[SIZE + 256]; int size; } Document;
typedef struct { i64 strings, keys, numbers, words; int deepest, hash; } Totals;

static Document docs[2];
static Totals totals;

static void put(Document *d, const char *s) {
    int n = strlen(s);
    memcpy(d->data + d->size, s, n);
    d->size += n;
}

static void put_int(Document *d, int n) {
    char s[16];
    sprintf(s, "%d", n);
    put(d, s);
}

static void records(Document *d) {
    static const char *names[] = {"anna", "Bob \\\"B\\\"", "carla m."}, *stock[] = {"true", "true", "false", "null"};
    put(d, "[");
    while (d->size < SIZE) {
        if (d->size > 1) put(d, ",\n");
        put(d, "{\"id\": "); put_int(d, rnd(100000));
        put(d, ", \"name\": \""); put(d, names[rnd(3)]);
        put(d, "\", \"price\": "); put_int(d, rnd(1000)); put(d, "."); put_int(d, 10 + rnd(90));
        put(d, ", \"tags\": [");
        for (int t = 0, m = rnd(3); t < m; t++) put(d, t == 0 ? "\"new\"" : ", \"on sale\"");
        put(d, "], \"stock\": "); put(d, stock[rnd(4)]); put(d, "}");
    }
    put(d, "]\n");
}

static void numbers(Document *d) {
    put(d, "{\"rows\": [");
    while (d->size < SIZE) {
        put(d, d->size > 10 ? ",\n[" : "[");
        for (int i = 0; i < 8; i++) {
            put(d, i > 0 ? ", " : "");
            put_int(d, rnd(20000) - 1000);
        }
        put(d, "]");
    }
    put(d, "]}\n");
}

static int string_end(Document *d, int i) {
    while (i < d->size) {
        int c = d->data[i];
        if (c == '"') return i + 1;
        if (c < ' ') return -1;
        i += c == '\\' ? 2 : 1;
    }
    return -1;
}

static int skip_digits(Document *d, int i) {
    while (d->data[i] >= '0' && d->data[i] <= '9') i++;
    return i;
}

static int check(Document *d, u8 *open, Totals *t) {
    int depth = 0, next = VALUE, i = 0;
    while (i < d->size) {
        int c = d->data[i];
        switch (c) {
        case ' ': case '\n': i++; break;
        case '{': case '[':
            if (next > VALUE_OR_END) return i;
            open[depth++] = c;
            if (depth > t->deepest) t->deepest = depth;
            next = c == '{' ? KEY_OR_END : VALUE_OR_END;
            i++;
            break;
        case '}': case ']':
            if (depth == 0 || open[depth - 1] != c - 2) return i;
            if (next != COMMA_OR_END && next != VALUE_OR_END && next != KEY_OR_END) return i;
            depth--;
            next = COMMA_OR_END;
            i++;
            break;
        case ',':
            if (next != COMMA_OR_END || depth == 0) return i;
            next = open[depth - 1] == '{' ? KEY : VALUE;
            i++;
            break;
        case ':':
            if (next != COLON) return i;
            next = VALUE;
            i++;
            break;
        case '"': {
            if (next > KEY_OR_END) return i;
            int end = string_end(d, i + 1);
            if (end < 0) return i;
            for (int k = i + 1; k < end - 1; k++) t->hash = (t->hash * 31 + d->data[k]) & 0xFFFFFF;
            if (next <= VALUE_OR_END) t->strings++; else t->keys++;
            next = next <= VALUE_OR_END ? COMMA_OR_END : COLON;
            i = end;
            break;
        }
        case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9': {
            if (next > VALUE_OR_END) return i;
            int end = skip_digits(d, c == '-' ? i + 1 : i);
            if (d->data[end] == '.') end = skip_digits(d, end + 1);
            t->numbers += end - i;
            next = COMMA_OR_END;
            i = end;
            break;
        }
        case 't': case 'f': case 'n': {
            if (next > VALUE_OR_END) return i;
            const char *word = c == 't' ? "true" : c == 'f' ? "false" : "null";
            int length = strlen(word);
            for (int k = 0; k < length; k++) if (d->data[i + k] != word[k]) return i;
            t->words++;
            next = COMMA_OR_END;
            i += length;
            break;
        }
        default: return i;
        }
    }
    return depth == 0 ? d->size : i;
}

i64 bench(i64 n) {
    u8 open[64];
    Totals *t = &totals;
    i64 sum = 0;
    records(&docs[0]);
    numbers(&docs[1]);
    for (int k = 0; k < 2; k++) for (i64 r = 0; r < n; r++) sum += check(&docs[k], open, t);
    return sum + t->strings * 3 + t->keys * 5 + t->numbers * 7 + t->words * 11 + t->deepest + t->hash;
}
