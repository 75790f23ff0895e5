final class regexdfa {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int LOG = 65536;

    static final class Nfa {
        final int[] kind = new int[64], times = new int[64];
        int size;
    }

    static final class Dfa {
        final int[] sets = new int[256], next = new int[65536];
        int count;
    }

    static final class Log {
        final byte[] data = new byte[LOG + 256];
        final int[] starts = new int[4096];
        int size, lines;
    }

    static Nfa compile(String src) {
        Nfa p = new Nfa();
        java.util.Arrays.fill(p.times, 1);
        for (int i = 0; i < src.length(); i++) {
            char c = src.charAt(i);
            if (c == '*' || c == '+' || c == '?') p.times[p.size - 1] = c;
            else if (c == '\\') p.kind[p.size++] = src.charAt(++i) + 256;
            else p.kind[p.size++] = c == '.' ? '.' + 256 : c;
        }
        return p;
    }

    static boolean accepts(int kind, int c) {
        if (kind < 256) return c == kind;
        switch (kind - 256) {
        case 'd': return c >= '0' && c <= '9';
        case 'w': return c >= 'a' && c <= 'z' || c >= '0' && c <= '9';
        default: return true;
        }
    }

    static int state(Nfa p, Dfa d, int tried) {
        int set = tried;
        for (int i = 0; i < p.size; i++) {
            if ((set >> i & 1) == 1 && (p.times[i] == '*' || p.times[i] == '?')) set |= 2 << i;
        }
        for (int s = 0; s < d.count; s++) if (d.sets[s] == set) return s;
        d.sets[d.count] = set;
        return d.count++;
    }

    static int follow(Nfa p, Dfa d, int s, int c) {
        int set = 1;
        for (int i = 0; i < p.size; i++) {
            if ((d.sets[s] >> i & 1) == 1 && accepts(p.kind[i], c)) {
                set |= 2 << i;
                if (p.times[i] == '*' || p.times[i] == '+') set |= 1 << i;
            }
        }
        return state(p, d, set);
    }

    static int search(Nfa p, Dfa d, byte[] text, int start, int end) {
        int s = 0;
        for (int i = start; i < end; i++) {
            int at = s * 256 + text[i];
            if (d.next[at] < 0) d.next[at] = follow(p, d, s, text[i]);
            s = d.next[at];
            if ((d.sets[s] >> p.size & 1) == 1) return i + 1;
        }
        return -1;
    }

    static int backtrack(Nfa p, byte[] text, int atom, int from, int end) {
        int i = from;
        for (int a = atom; a < p.size; a++) {
            int times = p.times[a];
            if (times == 1) {
                if (i >= end || !accepts(p.kind[a], text[i])) return -1;
                i++;
            } else {
                int least = times == '+' ? i + 1 : i, most = times == '?' ? Math.min(i + 1, end) : end;
                while (i < most && accepts(p.kind[a], text[i])) i++;
                for (; i > least; i--) {
                    int found = backtrack(p, text, a + 1, i, end);
                    if (found >= 0) return found;
                }
                if (i < least) return -1;
            }
        }
        return i;
    }

    static Log generate() {
        String[] levels = {" ERROR", " WARN", " INFO", " INFO", " INFO", " INFO", " INFO", " INFO"};
        String[] events = {" request took ", " cache miss for key ", " disk nearly full at "};
        Log log = new Log();
        int clock = 360000;
        while (log.size < LOG) {
            clock += rnd(4);
            String line = clock / 10000 + ":" + clock % 10000;
            line += levels[rnd(8)];
            line += " [worker-" + rnd(8) + "] user=anna" + rnd(100);
            line += events[Math.max(rnd(8) - 5, 0)];
            line += rnd(1000) + "ms";
            log.starts[log.lines++] = log.size;
            for (int i = 0; i < line.length(); i++) log.data[log.size++] = (byte) line.charAt(i);
        }
        log.starts[log.lines] = log.size;
        return log;
    }

    static long bench(int n) {
        Log log = generate();
        long sum = 0;
        for (String src : new String[] {"WA?RN.*took \\d+ms", "user=\\w+ .*miss", "\\d\\d:\\d*5\\d? ERROR"}) {
            Nfa p = compile(src);
            Dfa d = new Dfa();
            java.util.Arrays.fill(d.next, -1);
            state(p, d, 1);
            for (int r = 0; r < n; r++) {
                for (int l = 0; l < log.lines; l++) {
                    int start = log.starts[l], end = log.starts[l + 1];
                    sum += search(p, d, log.data, start, end) - start;
                    if ((l + r) % 8 != 0) continue;
                    int found = -1;
                    for (int at = start; at < end && found < 0; at++) found = backtrack(p, log.data, 0, at, end);
                    sum += found * 7;
                }
            }
            sum += d.count * 1000;
        }
        return sum & 0xFFFFFFFFL;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 800));
    }
}
