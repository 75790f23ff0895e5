final class dijkstra {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int N = 2000, DEGREE = 8;

    static final class Heap {
        final int[] items = new int[N * DEGREE + 2];
        int size;
    }

    static void push(Heap heap, int v) {
        int[] a = heap.items;
        int i = heap.size++;
        while (i > 0) {
            int p = (i - 1) / 2;
            if (a[p] <= v) break;
            a[i] = a[p];
            i = p;
        }
        a[i] = v;
    }

    static int pop(Heap heap) {
        int[] a = heap.items;
        int top = a[0], size = --heap.size, v = a[size], i = 0;
        for (;;) {
            int c = 2 * i + 1;
            if (c >= size) break;
            if (c + 1 < size && a[c + 1] < a[c]) c++;
            if (a[c] >= v) break;
            a[i] = a[c];
            i = c;
        }
        a[i] = v;
        return top;
    }

    static void shortest(Heap heap, int[] target, int[] weight, int[] dist, int source) {
        java.util.Arrays.fill(dist, 1000000);
        dist[source] = 0;
        heap.size = 0;
        push(heap, source);
        while (heap.size > 0) {
            int top = pop(heap), d = top / 2048, u = top % 2048;
            if (d > dist[u]) continue;
            for (int k = u * DEGREE; k < u * DEGREE + DEGREE; k++) {
                int v = target[k], candidate = d + weight[k];
                if (candidate < dist[v]) {
                    dist[v] = candidate;
                    push(heap, candidate * 2048 + v);
                }
            }
        }
    }

    static long bench(int n) {
        int[] target = new int[N * DEGREE], weight = new int[N * DEGREE], dist = new int[N];
        for (int i = 0; i < N * DEGREE; i++) {
            target[i] = rnd(N);
            weight[i] = 1 + rnd(100);
        }
        Heap heap = new Heap();
        long sum = 0;
        for (int r = 0; r < n; r++) {
            shortest(heap, target, weight, dist, r % N);
            for (int d : dist) sum += d;
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 1600));
    }
}
