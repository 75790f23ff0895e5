final class brainfuck {
    static final String SRC =
        "++++++++++[>++++++++++<-]>[<+>-]<[>+++++[>+++++++[>+++[>++>+<<-]<-]<-]>>>[>>+<<-]<<<<-]>>>>>.>.";

    static int[] brackets(String code) {
        int[] jump = new int[code.length()], stack = new int[64];
        int sp = 0;
        for (int i = 0; i < code.length(); i++) {
            if (code.charAt(i) == '[') {
                stack[sp++] = i;
            } else if (code.charAt(i) == ']') {
                int open = stack[--sp];
                jump[open] = i;
                jump[i] = open;
            }
        }
        return jump;
    }

    static int execute(String code, int[] jump, byte[] tape, int start) {
        int sum = start, ptr = 0;
        for (int pc = 0; pc < code.length(); pc++) {
            switch (code.charAt(pc)) {
            case '>': ptr++; break;
            case '<': ptr--; break;
            case '+': tape[ptr]++; break;
            case '-': tape[ptr]--; break;
            case '.': sum = (sum * 31 + (tape[ptr] & 255)) & 0xFFFFFF; break;
            case '[': if (tape[ptr] == 0) pc = jump[pc]; break;
            case ']': if (tape[ptr] != 0) pc = jump[pc]; break;
            }
        }
        return sum;
    }

    static long bench(int n) {
        int[] jump = brackets(SRC);
        byte[] tape = new byte[64];
        int sum = 0;
        for (int r = 0; r < n; r++) {
            java.util.Arrays.fill(tape, (byte) 0);
            tape[5] = (byte) r;
            sum = execute(SRC, jump, tape, sum);
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 1500));
    }
}
