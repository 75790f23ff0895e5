#include "../lib/bench.h"

const i64 default_n = 2500;

enum { HOUR = 36000, LANES = 4, ROOM = 64 };
enum { GREEN, AMBER, RED };

static const int gaps[] = {
    900, 1200, 1500, 1500, 900, 400, 150, 60, 32, 60, 110, 120,
    110, 120, 130, 120, 110, 100, 90, 120, 200, 300, 450, 700,
    1200, 1500, 1800, 1800, 1500, 700, 250, 140, 90, 110, 140, 130,
    110, 110, 100, 80, 50, 30, 60, 110, 180, 300, 500, 900,
};

typedef struct { int queue, head, next, ready, times[ROOM]; } lane;

static lane lanes[LANES];

i64 bench(i64 n) {
    for (int i = 0; i < LANES; i++) lanes[i].next = i * 50;
    int hour = 6, hour_end = HOUR, side = 0, light = GREEN, light_end = 600, idle = 0;
    int passed = 0, turned = 0, hash = 0, end = (int)n * HOUR;
    i64 waited = 0;
    for (int t = 0; t < end; t++) {
        if (t == hour_end) {
            hour = hour == 23 ? 0 : hour + 1;
            hour_end += HOUR;
        }
        if (light == GREEN) {
            if (lanes[side].queue + lanes[side + 2].queue > 0) idle = 0;
            else idle++;
            if (lanes[1 - side].queue + lanes[3 - side].queue > 0) {
                if (t >= light_end || idle >= 40) { light = AMBER; light_end = t + 30; }
            }
        } else if (t >= light_end) {
            if (light == AMBER) {
                light = RED;
                light_end = t + 20;
            } else {
                side = 1 - side;
                light = GREEN;
                light_end = t + 600;
                idle = 0;
                lanes[side].ready = t + 15;
                lanes[side + 2].ready = t + 15;
            }
        }
        for (int i = 0; i < LANES; i++) {
            lane *l = &lanes[i];
            if (t == l->next) {
                if (l->queue < ROOM) {
                    l->times[(l->head + l->queue) & (ROOM - 1)] = t;
                    l->queue++;
                } else {
                    turned++;
                }
                l->next = t + 1 + rnd(2 * gaps[(i & 1) * 24 + hour]);
            }
            if (l->queue > 0) {
                if (light == GREEN && side == (i & 1)) {
                    if (t >= l->ready) {
                        int wait = t - l->times[l->head];
                        l->head = (l->head + 1) & (ROOM - 1);
                        l->queue--;
                        l->ready = t + 20;
                        passed++;
                        waited += wait;
                        hash = (hash * 31 + wait) & 0xFFFFFF;
                    }
                }
            }
        }
    }
    return waited * 8 + passed * 3 + turned + hash;
}
