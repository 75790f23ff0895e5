import sys

seed = 42


def lcg():
    global seed
    seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    return seed


def rnd(m):
    return (lcg() >> 8) % m


WIDTH, HEIGHT = 160, 120
BLUR, SHARPEN, MEDIAN, EDGES, THRESHOLD = range(5)
BLACK, NEAREST, WRAP = range(3)
weights = [[1, 2, 1, 2, 4, 2, 1, 2, 1], [0, -1, 0, -1, 8, -1, 0, -1, 0]]


class Image:
    def __init__(self, mode, border):
        self.mode = mode
        self.border = border
        self.pixels = pixels = [0] * (WIDTH * HEIGHT)
        for i in range(WIDTH * HEIGHT):
            pixels[i] = i % WIDTH + rnd(20)
        for shape in range(30):
            x = rnd(WIDTH - 30)
            y = rnd(HEIGHT - 20)
            shade = rnd(256)
            for dy in range(20):
                for dx in range(30):
                    pixels[(y + dy) * WIDTH + x + dx] = (shade + dx) & 255


def pixel(image, x, y):
    if 0 <= x < WIDTH and 0 <= y < HEIGHT:
        return image.pixels[y * WIDTH + x]
    if image.border == NEAREST:
        return image.pixels[min(max(y, 0), HEIGHT - 1) * WIDTH + min(max(x, 0), WIDTH - 1)]
    if image.border == WRAP:
        return image.pixels[(y + HEIGHT) % HEIGHT * WIDTH + (x + WIDTH) % WIDTH]
    return 0


def convolve(near, weight):
    total = 0
    for i in range(9):
        total += near[i] * weight[i]
    return total


def median(near):
    for i in range(1, 9):
        v = near[i]
        k = i
        while k > 0 and near[k - 1] > v:
            near[k] = near[k - 1]
            k -= 1
        near[k] = v
    return near[4]


def apply_filter(image, out, near):
    mode = image.mode
    for y in range(HEIGHT):
        for x in range(WIDTH):
            for i in range(9):
                near[i] = pixel(image, x + i % 3 - 1, y + i // 3 - 1)
            if mode == BLUR:
                v = convolve(near, weights[0]) // 16
            elif mode == SHARPEN:
                v = min(max(convolve(near, weights[1]) // 4, 0), 255)
            elif mode == MEDIAN:
                v = median(near)
            elif mode == EDGES:
                gx = near[2] + 2 * near[5] + near[8] - near[0] - 2 * near[3] - near[6]
                gy = near[6] + 2 * near[7] + near[8] - near[0] - 2 * near[1] - near[2]
                v = min(abs(gx) + abs(gy), 255)
            else:
                v = 255 if near[4] * 16 > convolve(near, weights[0]) else 0
            out[y * WIDTH + x] = v


def bench(n):
    album = [
        Image(BLUR, NEAREST), Image(MEDIAN, NEAREST), Image(EDGES, BLACK), Image(MEDIAN, WRAP),
        Image(SHARPEN, NEAREST), Image(THRESHOLD, BLACK), Image(BLUR, WRAP),
    ]
    out, near = [0] * (WIDTH * HEIGHT), [0] * 9
    total = 0
    for r in range(n):
        for image in album:
            apply_filter(image, out, near)
            for i in range(0, WIDTH * HEIGHT, 7):
                total += out[i] * (i & 15)
            image.pixels[r * 131 % (WIDTH * HEIGHT)] = r & 255
    return total


print(bench(int(sys.argv[1]) if len(sys.argv) > 1 else 90))
