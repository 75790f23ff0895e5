final class utf8 {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int SIZE = 49152;

    static final class Found { int letters, bad, sum; }

    static int put(byte[] out, int at, int c) {
        if (c < 0x80) {
            out[at++] = (byte) c;
        } else if (c < 0x800) {
            out[at++] = (byte) (0xC0 | c >> 6);
            out[at++] = (byte) (0x80 | c & 63);
        } else {
            out[at++] = (byte) (0xE0 | c >> 12);
            out[at++] = (byte) (0x80 | c >> 6 & 63);
            out[at++] = (byte) (0x80 | c & 63);
        }
        return at;
    }

    static int generate(byte[] data) {
        int size = 0, script = 0;
        while (size < SIZE) {
            int end = Math.min(SIZE, size + 3000 + rnd(6000));
            while (size < end) {
                int c;
                switch (script) {
                case 0: c = 32 + rnd(95); break;
                case 1: c = 0x410 + rnd(64); break;
                default: c = 0x4E00 + rnd(8000);
                }
                size = put(data, size, c);
            }
            script = (script + 1) % 3;
        }
        return size;
    }

    static void decode(byte[] src, int size, Found found) {
        int need = 0, code = 0;
        for (int i = 0; i < size; i++) {
            int b = src[i] & 0xFF;
            if (need == 0) {
                if (b < 0x80) {
                    found.letters++;
                    found.sum = (found.sum + b) & 0xFFFFFFF;
                } else if (b < 0xC0) {
                    found.bad++;
                } else if (b < 0xE0) {
                    need = 1;
                    code = b & 31;
                } else if (b < 0xF0) {
                    need = 2;
                    code = b & 15;
                } else {
                    found.bad++;
                }
            } else if ((b & 0xC0) == 0x80) {
                code = code << 6 | b & 63;
                need--;
                if (need == 0) {
                    found.letters++;
                    found.sum = (found.sum + code) & 0xFFFFFFF;
                }
            } else {
                found.bad++;
                need = 0;
            }
        }
    }

    static long bench(int n) {
        byte[] data = new byte[SIZE + 8];
        int size = generate(data);
        Found found = new Found();
        for (int r = 0; r < n; r++) decode(data, size, found);
        return (found.sum * 31L + found.letters + found.bad * 7L) & 0xFFFFFFFFL;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 8000));
    }
}
