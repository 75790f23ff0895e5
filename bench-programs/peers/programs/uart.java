final class uart {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int FRAMES = 2048, SAMPLES = 4;
    static final int IDLE = 0, START = 1, DATA = 2, PARITY = 3, STOP = 4;

    static final class Port { int state, wait, bits, shift, parity, got, errors, sum; }

    static void receive(Port p, byte[] line, int size) {
        for (int i = 0; i < size; i++) {
            int level = line[i];
            if (p.wait > 0) {
                p.wait--;
                continue;
            }
            switch (p.state) {
            case IDLE:
                if (level == 0) {
                    p.state = START;
                    p.wait = SAMPLES / 2 - 1;
                }
                break;
            case START:
                if (level == 0) {
                    p.state = DATA;
                    p.bits = 0;
                    p.shift = 0;
                    p.parity = 0;
                    p.wait = SAMPLES - 1;
                } else {
                    p.state = IDLE;
                }
                break;
            case DATA:
                p.shift = p.shift >> 1 | level << 7;
                p.parity ^= level;
                p.bits++;
                if (p.bits == 8) p.state = PARITY;
                p.wait = SAMPLES - 1;
                break;
            case PARITY:
                if (p.parity != level) p.errors++;
                p.state = STOP;
                p.wait = SAMPLES - 1;
                break;
            case STOP:
                if (level == 1) {
                    p.got++;
                    p.sum = (p.sum * 31 + p.shift) & 0xFFFFFF;
                } else {
                    p.errors++;
                }
                p.state = IDLE;
                break;
            }
        }
    }

    static int generate(byte[] line) {
        java.util.Arrays.fill(line, (byte) 1);
        int at = 0;
        for (int f = 0; f < FRAMES; f++) {
            int data = rnd(256), odd = Integer.bitCount(data) & 1;
            for (int b = 0; b < 11; b++) {
                int level = b == 0 ? 0 : b <= 8 ? data >> (b - 1) & 1 : b == 9 ? odd : 1;
                for (int s = 0; s < SAMPLES; s++) line[at++] = (byte) level;
            }
            if (rnd(16) == 0) at += rnd(8);
        }
        return at;
    }

    static long bench(int n) {
        byte[] line = new byte[FRAMES * 13 * SAMPLES];
        int size = generate(line);
        Port p = new Port();
        for (int r = 0; r < n; r++) receive(p, line, size);
        return (p.sum * 31L + p.got * 7L + p.errors) & 0xFFFFFFFFL;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 8000));
    }
}
