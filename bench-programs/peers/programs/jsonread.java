final class jsonread {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int SIZE = 65536, LONGEST = 8192, DEPTH = 64;
    static final int BETWEEN = 0, NUMBER = 1, STRING = 2, ESCAPE = 3, WORD = 4;

    static final byte[] buf = new byte[SIZE + LONGEST];
    static int len;

    static void put(int c) { buf[len++] = (byte) c; }
    static void put_all(String s) { for (int i = 0; i < s.length(); i++) put(s.charAt(i)); }

    static void put_number(int m) {
        put('1' + rnd(9));
        for (int i = 1; i < m; i++) put('0' + rnd(10));
    }

    static void put_samples() {
        put('[');
        for (int i = 800 + rnd(800); i > 0; i--) { put_number(3); put(','); }
        put_number(3);
        put(']');
    }

    static void put_text() {
        put('"');
        for (int i = 1000 + rnd(3000); i > 0; i--) {
            if (rnd(200) == 0) put_all("\\n");
            else put('a' + rnd(26));
        }
        put('"');
    }

    static void put_records() {
        put('[');
        for (int i = 20 + rnd(60); i > 0; i--) {
            put_all("{\"id\":");
            put_number(4);
            put_all(",\"name\":\"");
            for (int k = 3 + rnd(8); k > 0; k--) put('a' + rnd(26));
            put_all(rnd(4) == 0 ? "\",\"on\":false," : "\",\"on\":true,");
            put_all("\"at\":-");
            put_number(1 + rnd(5));
            put_all("},");
        }
        put_all("null]");
    }

    static void put_nest() {
        for (int round = 20 + rnd(40); round > 0; round--) {
            int depth = 4 + rnd(20);
            for (int i = 0; i < depth; i++) put('[');
            put_number(2);
            for (int i = 0; i < depth; i++) put(']');
            put(',');
        }
        put_all("{}");
    }

    static void generate() {
        len = 0;
        put('[');
        while (len < SIZE) {
            switch (rnd(4)) {
            case 0: put_samples(); break;
            case 1: put_text(); break;
            case 2: put_records(); break;
            default: put_nest(); break;
            }
            put(',');
        }
        put_all("0]\n");
    }

    static long read(byte[] src, byte[] stack, int r) {
        int state = BETWEEN, depth = 0, number = 0, hash = r & 0xFFFF;
        int strings = 0, keys = 0, words = 0, deepest = 0;
        boolean expects_key = false, in_key = false, negative = false;
        long sum = 0;
        for (int i = 0; i < len; i++) {
            int c = src[i];
            if (state == NUMBER) {
                if (c >= '0' && c <= '9') { number = (number * 10 + c - '0') & 0xFFFFFF; continue; }
                sum += negative ? -number : number;
                negative = false;
                state = BETWEEN;
            } else if (state == STRING) {
                if (c == '\\') {
                    state = ESCAPE;
                } else if (c == '"') {
                    if (in_key) keys++;
                    else strings++;
                    state = BETWEEN;
                } else {
                    hash = (hash * 31 + c) & 0xFFFFFF;
                }
                continue;
            } else if (state == ESCAPE) {
                hash = (hash * 33 + c) & 0xFFFFFF;
                state = STRING;
                continue;
            } else if (state == WORD) {
                if (c >= 'a' && c <= 'z') continue;
                words++;
                state = BETWEEN;
            }
            if (c >= '0' && c <= '9') { number = c - '0'; state = NUMBER; }
            else if (c == ',') expects_key = stack[depth] == '{';
            else if (c == '"') { in_key = expects_key; state = STRING; }
            else if (c == ':') expects_key = false;
            else if (c == '[' || c == '{') {
                depth++;
                stack[depth] = (byte) c;
                expects_key = c == '{';
                if (depth > deepest) deepest = depth;
            }
            else if (c == ']' || c == '}') depth--;
            else if (c == '-') negative = true;
            else if (c >= 'a' && c <= 'z') state = WORD;
        }
        return sum + hash + strings * 3 + keys * 5 + words * 7 + deepest * 11;
    }

    static long bench(int n) {
        generate();
        byte[] stack = new byte[DEPTH];
        long total = 0;
        for (int r = 0; r < n; r++) total += read(buf, stack, r);
        return total;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 4500));
    }
}
