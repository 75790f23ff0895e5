import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

final class selects {
    /** A row's values are Integers and Strings. */
    static final class Row extends HashMap<String, Object> {}

    record Part(String kind, String name) {}

    record Query(List<Part> parts, String from, String joined, Predicate<Row> filter, String group, int most) {}

    record Keyed(String key, List<Object> row) {}

    static final Map<String, List<Row>> tables = new HashMap<>();

    static long seed = 42;

    static int rnd(int m) {
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFFL;
        return (int) (seed >> 8) % m;
    }

    static Row row(Object... fields) {
        Row row = new Row();
        for (int i = 0; i < fields.length; i += 2) row.put((String) fields[i], fields[i + 1]);
        return row;
    }

    static void fillTables() {
        List<Row> teams = new ArrayList<>(), staff = new ArrayList<>();
        String[] places = {"york", "bath", "ely"};
        for (int i = 0; i < 12; i++) teams.add(row("team", "team" + i, "place", places[i % 3], "floor", i / 4));
        for (int i = 0; i < 1000; i++) {
            staff.add(row("id", i, "team", "team" + rnd(12), "age", 18 + rnd(50), "pay", 1000 + rnd(4000)));
        }
        tables.put("teams", teams);
        tables.put("staff", staff);
    }

    static Predicate<Row> condition(List<String> words) {
        int at = words.indexOf("or");
        if (at >= 0) return condition(words.subList(0, at)).or(condition(words.subList(at + 1, words.size())));
        at = words.indexOf("and");
        if (at >= 0) return condition(words.subList(0, at)).and(condition(words.subList(at + 1, words.size())));
        String column = words.get(0), op = words.get(1), word = words.get(2);
        if (!Character.isDigit(word.charAt(0))) return row -> row.get(column).equals(word);
        int n = Integer.parseInt(word);
        return switch (op) {
            case "<" -> row -> (Integer) row.get(column) < n;
            case ">" -> row -> (Integer) row.get(column) > n;
            default -> row -> (Integer) row.get(column) == n;
        };
    }

    static String after(List<String> words, String word) {
        int at = words.indexOf(word);
        return at < 0 ? null : words.get(at + 1);
    }

    static Query parse(String text) {
        List<String> words = Arrays.asList(text.split(" "));
        List<Part> parts = new ArrayList<>();
        for (String part : words.get(1).split(",")) {
            if (part.equals("count")) parts.add(new Part("count", ""));
            else if (part.startsWith("sum:")) parts.add(new Part("sum", part.substring(4)));
            else parts.add(new Part("column", part));
        }
        Predicate<Row> filter = row -> true;
        int at = words.indexOf("where");
        if (at >= 0) {
            int end = words.indexOf("group");
            if (end < 0) end = words.indexOf("most");
            filter = condition(words.subList(at + 1, end < 0 ? words.size() : end));
        }
        String most = after(words, "most");
        return new Query(parts, after(words, "from"), after(words, "join"), filter, after(words, "group"),
            most == null ? 1000 : Integer.parseInt(most));
    }

    static List<Row> joinTeams(List<Row> rows, List<Row> teams) {
        Map<Object, Row> byTeam = new HashMap<>();
        for (Row row : teams) byTeam.put(row.get("team"), row);
        return rows.stream().map(row -> {
            Row both = new Row();
            both.putAll(row);
            both.putAll(byTeam.get(row.get("team")));
            return both;
        }).collect(Collectors.toList());
    }

    static Object evaluated(Part part, List<Row> rows) {
        return switch (part.kind) {
            case "column" -> rows.get(0).get(part.name);
            case "count" -> rows.size();
            default -> rows.stream().mapToInt(row -> (Integer) row.get(part.name)).sum();
        };
    }

    static List<List<Object>> answer(Query query) {
        List<Row> rows = tables.get(query.from);
        if (query.joined != null) rows = joinTeams(rows, tables.get(query.joined));
        rows = rows.stream().filter(query.filter).collect(Collectors.toList());
        Map<Object, List<Row>> groups = new LinkedHashMap<>();
        int i = 0;
        for (Row row : rows) {
            Object key = query.group != null ? row.get(query.group) : (Integer) i;
            groups.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
            i++;
        }
        List<Keyed> out = new ArrayList<>();
        for (List<Row> group : groups.values()) {
            List<Object> row = new ArrayList<>();
            for (Part part : query.parts) row.add(evaluated(part, group));
            String key = row.stream().map(v -> v instanceof Integer n ? String.format("%08d", n) : (String) v)
                .collect(Collectors.joining(" "));
            out.add(new Keyed(key, row));
        }
        out.sort((a, b) -> a.key.compareTo(b.key));
        return out.stream().limit(query.most).map(Keyed::row).collect(Collectors.toList());
    }

    static long bench(int n) {
        fillTables();
        long sum = 0;
        for (int i = 0; i < n; i++) {
            String[] questions = {
                "select id,pay from staff where age > " + (30 + rnd(20)) + " and pay < 2500 most 20",
                "select team,count,sum:pay from staff where age < " + (30 + rnd(30)) + " or team = team" + rnd(12) + " group team",
                "select place,sum:pay,count from staff join teams where floor = " + rnd(3) + " group place",
            };
            for (String question : questions) {
                for (List<Object> row : answer(parse(question))) {
                    for (Object v : row) {
                        int x = v instanceof String s ? s.length() * 256 + s.charAt(s.length() - 1) : (Integer) v;
                        sum = (sum * 31 + x) & 0xFFFFFFFFL;
                    }
                }
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 350));
    }
}
