final class tapevm {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int HALT = 0, RIGHT = 1, LEFT = 2, INC = 3, DEC = 4, OPEN = 5, CLOSE = 6, READ = 7, WRITE = 8;
    static final String prog = ",[>,[->++<]>[-<+>]<<[>[->+>+<<]>>[-<<+>>]<<<-]>[-]>.[->>+<<]>>.<<<<,]";

    static void assemble(int[] code, int[] target) {
        int[] open = new int[64];
        int depth = 0;
        for (int i = 0; i < prog.length(); i++) {
            switch (prog.charAt(i)) {
            case '>': code[i] = RIGHT; break;
            case '<': code[i] = LEFT; break;
            case '+': code[i] = INC; break;
            case '-': code[i] = DEC; break;
            case ',': code[i] = READ; break;
            case '.': code[i] = WRITE; break;
            case '[': code[i] = OPEN; open[depth++] = i; break;
            case ']': code[i] = CLOSE; target[i] = open[--depth]; target[open[depth]] = i; break;
            }
        }
    }

    static int run(int[] code, int[] target, byte[] input) {
        byte[] tape = new byte[64];
        int at = 0, next = 0, sum = 0, pc = 0;
        for (;; pc++) {
            switch (code[pc]) {
            case RIGHT: at++; break;
            case LEFT: at--; break;
            case INC: tape[at]++; break;
            case DEC: tape[at]--; break;
            case OPEN: if (tape[at] == 0) pc = target[pc]; break;
            case CLOSE: if (tape[at] != 0) pc = target[pc]; break;
            case READ: tape[at] = input[next++]; break;
            case WRITE: sum = (sum * 31 + (tape[at] & 255)) & 0xFFFFFF; break;
            case HALT: return sum;
            }
        }
    }

    static long bench(int n) {
        int[] code = new int[prog.length() + 1], target = new int[prog.length() + 1];
        byte[] input = new byte[2 * n + 1];
        assemble(code, target);
        for (int i = 0; i < n; i++) {
            input[2 * i] = (byte) (1 + rnd(9));
            input[2 * i + 1] = (byte) (1 + rnd(120));
        }
        return run(code, target, input);
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 40000));
    }
}
