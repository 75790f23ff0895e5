import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class calculator {
    static final int MODULUS = 1000003;

    enum Kind { NUMBER, NAME, SIGN, END }

    record Token(Kind kind, long number, String text) {}

    sealed interface Expr permits Constant, Variable, Negated, Binary {}

    record Constant(long n) implements Expr {}

    record Variable(String name) implements Expr {}

    record Negated(Expr inner) implements Expr {}

    record Binary(String op, Expr left, Expr right) implements Expr {}

    static long seed = 42;

    static int rnd(int m) {
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFFL;
        return (int) (seed >> 8) % m;
    }

    static String formula(int depth) {
        if (depth == 0 || rnd(8) == 0) {
            return rnd(2) == 0 ? new String[] {"x", "y", "zeta"}[rnd(3)] : String.valueOf(rnd(rnd(3) * 50 + 2));
        }
        String a = formula(depth - 1), b = formula(depth - 1);
        return switch (rnd(7)) {
            case 0, 1 -> a + " + " + b;
            case 2 -> a + " - " + b;
            case 3 -> "(" + a + ") * (" + b + ")";
            case 4 -> a + " * " + b;
            case 5 -> "(" + a + ") / (" + b + ")";
            default -> "-(" + a + " + " + b + ")";
        };
    }

    static boolean isDigit(char c) { return c >= '0' && c <= '9'; }

    static boolean isLetter(char c) { return c >= 'a' && c <= 'z'; }

    static List<Token> tokens(String text) {
        List<Token> found = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int start = at;
            char c = text.charAt(at++);
            if (isDigit(c)) {
                while (at < text.length() && isDigit(text.charAt(at))) at++;
                found.add(new Token(Kind.NUMBER, Long.parseLong(text.substring(start, at)), ""));
            } else if (isLetter(c)) {
                while (at < text.length() && isLetter(text.charAt(at))) at++;
                found.add(new Token(Kind.NAME, 0, text.substring(start, at)));
            } else if (c != ' ') {
                found.add(new Token(Kind.SIGN, 0, text.substring(start, at)));
            }
        }
        found.add(new Token(Kind.END, 0, ""));
        return found;
    }

    static final class Parser {
        final List<Token> tokens;
        int at = 0;

        Parser(List<Token> tokens) { this.tokens = tokens; }

        String sign(String signs) {
            Token token = tokens.get(at);
            if (token.kind != Kind.SIGN || !signs.contains(token.text)) return null;
            at++;
            return token.text;
        }

        Expr sum() {
            Expr left = product();
            for (String op = sign("+-"); op != null; op = sign("+-")) left = new Binary(op, left, product());
            return left;
        }

        Expr product() {
            Expr left = factor();
            for (String op = sign("*/"); op != null; op = sign("*/")) left = new Binary(op, left, factor());
            return left;
        }

        Expr factor() {
            Token token = tokens.get(at++);
            switch (token.kind) {
                case NUMBER: return new Constant(token.number);
                case NAME: return new Variable(token.text);
                case SIGN:
                    if (token.text.equals("-")) return new Negated(factor());
                    if (token.text.equals("(")) {
                        Expr inner = sum();
                        if (sign(")") == null) throw new IllegalStateException("expected )");
                        return inner;
                    }
                default: throw new IllegalStateException("unexpected " + token);
            }
        }
    }

    static long applied(String op, long a, long b) {
        return switch (op) {
            case "+" -> (a + b) % MODULUS;
            case "-" -> (a - b + MODULUS) % MODULUS;
            case "*" -> a * b % MODULUS;
            default -> b == 0 ? 0 : a / b;
        };
    }

    static boolean is(Expr e, long n) { return e instanceof Constant c && c.n == n; }

    static Expr simple(Expr e) {
        if (e instanceof Negated negated) {
            Expr inner = simple(negated.inner);
            if (inner instanceof Constant c) return new Constant((MODULUS - c.n) % MODULUS);
            if (inner instanceof Negated twice) return twice.inner;
            return new Negated(inner);
        }
        if (e instanceof Binary binary) {
            String op = binary.op;
            Expr l = simple(binary.left), r = simple(binary.right);
            if (l instanceof Constant a && r instanceof Constant b) return new Constant(applied(op, a.n, b.n));
            if (op.equals("+") && is(l, 0)) return r;
            if ((op.equals("+") || op.equals("-")) && is(r, 0)) return l;
            if (op.equals("*") && is(l, 1)) return r;
            if ((op.equals("*") || op.equals("/")) && is(r, 1)) return l;
            if (op.equals("*") && (is(l, 0) || is(r, 0))) return new Constant(0);
            return new Binary(op, l, r);
        }
        return e;
    }

    static long value(Expr e, Map<String, Long> variables) {
        if (e instanceof Constant c) return c.n;
        if (e instanceof Variable v) return variables.get(v.name);
        if (e instanceof Negated n) return (MODULUS - value(n.inner, variables)) % MODULUS;
        Binary b = (Binary) e;
        return applied(b.op, value(b.left, variables), value(b.right, variables));
    }

    static long bench(int n) {
        long total = 0;
        for (int i = 0; i < n * 100; i++) {
            String text = formula(5);
            Expr e = simple(new Parser(tokens(text)).sum());
            Map<String, Long> variables = new HashMap<>(Map.of("x", i % 1000L, "y", 7L, "zeta", (long) rnd(1000)));
            for (long round = 0; round < 5; round++) {
                total = (total * 31 + value(e, variables)) & 0xFFFFFFFFL;
                variables.merge("y", round, Long::sum);
            }
            total = (total + text.length()) & 0xFFFFFFFFL;
        }
        return total;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 400));
    }
}
