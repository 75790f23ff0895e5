final class equalizer {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int BLOCK = 1024;
    static final int GAIN = 0, LOWPASS = 1, HIGHPASS = 2, PEAK = 3, LIMIT = 4;

    static final class Band {
        final int kind;
        final double amount;
        double last, before;

        Band(int kind, double amount) {
            this.kind = kind;
            this.amount = amount;
        }
    }

    static double sample() { return (rnd(2000) - 1000) / 1000.0; }

    static double equalize(Band[] bands, double[] samples) {
        double sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            double x = samples[i];
            for (Band band : bands) {
                switch (band.kind) {
                case GAIN:
                    x *= band.amount;
                    break;
                case LOWPASS:
                    band.last += (x - band.last) * band.amount;
                    x = band.last;
                    break;
                case HIGHPASS:
                    band.last += (x - band.last) * band.amount;
                    x -= band.last;
                    break;
                case PEAK:
                    double y = x + band.amount * (band.last - band.before * 0.5);
                    band.before = band.last;
                    band.last = y * 0.5;
                    x = y;
                    break;
                case LIMIT:
                    if (x > band.amount) x = band.amount;
                    else if (x < -band.amount) x = -band.amount;
                    break;
                }
            }
            sum += Math.abs(x);
        }
        return sum;
    }

    static long bench(int n) {
        Band[] bands = {
            new Band(GAIN, 0.875), new Band(HIGHPASS, 0.03125), new Band(PEAK, 0.25), new Band(LOWPASS, 0.375),
            new Band(LIMIT, 0.9375),
        };
        double[] samples = new double[BLOCK];
        for (int i = 0; i < BLOCK; i++) samples[i] = sample();
        double sum = 0;
        for (int r = 0; r < n; r++) {
            samples[rnd(BLOCK)] = sample();
            sum += equalize(bands, samples);
        }
        return (long) Math.floor(sum * 1000.0);
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 40000));
    }
}
