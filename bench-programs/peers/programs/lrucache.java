import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

final class lrucache {
    static final class Entry<V> {
        final String key;
        final V value;
        Entry<V> older, newer;

        Entry(String key, V value) {
            this.key = key;
            this.value = value;
        }
    }

    static final class Cache<V> {
        final int room;
        final Map<String, Entry<V>> entries = new HashMap<>();
        Entry<V> oldest, newest;
        int hits = 0, misses = 0;

        Cache(int room) { this.room = room; }

        void unlink(Entry<V> entry) {
            if (entry.older != null) entry.older.newer = entry.newer; else oldest = entry.newer;
            if (entry.newer != null) entry.newer.older = entry.older; else newest = entry.older;
        }

        void append(Entry<V> entry) {
            entry.older = newest;
            entry.newer = null;
            if (newest != null) newest.newer = entry; else oldest = entry;
            newest = entry;
        }

        V fetch(String key, Function<String, V> load) {
            Entry<V> found = entries.get(key);
            if (found != null) {
                hits++;
                unlink(found);
                append(found);
                return found.value;
            }
            misses++;
            if (entries.size() == room) {
                Entry<V> first = oldest;
                unlink(first);
                entries.remove(first.key);
            }
            Entry<V> entry = new Entry<>(key, load.apply(key));
            entries.put(key, entry);
            append(entry);
            return entry.value;
        }

        boolean forget(String key) {
            Entry<V> entry = entries.remove(key);
            if (entry == null) return false;
            unlink(entry);
            return true;
        }
    }

    static final class Page {
        final String title;
        final int size;
        int views = 0;

        Page(String title, int size) {
            this.title = title;
            this.size = size;
        }
    }

    static long seed = 42;

    static int rnd(int m) {
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFFL;
        return (int) (seed >> 8) % m;
    }

    static long bench(int n) {
        String[] keys = new String[4000];
        String[] kinds = {"guide", "news", "map"};
        for (int i = 0; i < keys.length; i++) keys[i] = "/pages/" + kinds[i % 3] + "/" + i;
        Cache<Page> cache = new Cache<>(500);
        long[] loaded = {0};
        Function<String, Page> load = key -> {
            loaded[0] += key.length();
            return new Page(key.substring(7), key.length() * 100 + key.charAt(key.length() - 1));
        };
        long sum = 0, forgotten = 0;
        for (int i = 0; i < n * 1000; i++) {
            String key = keys[rnd(3) == 0 ? rnd(4000) : rnd(1 + rnd(600))];
            if (rnd(50) == 0) {
                if (cache.forget(key)) forgotten++;
            } else {
                Page page = cache.fetch(key, load);
                page.views++;
                sum = (sum * 31 + page.size + page.views) & 0xFFFFFFFFL;
            }
        }
        return (sum + cache.hits * 3L + cache.misses + loaded[0] + forgotten * 7) & 0xFFFFFFFFL;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 3000));
    }
}
