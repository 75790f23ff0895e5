final class records {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int RECORDS = 1000, FIELDS = 7;
    static final int VARINT = 0, ZIGZAG = 1, BOOLEAN = 2, FIXED = 3, TEXT = 4, DELTA = 5;

    static final int[] kinds = {DELTA, FIXED, BOOLEAN, VARINT, TEXT, ZIGZAG, BOOLEAN};

    static int put_varint(byte[] out, int at, int v) {
        while (v >= 128) {
            out[at++] = (byte) (v & 127 | 128);
            v >>= 7;
        }
        out[at++] = (byte) v;
        return at;
    }

    static int write_records(int[] kinds, int[] values, byte[] names, byte[] out) {
        int at = 0, before = 0;
        for (int r = 0; r < RECORDS; r++) {
            for (int f = 0; f < FIELDS; f++) {
                int value = values[r * FIELDS + f], kind = kinds[f];
                out[at++] = (byte) (f << 3 | kind);
                switch (kind) {
                case VARINT:
                    at = put_varint(out, at, value);
                    break;
                case ZIGZAG:
                    at = put_varint(out, at, value << 1 ^ value >> 31);
                    break;
                case BOOLEAN:
                    out[at++] = (byte) (value & 1);
                    break;
                case FIXED:
                    out[at] = (byte) value;
                    out[at + 1] = (byte) (value >> 8);
                    out[at + 2] = (byte) (value >> 16);
                    out[at + 3] = (byte) (value >> 24);
                    at += 4;
                    break;
                case TEXT:
                    out[at++] = 8;
                    for (int i = 0; i < 8; i++) out[at + i] = names[value * 8 + i];
                    at += 8;
                    break;
                case DELTA:
                    at = put_varint(out, at, value - before);
                    before = value;
                    break;
                }
            }
        }
        return at;
    }

    static long bench(int n) {
        int[] values = new int[RECORDS * FIELDS];
        for (int r = 0; r < RECORDS; r++) {
            int to = r * FIELDS;
            values[to] = r * 3 + rnd(3);
            values[to + 1] = lcg();
            values[to + 2] = rnd(2);
            values[to + 3] = 20 + rnd(60);
            values[to + 4] = rnd(16);
            values[to + 5] = rnd(100) - 50;
            values[to + 6] = rnd(2);
        }
        byte[] names = new byte[128], out = new byte[RECORDS * FIELDS * 10];
        for (int i = 0; i < 128; i++) names[i] = (byte) ('a' + rnd(26));
        long sum = 0;
        for (int r = 0; r < n; r++) {
            values[rnd(RECORDS) * FIELDS + 3] = rnd(80);
            int size = write_records(kinds, values, names, out);
            sum = (sum * 31 + size + (out[rnd(size)] & 0xFF)) & 0xFFFFFFFFL;
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 20000));
    }
}
