final class eventsim {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int LINES = 4, STATIONS = 3;
    static final int ARRIVE = 0, START = 1, FINISH = 2, MOVE = 3, FAIL = 4, REPAIR = 5;

    static final class Queue {
        final long[] events = new long[256];
        int size;
    }

    static final class Station {
        int waiting, service, finished;
        boolean busy, broken;
        long idleSince, idle;
    }

    static void schedule(Queue q, long time, int kind, int station) {
        long event = time << 16 | kind << 8 | station;
        int i = q.size++;
        while (i > 0) {
            int parent = (i - 1) / 2;
            if (q.events[parent] <= event) break;
            q.events[i] = q.events[parent];
            i = parent;
        }
        q.events[i] = event;
    }

    static long next(Queue q) {
        long first = q.events[0], event = q.events[--q.size];
        int i = 0;
        for (;;) {
            int child = 2 * i + 1;
            if (child >= q.size) break;
            if (child + 1 < q.size && q.events[child + 1] < q.events[child]) child++;
            if (q.events[child] >= event) break;
            q.events[i] = q.events[child];
            i = child;
        }
        q.events[i] = event;
        return first;
    }

    static int simulate(Queue q, Station[] stations, int count) {
        int hash = 0;
        for (int i = 0; i < count; i++) {
            long event = next(q), now = event >> 16;
            int id = (int) event & 255;
            Station s = stations[id];
            switch ((int) event >> 8 & 255) {
            case ARRIVE:
                s.waiting++;
                schedule(q, now, START, id);
                schedule(q, now + 24, ARRIVE, id);
                break;
            case START:
                if (s.busy || s.broken || s.waiting == 0) continue;
                s.busy = true;
                s.waiting--;
                s.idle += now - s.idleSince;
                schedule(q, now + s.service, FINISH, id);
                break;
            case FINISH:
                s.busy = false;
                s.finished++;
                s.idleSince = now;
                if (s.waiting > 0) schedule(q, now, START, id);
                if (id % STATIONS < STATIONS - 1) schedule(q, now + 3, MOVE, id + 1);
                if (id % STATIONS == 1 && rnd(100) == 0) schedule(q, now + 1, FAIL, id);
                break;
            case MOVE:
                s.waiting++;
                schedule(q, now, START, id);
                break;
            case FAIL:
                if (!s.broken) schedule(q, now + 100 + rnd(100), REPAIR, id);
                s.broken = true;
                break;
            case REPAIR:
                s.broken = false;
                hash = (int) (hash * 31 + now + s.waiting) & 0xFFFFFF;
                if (s.waiting > 0) schedule(q, now, START, id);
                break;
            }
        }
        return hash;
    }

    static long bench(int n) {
        Queue q = new Queue();
        Station[] stations = new Station[LINES * STATIONS];
        for (int i = 0; i < stations.length; i++) {
            stations[i] = new Station();
            stations[i].service = 16 + i % 5;
            if (i % STATIONS == 0) schedule(q, i * 2, ARRIVE, i);
        }
        long sum = 0;
        for (int r = 0; r < n; r++) sum += simulate(q, stations, 1000);
        for (Station s : stations) sum += s.waiting * 3L + s.finished * 5L + s.idle * 7;
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 30000));
    }
}
