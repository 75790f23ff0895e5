import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

final class template {
    sealed interface Node permits Plain, Slot, Each, When {}

    record Plain(String text) implements Node {}

    record Slot(List<String> path, List<String> filters) implements Node {}

    record Each(String name, List<String> path, List<Node> body) implements Node {}

    record When(List<String> path, List<Node> yes, List<Node> no) implements Node {}

    static final String SOURCE =
        "<h1>{shop.name|upper}</h1>\n{when shop.open}<p>Open today.</p>{else}<p>Closed, sorry.</p>{end}\n"
        + "<ul>\n{each item in items}  <li>{item.name|trim|upper}: {item.price|money}{when item.left} ({item.left} left){end}\n"
        + "{each tag in item.tags}    <i>{tag}</i>{end}</li>\n{end}</ul>\n<p>{note|escape}</p>\n";

    static long seed = 42;

    static int rnd(int m) {
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFFL;
        return (int) (seed >> 8) % m;
    }

    static List<String> cut(String text) {
        List<String> parts = new ArrayList<>();
        for (String piece : text.split("\\{", -1)) {
            int close = piece.indexOf('}');
            if (close >= 0) {
                parts.add("{" + piece.substring(0, close));
                if (close + 1 < piece.length()) parts.add(piece.substring(close + 1));
            } else if (!piece.isEmpty()) {
                parts.add(piece);
            }
        }
        return parts;
    }

    static final class Parser {
        final List<String> parts;
        int at = 0;

        Parser(List<String> parts) { this.parts = parts; }

        static List<String> path(String text) { return Arrays.asList(text.split("\\.")); }

        List<Node> nodes() {
            List<Node> found = new ArrayList<>();
            while (at < parts.size()) {
                String part = parts.get(at++);
                if (!part.startsWith("{")) {
                    found.add(new Plain(part));
                    continue;
                }
                String[] words = part.substring(1).split(" ");
                switch (words[0]) {
                    case "end", "else" -> { return found; }
                    case "each" -> found.add(new Each(words[1], path(words[3]), nodes()));
                    case "when" -> {
                        List<Node> yes = nodes();
                        List<Node> no = parts.get(at - 1).equals("{else") ? nodes() : List.of();
                        found.add(new When(path(words[1]), yes, no));
                    }
                    default -> {
                        List<String> filters = Arrays.asList(words[0].split("\\|"));
                        found.add(new Slot(path(filters.get(0)), filters.subList(1, filters.size())));
                    }
                }
            }
            return found;
        }
    }

    static Object lookUp(List<String> path, Object scope) {
        Object value = scope;
        for (String name : path) value = ((Map<?, ?>) value).get(name);
        return value;
    }

    static boolean isTrue(Object value) {
        if (value instanceof Integer n) return n != 0;
        if (value instanceof String text) return !text.isEmpty();
        if (value instanceof List<?> values) return !values.isEmpty();
        return !((Map<?, ?>) value).isEmpty();
    }

    static void fill(
        List<Node> nodes, Map<String, Object> scope, Map<String, UnaryOperator<String>> filters, StringBuilder out
    ) {
        for (Node node : nodes) {
            if (node instanceof Plain plain) {
                out.append(plain.text);
            } else if (node instanceof Slot slot) {
                String text = String.valueOf(lookUp(slot.path, scope));
                for (String name : slot.filters) text = filters.get(name).apply(text);
                out.append(text);
            } else if (node instanceof When when) {
                fill(isTrue(lookUp(when.path, scope)) ? when.yes : when.no, scope, filters, out);
            } else if (node instanceof Each each) {
                for (Object value : (List<?>) lookUp(each.path, scope)) {
                    scope.put(each.name, value);
                    fill(each.body, scope, filters, out);
                }
                scope.remove(each.name);
            }
        }
    }

    static Map<String, Object> page() {
        String[] names = {"oil lamp ", " rope", " candle", "map & compass", "<tin> box "};
        String[] ages = {"new", "old", "rare"};
        List<Object> items = new ArrayList<>();
        for (int i = 5 + rnd(10); i > 0; i--) {
            List<Object> tags = new ArrayList<>();
            for (int k = rnd(3); k > 0; k--) tags.add(ages[rnd(3)]);
            int price = rnd(100000);
            items.add(Map.of("name", names[rnd(5)], "price", price, "left", rnd(4), "tags", tags));
        }
        Map<String, Object> scope = new HashMap<>();
        scope.put("shop", Map.of("name", "The Worn Lane", "open", rnd(2)));
        scope.put("items", items);
        scope.put("note", "Oil & rope < 5 \"miles\"");
        return scope;
    }

    static String money(String text) {
        int cents = Integer.parseInt(text);
        return String.format("$%d.%02d", cents / 100, cents % 100);
    }

    static long bench(int n) {
        Map<String, UnaryOperator<String>> filters = Map.of(
            "upper", String::toUpperCase,
            "trim", String::trim,
            "money", template::money,
            "escape", text -> text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;"));
        List<Node> parsed = List.of();
        long sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 100 == 0) parsed = new Parser(cut(SOURCE)).nodes();
            StringBuilder out = new StringBuilder();
            fill(parsed, page(), filters, out);
            String text = out.toString();
            sum = (sum * 31 + text.length()) & 0xFFFFFFFFL;
            for (int k = 0; k < text.length(); k += 16) sum = (sum * 31 + text.charAt(k)) & 0xFFFFFFFFL;
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 15000));
    }
}
