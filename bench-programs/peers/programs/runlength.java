final class runlength {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int WIDTH = 256, SIZE = 65536;

    static void paint(byte[] image) {
        for (int i = 0; i < 40; i++) {
            int wide = 32 + rnd(160), high = 16 + rnd(100), x = rnd(WIDTH - wide), y = rnd(WIDTH - high);
            int colour = rnd(256), gap = i % 2 == 0 ? 3 + rnd(4) : 1;
            for (int row = y; row < y + high; row++)
                for (int column = x; column < x + wide; column += gap) image[row * WIDTH + column] = (byte) colour;
        }
        for (int i = 0; i < 12; i++) {
            int row = rnd(WIDTH);
            for (int column = 0; column < WIDTH; column++) image[row * WIDTH + column] = (byte) rnd(256);
        }
    }

    static int flush(byte[] image, int start, int count, byte[] out, int size) {
        if (count == 0) return size;
        out[size] = (byte) (count - 1);
        for (int i = 0; i < count; i++) out[size + 1 + i] = image[start + i];
        return size + 1 + count;
    }

    static int encode(byte[] image, byte[] out) {
        int size = 0, run = 1, literals = 0;
        for (int i = 1; i <= SIZE; i++) {
            if (i < SIZE && image[i] == image[i - 1] && run < 130) {
                run++;
                continue;
            }
            if (run > 2) {
                size = flush(image, i - run - literals, literals, out, size);
                literals = 0;
                out[size] = (byte) (run + 125);
                out[size + 1] = image[i - 1];
                size += 2;
            } else {
                literals += run;
                if (literals > 126) {
                    size = flush(image, i - literals, literals, out, size);
                    literals = 0;
                }
            }
            run = 1;
        }
        return flush(image, SIZE - literals, literals, out, size);
    }

    static int decode(byte[] coded, byte[] image, int start) {
        int hash = start, at = 0, left = 0, value = 0, last = 0, edges = 0, column = 0;
        boolean literal = false;
        for (int i = 0; i < SIZE; i++) {
            if (left == 0) {
                int c = coded[at++] & 255;
                literal = c < 128;
                if (literal) {
                    left = c + 1;
                } else {
                    left = c - 125;
                    value = coded[at++] & 255;
                }
            }
            left--;
            if (literal) value = coded[at++] & 255;
            image[i] = (byte) value;
            if (value != last) {
                edges++;
                last = value;
            }
            if (++column == WIDTH) {
                hash = (hash * 31 + edges * 256 + value) & 0xFFFFFF;
                column = 0;
            }
        }
        return hash;
    }

    static long bench(int n) {
        byte[] image = new byte[SIZE], copied = new byte[SIZE], coded = new byte[2 * SIZE];
        int sum = 0;
        paint(image);
        for (int r = 0; r < n; r++) {
            image[r & 255] = (byte) (r & 15);
            int size = encode(image, coded);
            sum = decode(coded, copied, (sum + size) & 0xFFFFFF);
            sum = (sum + (copied[r * 977 & (SIZE - 1)] & 255)) & 0xFFFFFF;
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 3500));
    }
}
