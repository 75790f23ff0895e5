import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

final class pipeline {
    static final int SALES = 5000;

    record Sale(int region, String product, int amount, int cents) {}

    record Key(int region, String product) {}

    static long seed = 42;

    static int rnd(int m) {
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFFL;
        return (int) (seed >> 8) % m;
    }

    static <T, K> Map<K, List<T>> groupBy(List<T> xs, Function<T, K> key) {
        return xs.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
    }

    static IntUnaryOperator rule(int kind, int by) {
        return switch (kind) {
            case 0 -> cents -> cents + by;
            case 1 -> cents -> cents - cents * by / 100;
            case 2 -> cents -> Math.max(cents, by * 10);
            default -> cents -> cents % by == 0 ? cents - by : cents;
        };
    }

    static IntUnaryOperator chain(List<IntUnaryOperator> rules) {
        return rules.stream().reduce(IntUnaryOperator.identity(), IntUnaryOperator::andThen);
    }

    static long sum;

    static void report(long x) { sum = (sum * 31 + x) & 0xFFFFFFFFL; }

    static long bench(int n) {
        String[] products = {"lamp", "rope", "oil", "candle", "map", "compass"};
        List<Sale> sales = new ArrayList<>();
        for (int i = 0; i < SALES; i++) sales.add(new Sale(rnd(8), products[rnd(6)], 1 + rnd(20), 50 + rnd(5000)));
        sum = 0;
        for (int pass = 0; pass < n; pass++) {
            int least = rnd(1000), region = rnd(8);
            List<Sale> large = sales.stream()
                .filter(s -> s.amount * s.cents > least * 10 && s.region != region).collect(Collectors.toList());
            report(large.stream().mapToLong(s -> s.amount * s.cents).sum());
            report(large.stream().filter(s -> s.product.equals("oil")).count());

            IntUnaryOperator price = chain(IntStream.range(0, 4).mapToObj(kind -> rule(kind, 2 + rnd(30))).toList());
            report(large.stream().mapToInt(s -> price.applyAsInt(s.cents)).reduce(0, Math::max));
            for (Map.Entry<String, List<Sale>> entry : groupBy(large, s -> s.product).entrySet()) {
                int[] seen = {0};
                List<Sale> costly = entry.getValue().stream().filter(s -> {
                    seen[0] += s.amount;
                    return s.cents > 4000;
                }).collect(Collectors.toList());
                report(entry.getKey().length() + seen[0] + costly.size());
            }
            Key best = null;
            int most = 0;
            for (Map.Entry<Key, List<Sale>> entry : groupBy(large, s -> new Key(s.region, s.product)).entrySet()) {
                int amount = entry.getValue().stream().mapToInt(s -> s.amount).sum();
                if (best == null || amount > most) {
                    best = entry.getKey();
                    most = amount;
                }
            }
            if (best != null) report(best.region * 100 + best.product.length() + most);
            report(IntStream.range(0, large.size()).filter(i -> i % 7 == 0).limit(products.length)
                .map(i -> large.get(i).cents).sum());
            int any = large.stream().anyMatch(s -> s.cents == least) ? 1 : 0;
            report(any + (large.stream().allMatch(s -> s.cents >= 50) ? 1 : 0));
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 600));
    }
}
