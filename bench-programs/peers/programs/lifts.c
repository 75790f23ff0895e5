#include "../lib/bench.h"

const i64 default_n = 6000;

enum { DAY = 8000, FLOORS = 16, CARS = 4, ROOM = 8, RIDE = 12, OPEN = 40 };
enum { IDLE, UP, DOWN, DOORS };
typedef struct { int state, timer, floor, goal, load, stops[FLOORS]; } Car;
static const int gaps[] = {30, 80, 30, 600};
static Car cars[CARS];
static int waiting[FLOORS], claimed[FLOORS], calls, hash;

static void claim(int floor) {
    if (!claimed[floor]) {
        claimed[floor] = 1;
        if (waiting[floor] > 0) calls--;
    }
}

static void release(int floor) {
    if (claimed[floor]) {
        claimed[floor] = 0;
        if (waiting[floor] > 0) calls++;
    }
}

static void come(int phase) {
    int floor = phase == 0 ? 0 : rnd(FLOORS);
    if (waiting[floor] == 0 && !claimed[floor]) calls++;
    waiting[floor]++;
}

static void open(Car *car) {
    if (car->goal >= 0) release(car->goal);
    car->goal = -1;
    claim(car->floor);
    car->state = DOORS;
    car->timer = OPEN;
}

static void start(Car *car, int state) {
    car->state = state;
    car->timer = RIDE;
}

static int distance(int a, int b) { return a < b ? b - a : a - b; }

static void answer(Car *car) {
    int best = -1;
    for (int f = 0; f < FLOORS; f++)
        if (waiting[f] > 0 && !claimed[f])
            if (best < 0 || distance(f, car->floor) < distance(best, car->floor)) best = f;
    if (best == car->floor) {
        open(car);
    } else {
        claim(best);
        car->goal = best;
        start(car, best > car->floor ? UP : DOWN);
    }
}

static void pass(Car *car) {
    int f = car->floor;
    if (car->stops[f] > 0 || f == car->goal || (waiting[f] > 0 && car->load < ROOM)) open(car);
    else car->timer = RIDE;
}

static void exchange(Car *car, int phase) {
    int f = car->floor;
    claim(f);
    car->load -= car->stops[f];
    hash = (hash * 31 + car->stops[f] * FLOORS + f) & 0xFFFFFF;
    car->stops[f] = 0;
    while (waiting[f] > 0 && car->load < ROOM) {
        int to = 0;
        if (phase != 2 || f == 0) {
            to = rnd(FLOORS - 1);
            if (to >= f) to++;
        }
        waiting[f]--;
        car->stops[to]++;
        car->load++;
    }
    release(f);
}

static void leave(Car *car) {
    for (int f = car->floor + 1; f < FLOORS; f++)
        if (car->stops[f] > 0) { start(car, UP); return; }
    if (car->load > 0) start(car, DOWN);
    else car->state = IDLE;
}

static void simulate(int ticks) {
    int phase = 0, gap = 0;
    for (int t = 0; t < ticks; t++) {
        if (gap == 0) {
            phase = t % DAY / (DAY / 4);
            come(phase);
            gap = gaps[phase] + rnd(gaps[phase]);
        }
        gap--;
        for (Car *car = cars; car < cars + CARS; car++) {
            switch (car->state) {
            case IDLE: if (calls > 0) answer(car); break;
            case UP: if (--car->timer == 0) { car->floor++; pass(car); } break;
            case DOWN: if (--car->timer == 0) { car->floor--; pass(car); } break;
            case DOORS: if (--car->timer == 0) { exchange(car, phase); leave(car); } break;
            }
        }
    }
}

i64 bench(i64 n) {
    calls = hash = 0;
    for (int f = 0; f < FLOORS; f++) waiting[f] = claimed[f] = 0;
    for (int i = 0; i < CARS; i++) cars[i] = (Car){.state = IDLE, .goal = -1};
    simulate((int)n * DAY);
    return hash;
}
