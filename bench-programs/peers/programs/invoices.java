import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

final class invoices {
    static final int WIDTH = 46;
    static final String[] WORDS =
        "goods were sent by the river boat and must be paid within thirty days of this letter".split(" ");

    record Line(String name, int count, int cents) {}

    static long seed = 42;

    static int rnd(int m) {
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFFL;
        return (int) (seed >> 8) % m;
    }

    static List<Line> order() {
        String[] names = {"lamp oil", "rope", "tallow candles", "map of the holloway", "tin box", "walking stick"};
        List<Line> lines = new ArrayList<>();
        for (int i = 2 + rnd(6); i > 0; i--) lines.add(new Line(names[rnd(6)], 1 + rnd(12), 5 + rnd(9000)));
        return lines;
    }

    static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.trim().split(" ")) {
            if (line.length() > 0 && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            if (line.length() > 0) line.append(' ');
            line.append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    static String money(int cents) {
        int whole = cents / 100;
        String text = String.format(".%02d", cents % 100);
        while (whole >= 1000) {
            text = String.format(",%03d", whole % 1000) + text;
            whole /= 1000;
        }
        return whole + text;
    }

    static String centred(String text, int width) {
        int left = (width - text.length()) / 2;
        return " ".repeat(left) + text + " ".repeat(width - text.length() - left);
    }

    static String invoice(int number) {
        StringBuilder out = new StringBuilder();
        out.append(String.format("Invoice %06d", number).toUpperCase(Locale.ROOT)).append('\n');
        out.append("=".repeat(WIDTH)).append('\n');
        int total = 0, i = 0;
        for (Line line : order()) {
            int price = line.count * line.cents;
            out.append(String.format("%2d %-19.16s%4d x%8s%11s\n", ++i, line.name, line.count, money(line.cents), money(price)));
            total += price;
        }
        out.append("-".repeat(WIDTH)).append('\n');
        out.append(String.format("%-30s%16s\n", "total", money(total)));
        out.append(String.format(Locale.ROOT, "%-30s%16.2f\n", "of that tax", total * 19 / 119 / 100.0));
        StringBuilder note = new StringBuilder();
        for (int k = 10 + rnd(20); k > 0; k--) note.append(WORDS[rnd(WORDS.length)]).append(' ');
        for (String line : wrapped(note.toString(), WIDTH - 4)) out.append("| ").append(centred(line, 42)).append(" |\n");
        return out.toString();
    }

    static long bench(int n) {
        long sum = 0;
        List<String> pages = new ArrayList<>();
        for (int i = 0; i < n * 100; i++) {
            pages.add(invoice(i));
            if (pages.size() == 20) {
                String text = String.join("\n", pages);
                sum = (sum * 31 + text.length()) & 0xFFFFFFFFL;
                for (int k = 0; k < text.length(); k += 5) sum = (sum * 31 + text.charAt(k)) & 0xFFFFFFFFL;
                pages.clear();
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 300));
    }
}
