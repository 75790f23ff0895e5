#include "../lib/bench.h"

const i64 default_n = 50000;

#define COUNT 1200
#define DT 0.002
#define GRAVITY (-9.81)
#define BALL 0.08
#define NEAR 0.002
enum { GAS, SAND, DROP, SPARK };

typedef struct { double x[COUNT], y[COUNT], vx[COUNT], vy[COUNT]; int age[COUNT], material[COUNT]; } Particles;
typedef struct { double x, y, cosine, sine; } Ball;

static const double bounce[] = {0.9, 0.2, 0.5, 0.7};
static Particles particles;

static double uniform(double low, double high) { return low + (high - low) * rnd(10000) / 10000.0; }
static double absolute(double x) { return __builtin_fabs(x); }

static void fill_box(Particles *p) {
    for (int i = 0; i < COUNT; i++) {
        p->x[i] = uniform(0, 1);
        p->y[i] = uniform(0, 1);
        p->vx[i] = uniform(-1, 1);
        p->vy[i] = uniform(-1, 1);
        p->age[i] = rnd(500);
        p->material[i] = i * 4 / COUNT;
    }
}

static void hit_ball(Particles *p, int i, const Ball *ball, double distance) {
    double nx = (p->x[i] - ball->x) / distance, ny = (p->y[i] - ball->y) / distance;
    double towards = p->vx[i] * nx + p->vy[i] * ny;
    p->x[i] = ball->x + nx * BALL;
    p->y[i] = ball->y + ny * BALL;
    if (towards < 0) {
        p->vx[i] -= (1.0 + bounce[p->material[i]]) * towards * nx;
        p->vy[i] -= (1.0 + bounce[p->material[i]]) * towards * ny;
    }
}

static void hit_walls(Particles *p, int i) {
    double kept = bounce[p->material[i]];
    if (p->x[i] < 0 || p->x[i] > 1) {
        p->x[i] = p->x[i] < 0 ? 0 : 1;
        p->vx[i] *= -kept;
    }
    if (p->y[i] < 0 || p->y[i] > 1) {
        p->y[i] = p->y[i] < 0 ? 0 : 1;
        p->vy[i] *= -kept;
    }
}

static int step(Particles *p, const Ball *ball) {
    int hits = 0;
    for (int i = 0; i < COUNT; i++) {
        double ax = 0, ay = GRAVITY;
        switch (p->material[i]) {
        case GAS:
            ax = 0.5 - p->x[i] - 0.1 * p->vx[i];
            ay = 0.4 - p->y[i] - 0.1 * p->vy[i];
            break;
        case SAND:
            ax = 0.2 * ball->cosine;
            if (p->y[i] < 0.01) ax -= 4.0 * p->vx[i];
            break;
        case DROP: {
            double speed = sqrt(p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i]);
            ax = -0.4 * speed * p->vx[i];
            ay -= 0.4 * speed * p->vy[i];
            if (p->y[i] <= 0) {
                p->y[i] = 1;
                p->vy[i] = 0;
            }
            break;
        }
        case SPARK:
            ay *= 0.3;
            p->age[i]++;
            if (p->age[i] > 500) {
                p->age[i] = i % 37;
                p->x[i] = ball->x;
                p->y[i] = ball->y + BALL;
                p->vx[i] = 0.01 * (i % 64) - 0.32;
                p->vy[i] = 2.5;
            }
            break;
        }
        p->vx[i] += ax * DT;
        p->vy[i] += ay * DT;
        p->x[i] += p->vx[i] * DT;
        p->y[i] += p->vy[i] * DT;
        if (p->x[i] < 0 || p->x[i] > 1 || p->y[i] < 0 || p->y[i] > 1) hit_walls(p, i);
        double dx = p->x[i] - ball->x, dy = p->y[i] - ball->y, far = dx * dx + dy * dy;
        if (far < BALL * BALL && far > 0) {
            hit_ball(p, i, ball, sqrt(far));
            hits++;
        }
        if (i > 0 && absolute(p->x[i] - p->x[i - 1]) < NEAR && absolute(p->y[i] - p->y[i - 1]) < NEAR) {
            double vx = p->vx[i];
            p->vx[i] = p->vx[i - 1];
            p->vx[i - 1] = vx;
            hits++;
        }
    }
    return hits;
}

i64 bench(i64 n) {
    Particles *p = &particles;
    Ball ball = {0, 0, 1, 0};
    i64 hits = 0;
    fill_box(p);
    for (i64 r = 0; r < n; r++) {
        double cosine = 0.9999875 * ball.cosine - 0.005 * ball.sine;
        ball.sine = 0.005 * ball.cosine + 0.9999875 * ball.sine;
        ball.cosine = cosine;
        ball.x = 0.5 + 0.3 * cosine;
        ball.y = 0.5 + 0.3 * ball.sine;
        hits += step(p, &ball);
    }
    double sum = 0;
    for (int i = 0; i < COUNT; i++) sum += p->x[i] + 2.0 * p->y[i] + 0.1 * p->vx[i] + 0.2 * p->vy[i];
    return ifloor(sum * 1e6) + hits;
}
