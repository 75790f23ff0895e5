final class mergesort {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int N = 20000;

    static void sort(int[] a, int[] tmp, int lo, int hi) {
        if (hi - lo < 2) return;
        int mid = (lo + hi) / 2;
        sort(a, tmp, lo, mid);
        sort(a, tmp, mid, hi);
        int i = lo, j = mid, k = lo;
        while (i < mid && j < hi) {
            if (a[i] <= a[j]) tmp[k++] = a[i++];
            else tmp[k++] = a[j++];
        }
        while (i < mid) tmp[k++] = a[i++];
        while (j < hi) tmp[k++] = a[j++];
        for (int m = lo; m < hi; m++) a[m] = tmp[m];
    }

    static long bench(int n) {
        int[] source = new int[N], a = new int[N], tmp = new int[N];
        for (int i = 0; i < N; i++) source[i] = rnd(1000000);
        long sum = 0;
        for (int r = 0; r < n; r++) {
            int flip = r & 1023;
            for (int i = 0; i < N; i++) a[i] = source[i] ^ flip;
            sort(a, tmp, 0, N);
            sum += a[r * 37 % N];
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 350));
    }
}
