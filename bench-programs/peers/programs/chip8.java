final class chip8 {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int WIDTH = 64, HEIGHT = 32, START = 0x200, TICK = 10;
    static final int[] rom = {
        0x6A08, 0x6B04, 0x6C01, 0x6D01, 0x6E00, 0xA270, 0xDAB3,
        0x221A, 0x2228, 0x223A, 0x2256, 0x2262, 0x120E,
        0xA270, 0xDAB3, 0x8AC4, 0x8BD4, 0xDAB3, 0x8EF4, 0x00EE,
        0x4A38, 0x6CFF, 0x4A00, 0x6C01, 0x4B1D, 0x6DFF, 0x4B00, 0x6D01, 0x00EE,
        0x80E0, 0xA300, 0xF033, 0xF265, 0x8014, 0x8024, 0x6100,
        0x620D, 0x8104, 0x72FF, 0x3200, 0x124A, 0x8913, 0x00EE,
        0x6004, 0xF015, 0xF007, 0x3000, 0x125A, 0x00EE,
        0xC03F, 0xC11F, 0xA273, 0xD011, 0x00EE, 0x0000, 0x0000,
        0x60F0, 0x6080,
    };

    static final class Machine {
        final byte[] mem = new byte[4096], v = new byte[16], screen = new byte[WIDTH * HEIGHT];
        final int[] stack = new int[16];
        int pc = START, i, sp, delay, beeps;

        Machine() {
            for (int i = 0; i < rom.length; i++) {
                mem[START + 2 * i] = (byte) (rom[i] >> 8);
                mem[START + 2 * i + 1] = (byte) rom[i];
            }
        }
    }

    static void draw(Machine m, int x, int y, int rows) {
        int hit = 0;
        for (int r = 0; r < rows; r++) {
            int bits = m.mem[m.i + r] & 255;
            for (int c = 0; c < 8; c++) {
                if ((bits >> (7 - c) & 1) == 1) {
                    int at = (y + r) % HEIGHT * WIDTH + (x + c) % WIDTH;
                    hit |= m.screen[at];
                    m.screen[at] ^= 1;
                }
            }
        }
        m.v[15] = (byte) hit;
    }

    static void arithmetic(byte[] v, int x, int y, int op) {
        int a = v[x] & 255, b = v[y] & 255, sum = op == 5 ? a - b : a + b;
        switch (op) {
        case 0: v[x] = v[y]; break;
        case 1: v[x] |= v[y]; break;
        case 2: v[x] &= v[y]; break;
        case 3: v[x] ^= v[y]; break;
        case 4:
        case 5: v[x] = (byte) sum; v[15] = (byte) (op == 4 ? sum >> 8 : sum >= 0 ? 1 : 0); break;
        default: throw new IllegalStateException("no such operation");
        }
    }

    static void run(Machine m, int count) {
        byte[] mem = m.mem, v = m.v;
        for (int cycle = 0; cycle < count; cycle++) {
            int op = (mem[m.pc] & 255) << 8 | mem[m.pc + 1] & 255;
            int x = op >> 8 & 15, y = op >> 4 & 15, nn = op & 255;
            m.pc += 2;
            switch (op >> 12) {
            case 0x0:
                if (op == 0x00E0) java.util.Arrays.fill(m.screen, (byte) 0);
                else if (op == 0x00EE) m.pc = m.stack[--m.sp];
                break;
            case 0x1: m.pc = op & 0xFFF; break;
            case 0x2: m.stack[m.sp++] = m.pc; m.pc = op & 0xFFF; break;
            case 0x3: if ((v[x] & 255) == nn) m.pc += 2; break;
            case 0x4: if ((v[x] & 255) != nn) m.pc += 2; break;
            case 0x6: v[x] = (byte) nn; break;
            case 0x7: v[x] += (byte) nn; break;
            case 0x8: arithmetic(v, x, y, op & 15); break;
            case 0xA: m.i = op & 0xFFF; break;
            case 0xC: v[x] = (byte) (rnd(256) & nn); break;
            case 0xD: draw(m, v[x] & 255, v[y] & 255, op & 15); break;
            case 0xF:
                switch (nn) {
                case 0x07: v[x] = (byte) m.delay; break;
                case 0x15: m.delay = v[x] & 255; break;
                case 0x18: m.beeps += v[x] & 255; break;
                case 0x1E: m.i = (m.i + (v[x] & 255)) & 0xFFF; break;
                case 0x33: {
                    int value = v[x] & 255;
                    mem[m.i] = (byte) (value / 100);
                    mem[m.i + 1] = (byte) (value / 10 % 10);
                    mem[m.i + 2] = (byte) (value % 10);
                    break;
                }
                case 0x55: System.arraycopy(v, 0, mem, m.i, x + 1); break;
                case 0x65: System.arraycopy(mem, m.i, v, 0, x + 1); break;
                default: throw new IllegalStateException("no such operation");
                }
                break;
            default: throw new IllegalStateException("no such operation");
            }
            if (cycle % TICK == 0 && m.delay > 0) m.delay--;
        }
    }

    static long bench(int n) {
        Machine m = new Machine();
        int sum = 0;
        for (int r = 0; r < n; r++) {
            run(m, 1000);
            sum = (sum * 31 + (m.v[9] & 255) + m.pc) & 0xFFFFFF;
        }
        for (int i = 0; i < WIDTH * HEIGHT; i++) sum += m.screen[i] * i;
        for (int i = 0; i < 16; i++) sum += (m.v[i] & 255) << i;
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 150000));
    }
}
