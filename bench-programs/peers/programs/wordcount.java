import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

final class wordcount {
    static final int LINES = 1000;

    record Pair(String a, String b) implements Comparable<Pair> {
        @Override
        public int compareTo(Pair other) {
            int order = a.compareTo(other.a);
            return order != 0 ? order : b.compareTo(other.b);
        }
    }

    static long seed = 42;

    static int rnd(int m) {
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFFL;
        return (int) (seed >> 8) % m;
    }

    static List<String> vocabulary(int n) {
        String[] syllables = "ka lo mi ren tas vel dor an qui est bra".split(" ");
        List<String> words = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            StringBuilder word = new StringBuilder();
            for (int k = 1 + rnd(3); k > 0; k--) word.append(syllables[rnd(syllables.length)]);
            if (rnd(8) == 0) word.setCharAt(0, Character.toUpperCase(word.charAt(0)));
            words.add(word.toString());
        }
        return words;
    }

    static String prose(List<String> words) {
        String[] ends = {"", "", "", "", ",", ".", "!", ";"};
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < LINES; i++) {
            List<String> line = new ArrayList<>();
            for (int k = 6 + rnd(8); k > 0; k--) line.add(words.get(rnd(1 + rnd(words.size()))) + ends[rnd(8)]);
            lines.add(String.join(" ", line));
        }
        return String.join("\n", lines);
    }

    static boolean isLetter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

    static String normal(String word) {
        int end = word.length();
        while (end > 0 && !isLetter(word.charAt(end - 1))) end--;
        return word.substring(0, end).toLowerCase(Locale.ROOT);
    }

    static <K extends Comparable<K>> List<Map.Entry<K, Integer>> ranking(Map<K, Integer> counts) {
        List<Map.Entry<K, Integer>> pairs = new ArrayList<>(counts.entrySet());
        pairs.sort(Map.Entry.<K, Integer>comparingByValue(Comparator.reverseOrder()).thenComparing(Map.Entry.comparingByKey()));
        return pairs;
    }

    static long bench(int n) {
        String text = prose(vocabulary(600));
        long sum = 0;
        for (int pass = 0; pass < n; pass++) {
            Map<String, Integer> counts = new HashMap<>();
            Map<Pair, Integer> neighbours = new HashMap<>();
            for (String line : text.split("\n")) {
                String last = "";
                for (String part : line.split(" ")) {
                    String word = normal(part);
                    counts.merge(word, 1, Integer::sum);
                    if (!last.isEmpty()) neighbours.merge(new Pair(last, word), 1, Integer::sum);
                    last = word;
                }
            }
            for (Map.Entry<String, Integer> entry : ranking(counts).subList(0, 50)) {
                String word = entry.getKey();
                sum = (sum * 31 + word.charAt(0) * 1000 + word.length() * 100 + entry.getValue()) & 0xFFFFFFFFL;
            }
            for (Map.Entry<Pair, Integer> entry : ranking(neighbours).subList(0, 50)) {
                Pair pair = entry.getKey();
                sum = (sum * 31 + pair.a.charAt(0) * 1000 + pair.b.length() * 100 + entry.getValue()) & 0xFFFFFFFFL;
            }
            sum = (sum + counts.size() * 7 + neighbours.size()) & 0xFFFFFFFFL;
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 80));
    }
}
