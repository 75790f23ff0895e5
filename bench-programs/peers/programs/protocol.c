#include "../lib/bench.h"

const i64 default_n = 400;

#define SIZE 65536
#define CHUNK 1500
#define FLAG 0x7E
#define ESCAPE 0x7D
enum { PING = 1, TEXT, BLOCK, STATUS };
enum { HUNT, KIND, LENGTH, BODY, CHECK_LOW, CHECK_HIGH };

typedef struct { u8 data[SIZE + 1024]; int size, check; } Line;
typedef struct {
    int state, escaped, kind, left, check, filled, text, status;
    i64 pings, blocks, errors;
    u8 body[256];
} Receiver;

static int table[256];
static Line line;
static Receiver receiver;

static void send(Line *l, int c) {
    l->check = l->check >> 8 ^ table[(l->check ^ c) & 255];
    if (c == FLAG || c == ESCAPE) l->data[l->size++] = ESCAPE;
    l->data[l->size++] = c == FLAG || c == ESCAPE ? c ^ 32 : c;
}

static void send_message(Line *l, int kind, int length) {
    l->data[l->size++] = FLAG;
    l->check = 0xFFFF;
    send(l, kind);
    send(l, length);
    for (int i = 0; i < length; i++) send(l, kind == TEXT ? 'a' + rnd(26) : rnd(8) == 0 ? FLAG : rnd(256));
    int check = l->check;
    send(l, check & 255);
    send(l, check >> 8);
    if (rnd(50) == 0) l->data[l->size - 3] ^= 4;
}

static void traffic(Line *l, int phase) {
    l->size = 0;
    for (int i = 0; l->size < SIZE; i++)
        switch (phase == 3 ? rnd(4) : phase) {
        case 0: send_message(l, PING, 0); break;
        case 1: send_message(l, TEXT, 20 + rnd(60)); break;
        case 2: if (i % 5 == 4) send_message(l, STATUS, 4); else send_message(l, BLOCK, 128); break;
        default: send_message(l, STATUS, 4);
        }
}

static void deliver(Receiver *r) {
    switch (r->kind) {
    case PING: r->pings++; break;
    case TEXT: for (int i = 0; i < r->filled; i++) r->text = (r->text * 31 + r->body[i]) & 0xFFFFFF; break;
    case BLOCK: for (int i = 0; i < r->filled; i++) r->blocks += r->body[i]; break;
    case STATUS: r->status ^= r->body[0] | r->body[1] << 8 | r->body[2] << 16; break;
    default: r->errors++;
    }
}

static void receive(Receiver *r, const u8 *data, int start, int end) {
    for (int i = start; i < end; i++) {
        int c = data[i];
        if (c == FLAG) {
            if (r->state != HUNT) r->errors++;
            r->state = KIND;
            r->escaped = 0;
            r->check = 0xFFFF;
            continue;
        }
        if (r->state == HUNT) continue;
        if (c == ESCAPE) { r->escaped = 1; continue; }
        if (r->escaped) { c ^= 32; r->escaped = 0; }
        if (r->state < CHECK_LOW) r->check = r->check >> 8 ^ table[(r->check ^ c) & 255];
        switch (r->state) {
        case KIND: r->kind = c; r->state = LENGTH; break;
        case LENGTH:
            r->left = c;
            r->filled = 0;
            r->state = c > 0 ? BODY : CHECK_LOW;
            break;
        case BODY:
            r->body[r->filled++] = c;
            if (r->filled == r->left) r->state = CHECK_LOW;
            break;
        case CHECK_LOW: r->check ^= c; r->state = CHECK_HIGH; break;
        default:
            if (r->check == c << 8) deliver(r); else r->errors++;
            r->state = HUNT;
        }
    }
}

i64 bench(i64 n) {
    static const int phases[] = {0, 2, 1, 3, 2, 0};
    for (int i = 0; i < 256; i++) {
        int c = i;
        for (int bit = 0; bit < 8; bit++) c = c & 1 ? c >> 1 ^ 0x8408 : c >> 1;
        table[i] = c;
    }
    Receiver *r = &receiver;
    for (int p = 0; p < 6; p++) {
        traffic(&line, phases[p]);
        for (i64 pass = 0; pass < n; pass++)
            for (int i = 0; i < line.size; i += CHUNK)
                receive(r, line.data, i, i + CHUNK < line.size ? i + CHUNK : line.size);
    }
    return r->pings + (i64)r->text * 3 + r->blocks * 5 + (i64)r->status * 7 + r->errors * 11;
}
