final class lispeval {
    static final int CELLS = 1000000;
    static final int NIL = 0, IF = -2, QUOTE = -4, DEFINE = -6, PLUS = -8, MINUS = -10, LESS = -12, EQUAL = -14;
    static final int CONS = -16, CAR = -18, CDR = -20;
    static final String[] names = new String[32];
    static final int[] globals = new int[32], head = new int[CELLS], tail = new int[CELLS];
    static int symbols = 11, used = 1, at = 0;

    static {
        String[] known = {"", "if", "quote", "define", "+", "-", "<", "=", "cons", "car", "cdr"};
        System.arraycopy(known, 0, names, 0, known.length);
    }

    static int cons(int a, int b) {
        head[used] = a;
        tail[used] = b;
        return used++ * 2;
    }

    static int readList(String src) {
        while (src.charAt(at) == ' ') at++;
        if (src.charAt(at) == ')') {
            at++;
            return NIL;
        }
        int first = read(src);
        return cons(first, readList(src));
    }

    static int read(String src) {
        while (src.charAt(at) == ' ') at++;
        if (src.charAt(at) == '(') {
            at++;
            return readList(src);
        }
        int start = at;
        while (src.charAt(at) != ' ' && src.charAt(at) != ')') at++;
        String word = src.substring(start, at);
        if (word.charAt(0) >= '0' && word.charAt(0) <= '9') return Integer.parseInt(word) * 2 + 1;
        for (int s = 1; s < symbols; s++) if (names[s].equals(word)) return -2 * s;
        names[symbols] = word;
        return -2 * symbols++;
    }

    static int lookup(int symbol, int scope) {
        int s = scope;
        while (s != NIL) {
            int pair = head[s >> 1];
            if (head[pair >> 1] == symbol) return tail[pair >> 1];
            s = tail[s >> 1];
        }
        return globals[-symbol >> 1];
    }

    static int second(int list) { return head[tail[list >> 1] >> 1]; }

    static int eval(int e, int env) {
        for (;;) {
            if ((e & 1) == 1 || e == NIL) return e;
            if (e < 0) return lookup(e, env);
            int f = head[e >> 1], args = tail[e >> 1];
            switch (f) {
            case IF: {
                int rest = tail[args >> 1];
                e = eval(head[args >> 1], env) != NIL ? head[rest >> 1] : second(rest);
                break;
            }
            case QUOTE: return head[args >> 1];
            case DEFINE: globals[-head[args >> 1] >> 1] = tail[args >> 1]; return NIL;
            case CAR: return head[eval(head[args >> 1], env) >> 1];
            case CDR: return tail[eval(head[args >> 1], env) >> 1];
            case PLUS: case MINUS: case LESS: case EQUAL: case CONS: {
                int a = eval(head[args >> 1], env), b = eval(second(args), env);
                switch (f) {
                case PLUS: return a + b - 1;
                case MINUS: return a - b + 1;
                case LESS: return a < b ? 1 : 0;
                case EQUAL: return a == b ? 1 : 0;
                default: return cons(a, b);
                }
            }
            default: {
                int lambda = globals[-f >> 1], params = head[lambda >> 1], arg = args, inner = NIL;
                while (params != NIL) {
                    int value = eval(head[arg >> 1], env);
                    inner = cons(cons(head[params >> 1], value), inner);
                    params = tail[params >> 1];
                    arg = tail[arg >> 1];
                }
                e = second(lambda);
                env = inner;
            }
            }
        }
    }

    static int parse(String src) {
        at = 0;
        return read(src);
    }

    static long bench(int n) {
        String[] definitions = {
            "(define fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))) )",
            "(define count (n sum) (if (= n 0) sum (count (- n 1) (+ sum n))) )",
            "(define range (a b) (if (< a b) (cons a (range (+ a 1) b)) (quote ())) )",
            "(define evens (l) (if (= l (quote ())) 0 (if (< (car l) 10) (evens (cdr l)) "
                + "(+ (car l) (evens (cdr l))))) )",
        };
        for (String definition : definitions) eval(parse(definition), NIL);
        long sum = 0;
        for (String source : new String[] {"(fib 16) ", "(count 5000 0) ", "(evens (range 1 1500)) "}) {
            int e = parse(source), base = used;
            for (int r = 0; r < n; r++) {
                int value = eval(e, NIL) >> 1;
                sum = (sum * 7 + value + used) & 0xFFFFFFFFL;
                used = base;
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 1000));
    }
}
