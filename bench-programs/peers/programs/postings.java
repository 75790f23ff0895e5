import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

final class postings {
    static final int DOCUMENTS = 1000;

    record Place(int id, int at) {}

    record Hit(int id, int count) {}

    static final class Index {
        final Map<String, List<Place>> places = new HashMap<>();
        final Map<String, Set<Integer>> tags = new HashMap<>();

        Index(int documents) {
            for (int id = 0; id < documents; id++) {
                int length = 20 + rnd(20);
                for (int at = 0; at < length; at++) {
                    places.computeIfAbsent(word(), w -> new ArrayList<>()).add(new Place(id, at));
                }
                for (int k = 1 + rnd(2); k > 0; k--) tags.computeIfAbsent("tag" + rnd(12), t -> new HashSet<>()).add(id);
            }
        }

        List<Hit> documents(String word) {
            List<Hit> found = new ArrayList<>();
            for (Place place : places.getOrDefault(word, List.of())) {
                Hit last = found.isEmpty() ? null : found.get(found.size() - 1);
                if (last != null && last.id == place.id) {
                    found.set(found.size() - 1, new Hit(last.id, last.count + 1));
                } else {
                    found.add(new Hit(place.id, 1));
                }
            }
            return found;
        }

        List<Place> phrase(String first, String second) {
            Set<Place> after = new HashSet<>(places.getOrDefault(second, List.of()));
            return places.getOrDefault(first, List.of()).stream()
                .filter(p -> after.contains(new Place(p.id, p.at + 1))).collect(Collectors.toList());
        }

        int search() {
            String a = word(), b = word(), tag = "tag" + rnd(12);
            if (rnd(4) == 0) {
                int sum = 0;
                for (Place p : phrase(a, b)) sum = (sum * 7 + p.id) & 0xFFFF;
                return sum;
            }
            Set<Integer> tagged = tags.get(tag);
            List<Hit> hits = both(documents(a), documents(b)).stream()
                .filter(hit -> tagged.contains(hit.id)).collect(Collectors.toList());
            hits.sort(Comparator.comparingInt((Hit hit) -> -hit.count).thenComparingInt(hit -> hit.id));
            int sum = hits.size();
            for (Hit hit : hits.subList(0, Math.min(10, hits.size()))) sum = (sum * 31 + hit.id + hit.count) & 0xFFFFF;
            return sum;
        }
    }

    static long seed = 42;

    static int rnd(int m) {
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFFL;
        return (int) (seed >> 8) % m;
    }

    static String word() { return "w" + rnd(1 + rnd(1 + rnd(400))); }

    static List<Hit> both(List<Hit> a, List<Hit> b) {
        List<Hit> found = new ArrayList<>();
        int i = 0, k = 0;
        while (i < a.size() && k < b.size()) {
            Hit x = a.get(i), y = b.get(k);
            if (x.id == y.id) found.add(new Hit(x.id, x.count + y.count));
            if (x.id <= y.id) i++;
            if (y.id <= x.id) k++;
        }
        return found;
    }

    static long bench(int n) {
        Index index = new Index(DOCUMENTS);
        long sum = index.places.size();
        for (int i = 0; i < n * 100; i++) sum = (sum * 31 + index.search()) & 0xFFFFFFFFL;
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 120));
    }
}
