final class kmeans {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int N = 1000, K = 8;

    static long bench(int n) {
        double[] px = new double[N], py = new double[N], pz = new double[N];
        double[] cx = new double[K], cy = new double[K], cz = new double[K];
        double[] sx = new double[K], sy = new double[K], sz = new double[K];
        int[] count = new int[K];
        for (int i = 0; i < N; i++) {
            px[i] = rnd(1000) / 10.0 + i % 5 * 30;
            py[i] = rnd(1000) / 10.0 + i % 3 * 40;
            pz[i] = rnd(1000) / 10.0 + i % 2 * 50;
        }
        for (int k = 0; k < K; k++) {
            cx[k] = px[k * 7];
            cy[k] = py[k * 7];
            cz[k] = pz[k * 7];
        }
        for (int r = 0; r < n; r++) {
            for (int k = 0; k < K; k++) {
                sx[k] = sy[k] = sz[k] = 0;
                count[k] = 0;
            }
            for (int i = 0; i < N; i++) {
                double x = px[i], y = py[i], z = pz[i], best = 1e30;
                int nearest = 0;
                for (int k = 0; k < K; k++) {
                    double dx = x - cx[k], dy = y - cy[k], dz = z - cz[k];
                    double d = dx * dx + dy * dy + dz * dz;
                    if (d < best) {
                        best = d;
                        nearest = k;
                    }
                }
                sx[nearest] += x;
                sy[nearest] += y;
                sz[nearest] += z;
                count[nearest]++;
            }
            for (int k = 0; k < K; k++) {
                if (count[k] > 0) {
                    cx[k] = sx[k] / count[k];
                    cy[k] = sy[k] / count[k];
                    cz[k] = sz[k] / count[k];
                }
            }
            px[r % N] += 0.5;
        }
        double sum = 0;
        for (int k = 0; k < K; k++) sum += cx[k] + cy[k] + cz[k];
        return (long) Math.floor(sum * 1e6);
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 50000));
    }
}
