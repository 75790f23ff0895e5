final class pktfilter {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int PACKETS = 1024, LENGTH = 64;
    static final int LDB = 0, LDH = 1, LDW = 2, LDX = 3, LDHX = 4, JEQ = 5, JGT = 6, JSET = 7, AND = 8, RET = 9;

    static final int[] filter = {
        LDH, 12, 0, 0,
        JEQ, 0x800, 0, 12,
        LDB, 23, 0, 0,
        JEQ, 6, 0, 10,
        LDW, 26, 0, 0,
        AND, 0xFFFF0000, 0, 0,
        JEQ, 0x0A010000, 0, 7,
        LDH, 20, 0, 0,
        JSET, 0x1FFF, 5, 0,
        LDX, 14, 0, 0,
        LDHX, 16, 0, 0,
        JEQ, 443, 1, 0,
        JGT, 8000, 0, 1,
        RET, 96, 0, 0,
        RET, 0, 0, 0,
    };

    static int half(byte[] data, int at) { return (data[at] & 0xFF) << 8 | data[at + 1] & 0xFF; }

    static int run(int[] code, byte[] data, int base) {
        int pc = 0, a = 0, x = 0;
        for (;;) {
            int k = code[pc + 1];
            switch (code[pc]) {
            case LDB: a = data[base + k] & 0xFF; break;
            case LDH: a = half(data, base + k); break;
            case LDW: a = half(data, base + k) << 16 | half(data, base + k + 2); break;
            case LDX: x = (data[base + k] & 15) * 4; break;
            case LDHX: a = half(data, base + x + k); break;
            case JEQ: pc += (a == k ? code[pc + 2] : code[pc + 3]) * 4; break;
            case JGT: pc += (Integer.compareUnsigned(a, k) > 0 ? code[pc + 2] : code[pc + 3]) * 4; break;
            case JSET: pc += ((a & k) != 0 ? code[pc + 2] : code[pc + 3]) * 4; break;
            case AND: a &= k; break;
            case RET: return k;
            }
            pc += 4;
        }
    }

    static byte[] generate() {
        byte[] data = new byte[PACKETS * LENGTH];
        int left = 0, kind = 0;
        for (int i = 0; i < PACKETS; i++) {
            if (left == 0) {
                left = 4 + rnd(60);
                kind = rnd(12);
            }
            left--;
            int at = i * LENGTH;
            for (int b = 0; b < LENGTH; b++) data[at + b] = (byte) rnd(256);
            data[at + 12] = 8;
            data[at + 13] = (byte) (kind == 0 ? 6 : 0);
            data[at + 14] = 0x45;
            data[at + 20] = 0x40;
            data[at + 21] = 0;
            data[at + 23] = (byte) (kind == 1 ? 17 : 6);
            data[at + 26] = 10;
            data[at + 27] = (byte) (kind == 2 ? 2 : 1);
            data[at + 36] = 1;
            data[at + 37] = (byte) 187;
        }
        return data;
    }

    static long bench(int n) {
        byte[] data = generate();
        long sum = 0;
        for (int r = 0; r < n; r++) {
            data[rnd(PACKETS) * LENGTH + 37] = (byte) (rnd(20) == 0 ? 80 : 187);
            for (int i = 0; i < PACKETS; i++) sum += run(filter, data, i * LENGTH);
            sum &= 0xFFFFFFFFL;
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 24000));
    }
}
