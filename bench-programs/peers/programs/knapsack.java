final class knapsack {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int ITEMS = 100, CAPACITY = 10000;

    static int pack(int[] weight, int[] value, int[] best) {
        java.util.Arrays.fill(best, 0);
        for (int i = 0; i < ITEMS; i++) {
            int wi = weight[i], vi = value[i];
            for (int w = CAPACITY; w >= wi; w--) {
                int t = best[w - wi] + vi;
                if (t > best[w]) best[w] = t;
            }
        }
        return best[CAPACITY];
    }

    static long bench(int n) {
        int[] weight = new int[ITEMS], value = new int[ITEMS], best = new int[CAPACITY + 1];
        for (int i = 0; i < ITEMS; i++) {
            weight[i] = 50 + rnd(500);
            value[i] = 1 + rnd(1000);
        }
        long sum = 0;
        for (int r = 0; r < n; r++) {
            int k = r % ITEMS;
            value[k] = 1 + value[k] * 7 % 1000;
            sum += pack(weight, value, best);
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 750));
    }
}
