final class imagefilter {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int WIDTH = 160, HEIGHT = 120;
    static final int BLUR = 0, SHARPEN = 1, MEDIAN = 2, EDGES = 3, THRESHOLD = 4;
    static final int BLACK = 0, NEAREST = 1, WRAP = 2;
    static final int[][] weights = {{1, 2, 1, 2, 4, 2, 1, 2, 1}, {0, -1, 0, -1, 8, -1, 0, -1, 0}};

    static final class Image {
        final byte[] pixels = new byte[WIDTH * HEIGHT];
        final int mode, border;

        Image(int mode, int border) {
            this.mode = mode;
            this.border = border;
            for (int i = 0; i < pixels.length; i++) pixels[i] = (byte) (i % WIDTH + rnd(20));
            for (int shape = 0; shape < 30; shape++) {
                int x = rnd(WIDTH - 30), y = rnd(HEIGHT - 20), shade = rnd(256);
                for (int dy = 0; dy < 20; dy++) {
                    for (int dx = 0; dx < 30; dx++) pixels[(y + dy) * WIDTH + x + dx] = (byte) (shade + dx);
                }
            }
        }
    }

    static int pixel(Image image, int x, int y) {
        if (x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT) return image.pixels[y * WIDTH + x] & 255;
        switch (image.border) {
        case NEAREST: {
            int cy = Math.min(Math.max(y, 0), HEIGHT - 1), cx = Math.min(Math.max(x, 0), WIDTH - 1);
            return image.pixels[cy * WIDTH + cx] & 255;
        }
        case WRAP: return image.pixels[(y + HEIGHT) % HEIGHT * WIDTH + (x + WIDTH) % WIDTH] & 255;
        default: return 0;
        }
    }

    static int convolve(int[] near, int[] weight) {
        int sum = 0;
        for (int i = 0; i < 9; i++) sum += near[i] * weight[i];
        return sum;
    }

    static int median(int[] near) {
        for (int i = 1; i < 9; i++) {
            int v = near[i], k = i;
            for (; k > 0 && near[k - 1] > v; k--) near[k] = near[k - 1];
            near[k] = v;
        }
        return near[4];
    }

    static void filter(Image image, byte[] out, int[] near) {
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                for (int i = 0; i < 9; i++) near[i] = pixel(image, x + i % 3 - 1, y + i / 3 - 1);
                int v;
                switch (image.mode) {
                case BLUR: v = convolve(near, weights[0]) / 16; break;
                case SHARPEN: v = Math.min(Math.max(convolve(near, weights[1]) / 4, 0), 255); break;
                case MEDIAN: v = median(near); break;
                case EDGES: {
                    int gx = near[2] + 2 * near[5] + near[8] - near[0] - 2 * near[3] - near[6];
                    int gy = near[6] + 2 * near[7] + near[8] - near[0] - 2 * near[1] - near[2];
                    v = Math.min(Math.abs(gx) + Math.abs(gy), 255);
                    break;
                }
                default: v = near[4] * 16 > convolve(near, weights[0]) ? 255 : 0;
                }
                out[y * WIDTH + x] = (byte) v;
            }
        }
    }

    static long bench(int n) {
        Image[] album = {
            new Image(BLUR, NEAREST), new Image(MEDIAN, NEAREST), new Image(EDGES, BLACK), new Image(MEDIAN, WRAP),
            new Image(SHARPEN, NEAREST), new Image(THRESHOLD, BLACK), new Image(BLUR, WRAP),
        };
        byte[] out = new byte[WIDTH * HEIGHT];
        int[] near = new int[9];
        long sum = 0;
        for (int r = 0; r < n; r++) {
            for (Image image : album) {
                filter(image, out, near);
                for (int i = 0; i < out.length; i += 7) sum += (out[i] & 255) * (i & 15);
                image.pixels[r * 131 % out.length] = (byte) r;
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 90));
    }
}
