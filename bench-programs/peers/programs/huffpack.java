final class huffpack {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int SIZE = 32768;

    static final class Tree {
        final int[] weight = new int[512], child = new int[1024], parent = new int[512];
        int root = 256;
    }

    static void prose(byte[] text) {
        String[] words = {
            "the ", "of ", "and ", "a ", "to ", "in ", "path ", "was worn ", "deep ", "by feet ", "holloway ",
            "between ", "banks; ", "lane.\n",
        };
        int size = 0;
        while (size < SIZE) {
            String word = words[Math.min(rnd(words.length), rnd(words.length))];
            int length = Math.min(word.length(), SIZE - size);
            for (int i = 0; i < length; i++) text[size + i] = (byte) word.charAt(i);
            size += length;
        }
    }

    static byte[] generate(int kind) {
        byte[] text = new byte[SIZE];
        switch (kind) {
        case 0: prose(text); break;
        case 1: for (int i = 0; i < SIZE / 40; i++) text[rnd(SIZE)] = (byte) (1 << rnd(8)); break;
        default: for (int i = 0; i < SIZE; i++) text[i] = (byte) rnd(100);
        }
        return text;
    }

    static int lightest(Tree t, int count, int except) {
        int best = -1;
        for (int i = 0; i < count; i++) {
            if (t.weight[i] > 0 && t.parent[i] < 0 && i != except && (best < 0 || t.weight[i] < t.weight[best])) {
                best = i;
            }
        }
        return best;
    }

    static Tree build(byte[] text) {
        Tree t = new Tree();
        java.util.Arrays.fill(t.parent, -1);
        for (byte c : text) t.weight[c & 255]++;
        for (int count = 256;; count++) {
            int a = lightest(t, count, -1), b = lightest(t, count, a);
            if (b < 0) return t;
            t.weight[count] = t.weight[a] + t.weight[b];
            t.child[2 * count] = a;
            t.child[2 * count + 1] = b;
            t.parent[a] = t.parent[b] = count;
            t.root = count;
        }
    }

    static int pack(Tree t, byte[] text, byte[] bits) {
        int[] code = new int[256], length = new int[256];
        for (int c = 0; c < 256; c++) {
            for (int node = c; t.weight[c] > 0 && node != t.root; node = t.parent[node]) {
                if (t.child[2 * t.parent[node] + 1] == node) code[c] |= 1 << length[c];
                length[c]++;
            }
        }
        int size = 0, pending = 0, held = 0;
        for (byte b : text) {
            int c = b & 255;
            pending = pending << length[c] | code[c];
            held += length[c];
            while (held >= 8) {
                held -= 8;
                bits[size++] = (byte) (pending >> held);
            }
            pending &= 255;
        }
        bits[size] = (byte) (pending << 8 - held);
        return size * 8 + held;
    }

    static int unpack(Tree t, byte[] bits, int count, byte[] out) {
        int size = 0, node = t.root;
        for (int i = 0; i < count; i++) {
            int bit = bits[i >> 3] >> 7 - (i & 7) & 1;
            node = t.child[2 * node + bit];
            if (node < 256) {
                out[size++] = (byte) node;
                node = t.root;
            }
        }
        return size;
    }

    static long bench(int n) {
        byte[] bits = new byte[SIZE * 4], out = new byte[SIZE];
        long sum = 0;
        for (int kind = 0; kind < 3; kind++) {
            byte[] text = generate(kind);
            for (int r = 0; r < n; r++) {
                text[r * 7 % SIZE] = text[r * 11 % SIZE];
                Tree t = build(text);
                int count = pack(t, text, bits);
                sum += count + unpack(t, bits, count, out);
                for (int i = r % 32; i < SIZE; i += 32) sum += out[i] == text[i] ? 1 : 0;
            }
            for (byte c : out) sum = (sum * 31 + (c & 255)) & 0xFFFFFFFFL;
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 500));
    }
}
