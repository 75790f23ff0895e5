import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;
import java.util.stream.Collectors;

final class minilisp {
    static final String PROGRAM = """
        (define fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))
        (define range (lambda (a b) (if (< a b) (cons a (range (+ a 1) b)) (quote ()))))
        (define map (lambda (f xs) (if (empty xs) xs (cons (f (first xs)) (map f (rest xs))))))
        (define fold (lambda (f start xs) (if (empty xs) start (fold f (f start (first xs)) (rest xs)))))
        (define add (lambda (n) (lambda (x) (+ x n))))
        (define even (lambda (n) (if (= n 0) 1 (odd (- n 1)))))
        (define odd (lambda (n) (if (= n 0) 0 (even (- n 1)))))
        (define loop (lambda (i sum) (if (= i 0) sum (loop (- i 1) (% (+ (* sum 7) i) 10007)))))
        (+ (fib 14) (+ (fold + 0 (map (add 5) (range 1 60))) (+ (even 300) (loop 1000 1))))""";

    sealed interface Value permits Number, Symbol, Many, Lambda, Primitive {}

    record Number(long n) implements Value {}

    record Symbol(String name) implements Value {}

    record Many(List<Value> parts) implements Value {}

    record Lambda(List<String> names, Value body, Scope scope) implements Value {}

    record Primitive(LongBinaryOperator f) implements Value {}

    record Scope(Map<String, Value> names, Scope outer) {
        Value lookUp(String name) {
            for (Scope s = this; s != null; s = s.outer) {
                Value value = s.names.get(name);
                if (value != null) return value;
            }
            throw new IllegalStateException(name + " is not known");
        }
    }

    static final class Reader {
        final String[] words;
        int at = 0;

        Reader(String[] words) { this.words = words; }

        Value read() {
            String word = words[at++];
            if (word.equals("(")) {
                List<Value> values = new ArrayList<>();
                while (!words[at].equals(")")) values.add(read());
                at++;
                return new Many(values);
            }
            return Character.isDigit(word.charAt(0)) ? new Number(Long.parseLong(word)) : new Symbol(word);
        }
    }

    static List<Value> listOf(Value value) { return ((Many) value).parts; }

    static Value evaluate(Value e, Scope scope) {
        for (;;) {
            if (e instanceof Symbol symbol) return scope.lookUp(symbol.name);
            if (!(e instanceof Many many)) return e;
            List<Value> parts = many.parts;
            if (parts.get(0) instanceof Symbol head) {
                switch (head.name) {
                    case "quote": return parts.get(1);
                    case "lambda":
                        List<String> names =
                            listOf(parts.get(1)).stream().map(p -> ((Symbol) p).name).collect(Collectors.toList());
                        return new Lambda(names, parts.get(2), scope);
                    case "define":
                        scope.names.put(((Symbol) parts.get(1)).name, evaluate(parts.get(2), scope));
                        return new Number(0);
                    case "if":
                        e = !(evaluate(parts.get(1), scope) instanceof Number n) || n.n != 0 ? parts.get(2) : parts.get(3);
                        continue;
                    case "cons":
                        List<Value> longer = new ArrayList<>();
                        longer.add(evaluate(parts.get(1), scope));
                        longer.addAll(listOf(evaluate(parts.get(2), scope)));
                        return new Many(longer);
                    case "first": return listOf(evaluate(parts.get(1), scope)).get(0);
                    case "rest":
                        List<Value> whole = listOf(evaluate(parts.get(1), scope));
                        return new Many(new ArrayList<>(whole.subList(1, whole.size())));
                    case "empty": return new Number(listOf(evaluate(parts.get(1), scope)).isEmpty() ? 1 : 0);
                    default:
                }
            }
            List<Value> values = new ArrayList<>(parts.size());
            for (Value part : parts) values.add(evaluate(part, scope));
            if (values.get(0) instanceof Primitive primitive) {
                return new Number(primitive.f.applyAsLong(((Number) values.get(1)).n, ((Number) values.get(2)).n));
            }
            Lambda lambda = (Lambda) values.get(0);
            Map<String, Value> inner = new HashMap<>();
            for (int i = 0; i < lambda.names.size(); i++) inner.put(lambda.names.get(i), values.get(i + 1));
            scope = new Scope(inner, lambda.scope);
            e = lambda.body;
        }
    }

    static long bench(int n) {
        Map<String, Value> known = Map.of(
            "+", new Primitive((a, b) -> a + b),
            "-", new Primitive((a, b) -> a - b),
            "*", new Primitive((a, b) -> a * b),
            "%", new Primitive((a, b) -> a % b),
            "<", new Primitive((a, b) -> a < b ? 1 : 0),
            "=", new Primitive((a, b) -> a == b ? 1 : 0));
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Reader reader = new Reader(PROGRAM.replace("(", " ( ").replace(")", " ) ").trim().split("\\s+"));
            Map<String, Value> names = new HashMap<>();
            names.put("seed", new Number(i));
            Scope scope = new Scope(names, new Scope(known, null));
            Value last = new Number(0);
            while (reader.at < reader.words.length) last = evaluate(reader.read(), scope);
            if (last instanceof Number x) sum = (sum * 31 + x.n + names.size()) & 0xFFFFFFFFL;
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 150));
    }
}
