final class crossroads {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int HOUR = 36000, LANES = 4, ROOM = 64;
    static final int GREEN = 0, AMBER = 1, RED = 2;

    static final int[] gaps = {
        900, 1200, 1500, 1500, 900, 400, 150, 60, 32, 60, 110, 120,
        110, 120, 130, 120, 110, 100, 90, 120, 200, 300, 450, 700,
        1200, 1500, 1800, 1800, 1500, 700, 250, 140, 90, 110, 140, 130,
        110, 110, 100, 80, 50, 30, 60, 110, 180, 300, 500, 900,
    };

    static final class Lane {
        int queue, head, next, ready;
        final int[] times = new int[ROOM];
    }

    static long bench(int n) {
        Lane[] lanes = new Lane[LANES];
        for (int i = 0; i < LANES; i++) {
            lanes[i] = new Lane();
            lanes[i].next = i * 50;
        }
        int hour = 6, hour_end = HOUR, side = 0, light = GREEN, light_end = 600, idle = 0;
        int passed = 0, turned = 0, hash = 0, end = n * HOUR;
        long waited = 0;
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
                Lane lane = lanes[i];
                if (t == lane.next) {
                    if (lane.queue < ROOM) {
                        lane.times[(lane.head + lane.queue) & (ROOM - 1)] = t;
                        lane.queue++;
                    } else {
                        turned++;
                    }
                    lane.next = t + 1 + rnd(2 * gaps[(i & 1) * 24 + hour]);
                }
                if (lane.queue > 0) {
                    if (light == GREEN && side == (i & 1)) {
                        if (t >= lane.ready) {
                            int wait = t - lane.times[lane.head];
                            lane.head = (lane.head + 1) & (ROOM - 1);
                            lane.queue--;
                            lane.ready = t + 20;
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

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 2500));
    }
}
