#include "../lib/bench.h"
#include <stdlib.h>

const i64 default_n = 90;

#define WIDTH 160
#define HEIGHT 120
#define IMAGES 7
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
enum { BLUR, SHARPEN, MEDIAN, EDGES, THRESHOLD };
enum { BLACK, NEAREST, WRAP };

typedef struct { u8 pixels[WIDTH * HEIGHT]; int mode, border; } Image;

static const int weights[2][9] = {{1, 2, 1, 2, 4, 2, 1, 2, 1}, {0, -1, 0, -1, 8, -1, 0, -1, 0}};
static const int settings[] = {
    BLUR, NEAREST, MEDIAN, NEAREST, EDGES, BLACK, MEDIAN, WRAP, SHARPEN, NEAREST, THRESHOLD, BLACK, BLUR, WRAP,
};
static Image album[IMAGES];
static u8 out[WIDTH * HEIGHT];

static void paint(Image *image, int mode, int border) {
    for (int i = 0; i < WIDTH * HEIGHT; i++) image->pixels[i] = i % WIDTH + rnd(20);
    for (int shape = 0; shape < 30; shape++) {
        int x = rnd(WIDTH - 30), y = rnd(HEIGHT - 20), shade = rnd(256);
        for (int dy = 0; dy < 20; dy++)
            for (int dx = 0; dx < 30; dx++) image->pixels[(y + dy) * WIDTH + x + dx] = shade + dx;
    }
    image->mode = mode;
    image->border = border;
}

static int pixel(const Image *image, int x, int y) {
    if (x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT) return image->pixels[y * WIDTH + x];
    switch (image->border) {
    case NEAREST: {
        int cy = MIN(MAX(y, 0), HEIGHT - 1), cx = MIN(MAX(x, 0), WIDTH - 1);
        return image->pixels[cy * WIDTH + cx];
    }
    case WRAP: return image->pixels[(y + HEIGHT) % HEIGHT * WIDTH + (x + WIDTH) % WIDTH];
    default: return 0;
    }
}

static int convolve(const int *near, const int *weight) {
    int sum = 0;
    for (int i = 0; i < 9; i++) sum += near[i] * weight[i];
    return sum;
}

static int median(int *near) {
    for (int i = 1; i < 9; i++) {
        int v = near[i], k = i;
        for (; k > 0 && near[k - 1] > v; k--) near[k] = near[k - 1];
        near[k] = v;
    }
    return near[4];
}

static int sharpened(int v) { return MIN(MAX(v, 0), 255); }

static void filter(const Image *image, u8 *out, int *near) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            for (int i = 0; i < 9; i++) near[i] = pixel(image, x + i % 3 - 1, y + i / 3 - 1);
            int v;
            switch (image->mode) {
            case BLUR: v = convolve(near, weights[0]) / 16; break;
            case SHARPEN: v = sharpened(convolve(near, weights[1]) / 4); break;
            case MEDIAN: v = median(near); break;
            case EDGES: {
                int gx = near[2] + 2 * near[5] + near[8] - near[0] - 2 * near[3] - near[6];
                int gy = near[6] + 2 * near[7] + near[8] - near[0] - 2 * near[1] - near[2];
                int g = abs(gx) + abs(gy);
                v = MIN(g, 255);
                break;
            }
            default: v = near[4] * 16 > convolve(near, weights[0]) ? 255 : 0;
            }
            out[y * WIDTH + x] = v;
        }
}

i64 bench(i64 n) {
    int near[9];
    for (int i = 0; i < IMAGES; i++) paint(&album[i], settings[2 * i], settings[2 * i + 1]);
    i64 sum = 0;
    for (i64 r = 0; r < n; r++)
        for (int k = 0; k < IMAGES; k++) {
            filter(&album[k], out, near);
            for (int i = 0; i < WIDTH * HEIGHT; i += 7) sum += out[i] * (i & 15);
            album[k].pixels[r * 131 % (WIDTH * HEIGHT)] = r;
        }
    return sum;
}
