#include "../lib/bench.h"

const i64 default_n = 30000;

#define LINES 4
#define STATIONS 3
enum { ARRIVE, START, FINISH, MOVE, FAIL, REPAIR };

typedef struct { i64 events[256]; int size; } Queue;
typedef struct { int waiting, busy, broken, service, finished; i64 idle_since, idle; } Station;

static Queue queue;
static Station stations[LINES * STATIONS];

static void schedule(Queue *q, i64 time, int kind, int station) {
    i64 event = time << 16 | kind << 8 | station;
    int i = q->size++;
    while (i > 0) {
        int parent = (i - 1) / 2;
        if (q->events[parent] <= event) break;
        q->events[i] = q->events[parent];
        i = parent;
    }
    q->events[i] = event;
}

static i64 next(Queue *q) {
    i64 first = q->events[0], event = q->events[--q->size];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= q->size) break;
        if (child + 1 < q->size && q->events[child + 1] < q->events[child]) child++;
        if (q->events[child] >= event) break;
        q->events[i] = q->events[child];
        i = child;
    }
    q->events[i] = event;
    return first;
}

static int simulate(Queue *q, int count) {
    int hash = 0;
    for (int i = 0; i < count; i++) {
        i64 event = next(q), now = event >> 16;
        int id = event & 255;
        Station *s = &stations[id];
        switch (event >> 8 & 255) {
        case ARRIVE:
            s->waiting++;
            schedule(q, now, START, id);
            schedule(q, now + 24, ARRIVE, id);
            break;
        case START:
            if (s->busy || s->broken || s->waiting == 0) continue;
            s->busy = 1;
            s->waiting--;
            s->idle += now - s->idle_since;
            schedule(q, now + s->service, FINISH, id);
            break;
        case FINISH:
            s->busy = 0;
            s->finished++;
            s->idle_since = now;
            if (s->waiting > 0) schedule(q, now, START, id);
            if (id % STATIONS < STATIONS - 1) schedule(q, now + 3, MOVE, id + 1);
            if (id % STATIONS == 1 && rnd(100) == 0) schedule(q, now + 1, FAIL, id);
            break;
        case MOVE:
            s->waiting++;
            schedule(q, now, START, id);
            break;
        case FAIL:
            if (!s->broken) schedule(q, now + 100 + rnd(100), REPAIR, id);
            s->broken = 1;
            break;
        case REPAIR:
            s->broken = 0;
            hash = (hash * 31 + now + s->waiting) & 0xFFFFFF;
            if (s->waiting > 0) schedule(q, now, START, id);
            break;
        }
    }
    return hash;
}

i64 bench(i64 n) {
    Queue *q = &queue;
    for (int i = 0; i < LINES * STATIONS; i++) {
        stations[i].service = 16 + i % 5;
        if (i % STATIONS == 0) schedule(q, i * 2, ARRIVE, i);
    }
    i64 sum = 0;
    for (i64 r = 0; r < n; r++) sum += simulate(q, 1000);
    for (int i = 0; i < LINES * STATIONS; i++)
        sum += stations[i].waiting * 3 + (i64)stations[i].finished * 5 + stations[i].idle * 7;
    return sum;
}
