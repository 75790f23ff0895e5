final class shader {

    static final int SIDE = 128;
    static final int MOV = 0, ADD = 1, SUB = 2, MUL = 3, MAD = 4, MIN = 5, MAX = 6, SLT = 7, FRC = 8;
    static final int[] code = {
        MUL, 6, 0, 0,
        MAD, 6, 1, 1,
        ADD, 7, 6, 2,
        FRC, 7, 7, 7,
        SUB, 8, 3, 7,
        MUL, 8, 8, 7,
        MUL, 9, 0, 4,
        FRC, 9, 9, 9,
        SLT, 10, 9, 5,
        MAX, 11, 10, 8,
        MIN, 11, 11, 3,
        MAD, 15, 11, 7,
    };

    static double pixel(int[] code, double[] reg) {
        reg[15] = 0;
        for (int pc = 0; pc < code.length; pc += 4) {
            int to = code[pc + 1], a = code[pc + 2], b = code[pc + 3];
            switch (code[pc]) {
            case MOV: reg[to] = reg[a]; break;
            case ADD: reg[to] = reg[a] + reg[b]; break;
            case SUB: reg[to] = reg[a] - reg[b]; break;
            case MUL: reg[to] = reg[a] * reg[b]; break;
            case MAD: reg[to] += reg[a] * reg[b]; break;
            case MIN: reg[to] = reg[a] < reg[b] ? reg[a] : reg[b]; break;
            case MAX: reg[to] = reg[a] > reg[b] ? reg[a] : reg[b]; break;
            case SLT: reg[to] = reg[a] < reg[b] ? 1 : 0; break;
            case FRC: reg[to] = reg[a] - Math.floor(reg[a]); break;
            }
        }
        return reg[15];
    }

    static long bench(int n) {
        double[] reg = new double[16];
        reg[3] = 1;
        reg[4] = 6;
        reg[5] = 0.125;
        double sum = 0;
        for (int r = 0; r < n; r++) {
            reg[2] = r / 64.0;
            for (int y = 0; y < SIDE; y++) {
                reg[1] = y / 64.0;
                for (int x = 0; x < SIDE; x++) {
                    reg[0] = x / 64.0;
                    sum += pixel(code, reg);
                }
            }
        }
        return (long) Math.floor(sum * 1000.0);
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 1000));
    }
}
