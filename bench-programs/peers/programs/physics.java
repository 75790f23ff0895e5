final class physics {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int COUNT = 1200;
    static final double DT = 0.002, GRAVITY = -9.81, BALL = 0.08, NEAR = 0.002;
    static final int GAS = 0, SAND = 1, DROP = 2, SPARK = 3;
    static final double[] bounce = {0.9, 0.2, 0.5, 0.7};

    static final class Particles {
        final double[] x = new double[COUNT], y = new double[COUNT], vx = new double[COUNT], vy = new double[COUNT];
        final int[] age = new int[COUNT], material = new int[COUNT];
    }

    static final class Ball { double x, y, cosine = 1, sine; }

    static double uniform(double low, double high) { return low + (high - low) * rnd(10000) / 10000.0; }

    static Particles fillBox() {
        Particles p = new Particles();
        for (int i = 0; i < COUNT; i++) {
            p.x[i] = uniform(0, 1);
            p.y[i] = uniform(0, 1);
            p.vx[i] = uniform(-1, 1);
            p.vy[i] = uniform(-1, 1);
            p.age[i] = rnd(500);
            p.material[i] = i * 4 / COUNT;
        }
        return p;
    }

    static void hitBall(Particles p, int i, Ball ball, double distance) {
        double nx = (p.x[i] - ball.x) / distance, ny = (p.y[i] - ball.y) / distance;
        double towards = p.vx[i] * nx + p.vy[i] * ny;
        p.x[i] = ball.x + nx * BALL;
        p.y[i] = ball.y + ny * BALL;
        if (towards < 0) {
            p.vx[i] -= (1.0 + bounce[p.material[i]]) * towards * nx;
            p.vy[i] -= (1.0 + bounce[p.material[i]]) * towards * ny;
        }
    }

    static void hitWalls(Particles p, int i) {
        double kept = bounce[p.material[i]];
        if (p.x[i] < 0 || p.x[i] > 1) {
            p.x[i] = p.x[i] < 0 ? 0 : 1;
            p.vx[i] *= -kept;
        }
        if (p.y[i] < 0 || p.y[i] > 1) {
            p.y[i] = p.y[i] < 0 ? 0 : 1;
            p.vy[i] *= -kept;
        }
    }

    static int step(Particles p, Ball ball) {
        int hits = 0;
        for (int i = 0; i < COUNT; i++) {
            double ax = 0, ay = GRAVITY;
            switch (p.material[i]) {
            case GAS:
                ax = 0.5 - p.x[i] - 0.1 * p.vx[i];
                ay = 0.4 - p.y[i] - 0.1 * p.vy[i];
                break;
            case SAND:
                ax = 0.2 * ball.cosine;
                if (p.y[i] < 0.01) ax -= 4.0 * p.vx[i];
                break;
            case DROP: {
                double speed = Math.sqrt(p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i]);
                ax = -0.4 * speed * p.vx[i];
                ay -= 0.4 * speed * p.vy[i];
                if (p.y[i] <= 0) {
                    p.y[i] = 1;
                    p.vy[i] = 0;
                }
                break;
            }
            case SPARK:
                ay *= 0.3;
                p.age[i]++;
                if (p.age[i] > 500) {
                    p.age[i] = i % 37;
                    p.x[i] = ball.x;
                    p.y[i] = ball.y + BALL;
                    p.vx[i] = 0.01 * (i % 64) - 0.32;
                    p.vy[i] = 2.5;
                }
                break;
            }
            p.vx[i] += ax * DT;
            p.vy[i] += ay * DT;
            p.x[i] += p.vx[i] * DT;
            p.y[i] += p.vy[i] * DT;
            if (p.x[i] < 0 || p.x[i] > 1 || p.y[i] < 0 || p.y[i] > 1) hitWalls(p, i);
            double dx = p.x[i] - ball.x, dy = p.y[i] - ball.y, far = dx * dx + dy * dy;
            if (far < BALL * BALL && far > 0) {
                hitBall(p, i, ball, Math.sqrt(far));
                hits++;
            }
            if (i > 0 && Math.abs(p.x[i] - p.x[i - 1]) < NEAR && Math.abs(p.y[i] - p.y[i - 1]) < NEAR) {
                double vx = p.vx[i];
                p.vx[i] = p.vx[i - 1];
                p.vx[i - 1] = vx;
                hits++;
            }
        }
        return hits;
    }

    static long bench(int n) {
        Particles p = fillBox();
        Ball ball = new Ball();
        long hits = 0;
        for (int r = 0; r < n; r++) {
            double cosine = 0.9999875 * ball.cosine - 0.005 * ball.sine;
            ball.sine = 0.005 * ball.cosine + 0.9999875 * ball.sine;
            ball.cosine = cosine;
            ball.x = 0.5 + 0.3 * cosine;
            ball.y = 0.5 + 0.3 * ball.sine;
            hits += step(p, ball);
        }
        double sum = 0;
        for (int i = 0; i < COUNT; i++) sum += p.x[i] + 2.0 * p.y[i] + 0.1 * p.vx[i] + 0.2 * p.vy[i];
        return (long) Math.floor(sum * 1e6) + hits;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 50000));
    }
}
