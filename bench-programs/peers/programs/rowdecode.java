final class rowdecode {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int ROWS = 1000, FIELDS = 8;
    static final int PLAIN = 0, SIGNED = 1, DELTA = 2, RUN = 3, FIXED = 4, TEXT = 5;
    static final int[] last = new int[FIELDS], left = new int[FIELDS];

    static final class Table {
        final int[] schema, absent;
        final byte[] data = new byte[ROWS * FIELDS * 10];
        int size;

        Table(int[] schema, int[] absent) {
            this.schema = schema;
            this.absent = absent;
        }
    }

    static final class Reader {
        final byte[] data;
        int pos;

        Reader(byte[] data) { this.data = data; }
    }

    static void put(Table t, int b) { t.data[t.size++] = (byte) b; }

    static void putPlain(Table t, int n) {
        for (; n >= 128; n >>= 7) put(t, n & 127 | 128);
        put(t, n);
    }

    static void putField(Table t, int f) {
        switch (t.schema[f]) {
        case PLAIN: putPlain(t, rnd(8) == 0 ? rnd(5000) : rnd(128)); break;
        case SIGNED: putPlain(t, rnd(6000)); break;
        case DELTA: putPlain(t, rnd(40)); break;
        case RUN:
            if (left[f] == 0) {
                left[f] = 10 + rnd(40);
                putPlain(t, left[f]);
                putPlain(t, rnd(5));
            }
            left[f]--;
            break;
        case FIXED: for (int i = 0; i < 4; i++) put(t, i < 3 ? rnd(256) : 0); break;
        default: {
            int length = 4 + rnd(3) * rnd(3);
            putPlain(t, length);
            for (int i = 0; i < length; i++) put(t, 'a' + rnd(26));
        }
        }
    }

    static Table encode(int[] schema, int[] absent) {
        Table t = new Table(schema, absent);
        java.util.Arrays.fill(left, 0);
        for (int row = 0; row < ROWS; row++) {
            int start = t.size;
            put(t, 0);
            for (int f = 0; f < FIELDS; f++) {
                if (rnd(100) < absent[f]) t.data[start] |= (byte) (1 << f); else putField(t, f);
            }
        }
        return t;
    }

    static int plain(Reader r) {
        int value = 0;
        for (int shift = 0;; shift += 7) {
            int b = r.data[r.pos++] & 255;
            value |= (b & 127) << shift;
            if (b < 128) return value;
        }
    }

    static int signed(Reader r) {
        int n = plain(r);
        return n >> 1 ^ -(n & 1);
    }

    static int fixed(Reader r) {
        r.pos += 4;
        return r.data[r.pos - 4] & 255 | (r.data[r.pos - 3] & 255) << 8 | (r.data[r.pos - 2] & 255) << 16
            | (r.data[r.pos - 1] & 255) << 24;
    }

    static int run(Reader r, int f) {
        if (left[f] == 0) {
            left[f] = plain(r);
            last[f] = plain(r);
        }
        left[f]--;
        return last[f];
    }

    static int delta(Reader r, int f) {
        last[f] += signed(r);
        return last[f];
    }

    static int textHash(Reader r) {
        int hash = 0;
        for (int i = plain(r); i > 0; i--) hash = (hash * 31 + (r.data[r.pos++] & 255)) & 0xFFFFFF;
        return hash;
    }

    static int decode(Table t, int[][] columns) {
        Reader r = new Reader(t.data);
        int absentFields = 0;
        java.util.Arrays.fill(last, 0);
        java.util.Arrays.fill(left, 0);
        for (int row = 0; row < ROWS; row++) {
            int absent = r.data[r.pos++] & 255;
            for (int f = 0; f < FIELDS; f++) {
                if ((absent >> f & 1) == 1) {
                    absentFields++;
                    columns[f][row] = -1;
                    continue;
                }
                int v;
                switch (t.schema[f]) {
                case PLAIN: v = plain(r); break;
                case SIGNED: v = signed(r); break;
                case DELTA: v = delta(r, f); break;
                case RUN: v = run(r, f); break;
                case FIXED: v = fixed(r); break;
                default: v = textHash(r);
                }
                columns[f][row] = v;
            }
        }
        return absentFields + r.pos;
    }

    static long bench(int n) {
        Table[] tables = {
            encode(new int[] {DELTA, DELTA, RUN, SIGNED, FIXED, TEXT, RUN, PLAIN},
                new int[] {0, 0, 0, 3, 0, 0, 0, 5}),
            encode(new int[] {DELTA, RUN, SIGNED, SIGNED, SIGNED, FIXED, PLAIN, PLAIN},
                new int[] {0, 0, 0, 0, 2, 0, 0, 0}),
        };
        int[][] columns = new int[FIELDS][ROWS];
        long sum = 0;
        for (Table table : tables) {
            for (int r = 0; r < n; r++) {
                sum += decode(table, columns);
                for (int f = 0; f < FIELDS; f++) sum += columns[f][r % ROWS];
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 13000));
    }
}
