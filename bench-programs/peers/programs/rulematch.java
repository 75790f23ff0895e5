final class rulematch {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int SIZE = 32768, SECTION = 4096, LONGEST = 512;
    static final int PROSE = 0, LOG = 1, TABLE = 2, BORDER = 3;

    static final byte[][] rules = {
        bytes("*error*"), bytes("##:##:## warn*"), bytes("*@=####? *"),
        bytes("*,9##.##,*,1##.##,*"), bytes("+*-+*-+"), bytes("*@@@@@@@@@ ??? *"),
    };
    static final byte[] buf = new byte[SIZE + LONGEST];
    static int len;

    static byte[] bytes(String s) { return s.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1); }

    static void put(int c) { buf[len++] = (byte) c; }
    static void put_all(String s) { for (int i = 0; i < s.length(); i++) put(s.charAt(i)); }
    static void letters(int m) { for (int i = 0; i < m; i++) put('a' + rnd(26)); }
    static void digits(int m) { for (int i = 0; i < m; i++) put('0' + rnd(10)); }

    static void put_line(int kind) {
        int end = len + 80 + rnd(120);
        if (kind == PROSE) {
            while (len < end) {
                if (rnd(50) == 0) put_all("error"); else letters(1 + rnd(9));
                put(' ');
            }
        } else if (kind == LOG) {
            digits(2);
            put(':');
            digits(2);
            put(':');
            digits(2);
            int level = rnd(8);
            put_all(level == 0 ? " error" : level < 3 ? " warn" : " info");
            while (len < end) {
                put(' ');
                letters(1 + rnd(7));
                put('=');
                digits(1 + rnd(5));
            }
        } else if (kind == TABLE) {
            while (len < end + 150) {
                digits(3);
                put('.');
                digits(2);
                put(',');
            }
        } else {
            put('+');
            while (len < end) {
                int m = 20 + rnd(40);
                for (int i = 0; i < m; i++) put('-');
                put('+');
            }
        }
        put('\n');
    }

    static void generate() {
        len = 0;
        while (len < SIZE) put_line(len / SECTION % 4);
    }

    static boolean matches(byte[] rule, byte[] src, int from, int to) {
        int m = rule.length, p = 0, s = from, star = -1, mark = 0;
        while (s < to) {
            int c = src[s];
            boolean fits = false;
            if (p < m) {
                int want = rule[p];
                if (want == '*') {
                    star = p;
                    mark = s;
                    p++;
                    continue;
                }
                if (want == '#') fits = c >= '0' && c <= '9';
                else if (want == '@') fits = c >= 'a' && c <= 'z';
                else fits = want == c || want == '?';
            }
            if (fits) {
                p++;
                s++;
            } else if (star >= 0) {
                p = star + 1;
                mark++;
                s = mark;
            } else {
                return false;
            }
        }
        while (p < m && rule[p] == '*') p++;
        return p == m;
    }

    static int scan(byte[] src, int r) {
        int hash = r & 0xFFFF, found = 0, from = 0;
        while (from < len) {
            int to = from;
            while (src[to] != '\n') to++;
            for (int i = 0; i < rules.length; i++) {
                if (matches(rules[i], src, from, to)) {
                    found++;
                    hash = (hash * 31 + from + i) & 0xFFFFFF;
                }
            }
            from = to + 1;
        }
        return found * 100 + hash;
    }

    static long bench(int n) {
        generate();
        long total = 0;
        for (int r = 0; r < n; r++) total += scan(buf, r);
        return total;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 1500));
    }
}
