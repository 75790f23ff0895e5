final class jsonscan {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int SIZE = 65536;
    static final int VALUE = 0, VALUE_OR_END = 1, KEY = 2, KEY_OR_END = 3, COLON = 4, COMMA_OR_END = 5;

    static final class Document {
        final byte[] data = new byte[SIZE + 256];
        int size;
    }

    static final class Totals {
        long strings, keys, numbers, words;
        int deepest, hash;
    }

    static void put(Document d, String s) {
        for (int i = 0; i < s.length(); i++) d.data[d.size++] = (byte) s.charAt(i);
    }

    static Document records() {
        Document d = new Document();
        String[] names = {"anna", "Bob \\\"B\\\"", "carla m."}, stock = {"true", "true", "false", "null"};
        put(d, "[");
        while (d.size < SIZE) {
            if (d.size > 1) put(d, ",\n");
            put(d, "{\"id\": " + rnd(100000) + ", \"name\": \"" + names[rnd(3)]);
            put(d, "\", \"price\": " + rnd(1000) + "." + (10 + rnd(90)) + ", \"tags\": [");
            for (int t = 0, m = rnd(3); t < m; t++) put(d, t == 0 ? "\"new\"" : ", \"on sale\"");
            put(d, "], \"stock\": " + stock[rnd(4)] + "}");
        }
        put(d, "]\n");
        return d;
    }

    static Document numbers() {
        Document d = new Document();
        put(d, "{\"rows\": [");
        while (d.size < SIZE) {
            put(d, d.size > 10 ? ",\n[" : "[");
            for (int i = 0; i < 8; i++) {
                put(d, i > 0 ? ", " : "");
                put(d, Integer.toString(rnd(20000) - 1000));
            }
            put(d, "]");
        }
        put(d, "]}\n");
        return d;
    }

    static int stringEnd(Document d, int from) {
        int i = from;
        while (i < d.size) {
            int c = d.data[i];
            if (c == '"') return i + 1;
            if (c < ' ') return -1;
            i += c == '\\' ? 2 : 1;
        }
        return -1;
    }

    static int skipDigits(Document d, int from) {
        int i = from;
        while (d.data[i] >= '0' && d.data[i] <= '9') i++;
        return i;
    }

    static int check(Document d, byte[] open, Totals t) {
        int depth = 0, next = VALUE, i = 0;
        while (i < d.size) {
            int c = d.data[i];
            switch (c) {
            case ' ': case '\n': i++; break;
            case '{': case '[':
                if (next > VALUE_OR_END) return i;
                open[depth++] = (byte) c;
                t.deepest = Math.max(t.deepest, depth);
                next = c == '{' ? KEY_OR_END : VALUE_OR_END;
                i++;
                break;
            case '}': case ']':
                if (depth == 0 || open[depth - 1] != c - 2) return i;
                if (next != COMMA_OR_END && next != VALUE_OR_END && next != KEY_OR_END) return i;
                depth--;
                next = COMMA_OR_END;
                i++;
                break;
            case ',':
                if (next != COMMA_OR_END || depth == 0) return i;
                next = open[depth - 1] == '{' ? KEY : VALUE;
                i++;
                break;
            case ':':
                if (next != COLON) return i;
                next = VALUE;
                i++;
                break;
            case '"': {
                if (next > KEY_OR_END) return i;
                int end = stringEnd(d, i + 1);
                if (end < 0) return i;
                for (int k = i + 1; k < end - 1; k++) t.hash = (t.hash * 31 + d.data[k]) & 0xFFFFFF;
                if (next <= VALUE_OR_END) t.strings++; else t.keys++;
                next = next <= VALUE_OR_END ? COMMA_OR_END : COLON;
                i = end;
                break;
            }
            case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8':
            case '9': {
                if (next > VALUE_OR_END) return i;
                int end = skipDigits(d, c == '-' ? i + 1 : i);
                if (d.data[end] == '.') end = skipDigits(d, end + 1);
                t.numbers += end - i;
                next = COMMA_OR_END;
                i = end;
                break;
            }
            case 't': case 'f': case 'n': {
                if (next > VALUE_OR_END) return i;
                String word = c == 't' ? "true" : c == 'f' ? "false" : "null";
                for (int k = 0; k < word.length(); k++) if (d.data[i + k] != word.charAt(k)) return i;
                t.words++;
                next = COMMA_OR_END;
                i += word.length();
                break;
            }
            default: return i;
            }
        }
        return depth == 0 ? d.size : i;
    }

    static long bench(int n) {
        Totals t = new Totals();
        byte[] open = new byte[64];
        Document[] documents = {records(), numbers()};
        long sum = 0;
        for (Document d : documents) for (int r = 0; r < n; r++) sum += check(d, open, t);
        return sum + t.strings * 3 + t.keys * 5 + t.numbers * 7 + t.words * 11 + t.deepest + t.hash;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 2000));
    }
}
