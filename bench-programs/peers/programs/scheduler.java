import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

final class scheduler {
    static final int TASKS = 2000;
    static final int WORKERS = 4;

    static final class Task {
        final int id, cost;
        final List<Integer> next = new ArrayList<>();
        int priority;
        int missing = 0;

        Task(int id, int priority, int cost) {
            this.id = id;
            this.priority = priority;
            this.cost = cost;
        }
    }

    record End(int time, int id) {}

    static long seed = 42;

    static int rnd(int m) {
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFFL;
        return (int) (seed >> 8) % m;
    }

    static List<Task> plan() {
        List<Task> tasks = new ArrayList<>();
        for (int id = 0; id < TASKS; id++) {
            Task task = new Task(id, rnd(10), 1 + rnd(50));
            if (id > 20) {
                for (int k = rnd(4); k > 0; k--) {
                    tasks.get(id - 1 - rnd(20)).next.add(id);
                    task.missing++;
                }
            }
            tasks.add(task);
        }
        return tasks;
    }

    static int run(List<Task> tasks) {
        PriorityQueue<Task> ready = new PriorityQueue<>(
            (a, b) -> a.priority != b.priority ? Integer.compare(b.priority, a.priority) : Integer.compare(a.id, b.id));
        PriorityQueue<End> running = new PriorityQueue<>(Comparator.comparingInt(End::time).thenComparingInt(End::id));
        for (Task task : tasks) if (task.missing == 0) ready.add(task);
        int now = 0, busy = 0, order = 0;
        for (;;) {
            while (busy < WORKERS) {
                Task task = ready.poll();
                if (task == null) break;
                running.add(new End(now + task.cost, task.id));
                busy++;
            }
            End ended = running.poll();
            if (ended == null) return now + order;
            now = ended.time;
            busy--;
            order = (order * 31 + ended.id) & 0xFFFFF;
            Task done = tasks.get(ended.id);
            if (done.priority == 0 && rnd(16) == 0) {
                done.priority = 5;
                ready.add(done);
                continue;
            }
            for (int id : done.next) {
                Task next = tasks.get(id);
                if (--next.missing == 0) ready.add(next);
            }
            if (rnd(8) == 0) {
                Task extra = new Task(tasks.size(), rnd(5), 1 + rnd(9));
                tasks.add(extra);
                ready.add(extra);
            }
        }
    }

    static long bench(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            List<Task> tasks = plan();
            sum = (sum * 31 + run(tasks) + tasks.size()) & 0xFFFFFFFFL;
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 800));
    }
}
