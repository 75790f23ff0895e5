final class levenshtein {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int N = 500;

    static int distance(byte[] a, byte[] b, int[] row) {
        for (int j = 0; j <= N; j++) row[j] = j;
        for (int i = 1; i <= N; i++) {
            int diag = row[0];
            row[0] = i;
            for (int j = 1; j <= N; j++) {
                int d = diag + (a[i - 1] != b[j - 1] ? 1 : 0);
                diag = row[j];
                if (diag + 1 < d) d = diag + 1;
                if (row[j - 1] + 1 < d) d = row[j - 1] + 1;
                row[j] = d;
            }
        }
        return row[N];
    }

    static long bench(int n) {
        byte[] a = new byte[N], b = new byte[N];
        for (int i = 0; i < N; i++) {
            a[i] = (byte) rnd(4);
            b[i] = (byte) rnd(4);
        }
        int[] row = new int[N + 1];
        long sum = 0;
        for (int r = 0; r < n; r++) {
            a[r * 7 % N] = (byte) (r & 3);
            sum += distance(a, b, row);
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 2200));
    }
}
