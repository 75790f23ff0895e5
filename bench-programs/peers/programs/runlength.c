#include "../lib/bench.h"

const i64 default_n = 3500;

#define WIDTH 256
#define SIZE 65536
static u8 image[SIZE], copied[SIZE], coded[2 * SIZE];

static void paint(void) {
    for (int i = 0; i < SIZE; i++) image[i] = 0;
    for (int i = 0; i < 40; i++) {
        int wide = 32 + rnd(160), high = 16 + rnd(100), x = rnd(WIDTH - wide), y = rnd(WIDTH - high);
        int colour = rnd(256), gap = i % 2 == 0 ? 3 + rnd(4) : 1;
        for (int row = y; row < y + high; row++)
            for (int column = x; column < x + wide; column += gap) image[row * WIDTH + column] = colour;
    }
    for (int i = 0; i < 12; i++) {
        int row = rnd(WIDTH);
        for (int column = 0; column < WIDTH; column++) image[row * WIDTH + column] = rnd(256);
    }
}

static int flush(int start, int count, int size) {
    if (count == 0) return size;
    coded[size] = count - 1;
    for (int i = 0; i < count; i++) coded[size + 1 + i] = image[start + i];
    return size + 1 + count;
}

static int encode(void) {
    int size = 0, run = 1, literals = 0;
    for (int i = 1; i <= SIZE; i++) {
        if (i < SIZE && image[i] == image[i - 1] && run < 130) {
            run++;
            continue;
        }
        if (run > 2) {
            size = flush(i - run - literals, literals, size);
            literals = 0;
            coded[size] = run + 125;
            coded[size + 1] = image[i - 1];
            size += 2;
        } else {
            literals += run;
            if (literals > 126) {
                size = flush(i - literals, literals, size);
                literals = 0;
            }
        }
        run = 1;
    }
    return flush(SIZE - literals, literals, size);
}

static int decode(int start) {
    int hash = start, at = 0, left = 0, literal = 0, value = 0, last = 0, edges = 0, column = 0;
    for (int i = 0; i < SIZE; i++) {
        if (left == 0) {
            int c = coded[at++];
            literal = c < 128;
            if (literal) {
                left = c + 1;
            } else {
                left = c - 125;
                value = coded[at++];
            }
        }
        left--;
        if (literal) value = coded[at++];
        copied[i] = value;
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

i64 bench(i64 n) {
    int sum = 0;
    paint();
    for (int r = 0; r < n; r++) {
        image[r & 255] = r & 15;
        int size = encode();
        sum = decode((sum + size) & 0xFFFFFF);
        sum = (sum + copied[r * 977 & (SIZE - 1)]) & 0xFFFFFF;
    }
    return sum;
}
