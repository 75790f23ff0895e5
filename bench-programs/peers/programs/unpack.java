final class unpack {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int HEADERS = 2000, SIZE = 18;

    static int unpack(byte[] format, byte[] data, int from, long[] out) {
        int to = 0;
        for (byte letter : format) {
            switch (letter) {
            case 'b':
                out[to++] = data[from];
                from++;
                break;
            case 'B':
                out[to++] = data[from] & 0xFF;
                from++;
                break;
            case 'h': {
                int v = data[from] & 0xFF | (data[from + 1] & 0xFF) << 8;
                out[to++] = v >= 32768 ? v - 65536 : v;
                from += 2;
                break;
            }
            case 'H':
                out[to++] = data[from] & 0xFF | (data[from + 1] & 0xFF) << 8;
                from += 2;
                break;
            case 'I':
                out[to++] = data[from] & 0xFF | (data[from + 1] & 0xFF) << 8 | (data[from + 2] & 0xFF) << 16
                    | (data[from + 3] & 0xFFL) << 24;
                from += 4;
                break;
            case 'x':
                from++;
                break;
            }
        }
        return from;
    }

    static long bench(int n) {
        byte[] format = "HHBxIhBBI".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        byte[] data = new byte[HEADERS * SIZE];
        for (int i = 0; i < HEADERS * SIZE; i++) data[i] = (byte) rnd(256);
        for (int i = 0; i < HEADERS; i++) if (rnd(32) != 0) data[i * SIZE + 11] &= 127;
        long[] out = new long[16];
        long sum = 0;
        for (int r = 0; r < n; r++) {
            data[rnd(HEADERS) * SIZE] = (byte) rnd(256);
            int at = 0;
            for (int i = 0; i < HEADERS; i++) {
                at = unpack(format, data, at, out);
                sum = (sum + out[0] * 3 + out[3] + out[4] * 5 + out[7]) & 0xFFFFFFFFL;
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 14000));
    }
}
