import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

final class jsontree {
    static final int ORDERS = 200;

    static long seed = 42;

    static int rnd(int m) {
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFFL;
        return (int) (seed >> 8) % m;
    }

    static String document() {
        String[] names = {"lamp", "rope", "blue \\\"jay\\\"", "oil", "a\\\\b", "candle", "map", "tin\\nbox"};
        List<String> orders = new ArrayList<>();
        for (int i = 0; i < ORDERS; i++) {
            List<String> items = new ArrayList<>();
            for (int k = 1 + rnd(4); k > 0; k--) {
                items.add("{\"name\": \"" + names[rnd(8)] + "\", \"price\": " + rnd(5000) + ", \"count\": " + (1 + rnd(9)) + "}");
            }
            String paid = new String[] {"true", "false", "null"}[rnd(3)];
            orders.add("{\"id\": " + i + ", \"paid\": " + paid + ", \"items\": [" + String.join(", ", items) + "], \"tags\": []}");
        }
        return "{ \"orders\": [\n  " + String.join(",\n  ", orders) + "\n] }\n";
    }

    static final class Reader {
        final String text;
        int at = 0;

        Reader(String text) { this.text = text; }

        char peek() {
            while (text.charAt(at) == ' ' || text.charAt(at) == '\n') at++;
            return text.charAt(at);
        }

        boolean eat(char c) {
            if (peek() != c) return false;
            at++;
            return true;
        }

        String readText() {
            at++;
            int start = at;
            StringBuilder found = new StringBuilder();
            while (text.charAt(at) != '"') {
                if (text.charAt(at) == '\\') {
                    found.append(text, start, at);
                    char c = text.charAt(at + 1);
                    found.append(c == 'n' ? '\n' : c);
                    at += 2;
                    start = at;
                } else {
                    at++;
                }
            }
            at++;
            return found.append(text, start, at - 1).toString();
        }

        /** null, Boolean, Long, String, List or Map. */
        Object read() {
            switch (peek()) {
                case '{' -> {
                    at++;
                    Map<String, Object> members = new HashMap<>();
                    while (!eat('}')) {
                        eat(',');
                        peek();
                        String key = readText();
                        if (!eat(':')) throw new IllegalStateException("a colon is missing");
                        members.put(key, read());
                    }
                    return members;
                }
                case '[' -> {
                    at++;
                    List<Object> parts = new ArrayList<>();
                    while (!eat(']')) {
                        eat(',');
                        parts.add(read());
                    }
                    return parts;
                }
                case '"' -> { return readText(); }
                default -> {
                    int start = at;
                    while (",]} \n".indexOf(text.charAt(at)) < 0) at++;
                    String word = text.substring(start, at);
                    return switch (word) {
                        case "null" -> null;
                        case "true" -> true;
                        case "false" -> false;
                        default -> Long.parseLong(word);
                    };
                }
            }
        }
    }

    static Object raised(Object json) {
        if (json instanceof List<?> parts) {
            List<Object> out = new ArrayList<>();
            for (Object part : parts) out.add(raised(part));
            return out;
        }
        if (json instanceof Map<?, ?> members) {
            Map<String, Object> out = new HashMap<>();
            for (Map.Entry<?, ?> member : members.entrySet()) {
                Object value = member.getValue();
                boolean isPrice = member.getKey().equals("price") && value instanceof Long;
                out.put((String) member.getKey(), isPrice ? (Object) ((Long) value + (Long) value / 10) : raised(value));
            }
            return out;
        }
        return json;
    }

    static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    static String written(Object json) {
        if (json instanceof String text) return quoted(text);
        if (json instanceof List<?> parts) {
            return parts.stream().map(jsontree::written).collect(Collectors.joining(",", "[", "]"));
        }
        if (json instanceof Map<?, ?> members) {
            return new TreeMap<Object, Object>(members).entrySet().stream()
                .map(member -> quoted((String) member.getKey()) + ":" + written(member.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
        }
        return String.valueOf(json);
    }

    static long bench(int n) {
        String text = document();
        long sum = 0;
        for (int pass = 0; pass < n; pass++) {
            String out = written(raised(new Reader(text).read()));
            sum = (sum * 31 + out.length()) & 0xFFFFFFFFL;
            for (int i = 0; i < 100; i++) sum = (sum * 31 + out.charAt(rnd(out.length()))) & 0xFFFFFFFFL;
            if (pass % 8 == 0) text = out + "\n";
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 150));
    }
}
