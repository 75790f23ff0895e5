final class lifts {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int DAY = 8000, FLOORS = 16, CARS = 4, ROOM = 8, RIDE = 12, OPEN = 40;
    static final int IDLE = 0, UP = 1, DOWN = 2, DOORS = 3;
    static final int[] gaps = {30, 80, 30, 600};

    static final class Car {
        int state, timer, floor, goal = -1, load;
        final int[] stops = new int[FLOORS];
    }

    static final class House {
        final int[] waiting = new int[FLOORS];
        final boolean[] claimed = new boolean[FLOORS];
        int calls, hash;
    }

    static void claim(House h, int floor) {
        if (!h.claimed[floor]) {
            h.claimed[floor] = true;
            if (h.waiting[floor] > 0) h.calls--;
        }
    }

    static void release(House h, int floor) {
        if (h.claimed[floor]) {
            h.claimed[floor] = false;
            if (h.waiting[floor] > 0) h.calls++;
        }
    }

    static void come(House h, int phase) {
        int floor = phase == 0 ? 0 : rnd(FLOORS);
        if (h.waiting[floor] == 0 && !h.claimed[floor]) h.calls++;
        h.waiting[floor]++;
    }

    static void open(House h, Car car) {
        if (car.goal >= 0) release(h, car.goal);
        car.goal = -1;
        claim(h, car.floor);
        car.state = DOORS;
        car.timer = OPEN;
    }

    static void start(Car car, int state) {
        car.state = state;
        car.timer = RIDE;
    }

    static void answer(House h, Car car) {
        int best = -1;
        for (int f = 0; f < FLOORS; f++)
            if (h.waiting[f] > 0 && !h.claimed[f])
                if (best < 0 || Math.abs(f - car.floor) < Math.abs(best - car.floor)) best = f;
        if (best == car.floor) {
            open(h, car);
        } else {
            claim(h, best);
            car.goal = best;
            start(car, best > car.floor ? UP : DOWN);
        }
    }

    static void pass(House h, Car car) {
        int f = car.floor;
        if (car.stops[f] > 0 || f == car.goal || (h.waiting[f] > 0 && car.load < ROOM)) open(h, car);
        else car.timer = RIDE;
    }

    static void exchange(House h, Car car, int phase) {
        int f = car.floor;
        claim(h, f);
        car.load -= car.stops[f];
        h.hash = (h.hash * 31 + car.stops[f] * FLOORS + f) & 0xFFFFFF;
        car.stops[f] = 0;
        while (h.waiting[f] > 0 && car.load < ROOM) {
            int to = 0;
            if (phase != 2 || f == 0) {
                to = rnd(FLOORS - 1);
                if (to >= f) to++;
            }
            h.waiting[f]--;
            car.stops[to]++;
            car.load++;
        }
        release(h, f);
    }

    static void leave(Car car) {
        for (int f = car.floor + 1; f < FLOORS; f++)
            if (car.stops[f] > 0) { start(car, UP); return; }
        if (car.load > 0) start(car, DOWN);
        else car.state = IDLE;
    }

    static void simulate(House h, Car[] cars, int ticks) {
        int phase = 0, gap = 0;
        for (int t = 0; t < ticks; t++) {
            if (gap == 0) {
                phase = t % DAY / (DAY / 4);
                come(h, phase);
                gap = gaps[phase] + rnd(gaps[phase]);
            }
            gap--;
            for (Car car : cars) {
                switch (car.state) {
                case IDLE: if (h.calls > 0) answer(h, car); break;
                case UP: if (--car.timer == 0) { car.floor++; pass(h, car); } break;
                case DOWN: if (--car.timer == 0) { car.floor--; pass(h, car); } break;
                case DOORS: if (--car.timer == 0) { exchange(h, car, phase); leave(car); } break;
                }
            }
        }
    }

    static long bench(int n) {
        House h = new House();
        Car[] cars = new Car[CARS];
        for (int i = 0; i < CARS; i++) cars[i] = new Car();
        simulate(h, cars, n * DAY);
        return h.hash;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 6000));
    }
}
