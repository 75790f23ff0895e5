final class life {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int N = 128, CELLS = N * N;

    static void generation(byte[] g, byte[] o) {
        for (int y = 0; y < N; y++) {
            int up = (y + N - 1) % N * N, row = y * N, down = (y + 1) % N * N;
            for (int x = 0; x < N; x++) {
                int l = (x + N - 1) % N, r = (x + 1) % N;
                int s = g[up + l] + g[up + x] + g[up + r] + g[row + l] + g[row + r]
                    + g[down + l] + g[down + x] + g[down + r];
                o[row + x] = (byte) (s == 3 || s == 2 && g[row + x] == 1 ? 1 : 0);
            }
        }
    }

    static long bench(int n) {
        byte[][] grids = new byte[2][CELLS];
        for (int i = 0; i < CELLS; i++) grids[0][i] = (byte) (rnd(3) == 0 ? 1 : 0);
        int current = 0;
        for (int r = 0; r < n; r++) {
            generation(grids[current], grids[1 - current]);
            current = 1 - current;
            grids[current][r * 131 % CELLS] = 1;
        }
        byte[] last = grids[current];
        long sum = 0;
        for (int i = 0; i < CELLS; i++) sum += last[i] * (i % 101 + 1);
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 9000));
    }
}
