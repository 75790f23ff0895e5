final class base64 {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int SIZE = 24576, LINE = 76;
    static final byte[] letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);

    static final class Coder { int state, rest, column; }

    static int encode(Coder c, byte[] src, int size, byte[] dst) {
        int out = 0;
        for (int i = 0; i < size; i++) {
            int b = src[i] & 0xFF;
            switch (c.state) {
            case 0:
                dst[out++] = letters[b >> 2];
                c.rest = (b & 3) << 4;
                c.state = 1;
                break;
            case 1:
                dst[out++] = letters[c.rest | b >> 4];
                c.rest = (b & 15) << 2;
                c.state = 2;
                break;
            default:
                dst[out++] = letters[c.rest | b >> 6];
                dst[out++] = letters[b & 63];
                c.state = 0;
                c.column += 4;
                if (c.column == LINE) {
                    dst[out++] = '\n';
                    c.column = 0;
                }
            }
        }
        return out;
    }

    static int decode(Coder c, int[] values, byte[] src, int size, byte[] dst) {
        int out = 0;
        for (int i = 0; i < size; i++) {
            int v = values[src[i] & 0xFF];
            if (v < 0) continue;
            switch (c.state) {
            case 0:
                c.rest = v << 2;
                c.state = 1;
                break;
            case 1:
                dst[out++] = (byte) (c.rest | v >> 4);
                c.rest = (v & 15) << 4;
                c.state = 2;
                break;
            case 2:
                dst[out++] = (byte) (c.rest | v >> 2);
                c.rest = (v & 3) << 6;
                c.state = 3;
                break;
            default:
                dst[out++] = (byte) (c.rest | v);
                c.state = 0;
            }
        }
        return out;
    }

    static long bench(int n) {
        byte[] data = new byte[SIZE], coded = new byte[SIZE * 2], back = new byte[SIZE + 4];
        for (int i = 0; i < SIZE; i++) data[i] = (byte) rnd(256);
        int[] values = new int[256];
        java.util.Arrays.fill(values, -1);
        for (int i = 0; i < 64; i++) values[letters[i]] = i;
        long sum = 0;
        for (int r = 0; r < n; r++) {
            data[rnd(SIZE)] = (byte) rnd(256);
            int size = encode(new Coder(), data, SIZE, coded), read = decode(new Coder(), values, coded, size, back);
            sum = (sum * 31 + size + read + (coded[rnd(size)] & 0xFF) + (back[rnd(read)] & 0xFF)) & 0xFFFFFFFFL;
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 8000));
    }
}
