final class huffman {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int SIZE = 32768;

    static void generate(byte[] text) {
        int i = 0;
        while (i < SIZE) {
            int kind = rnd(8), end = Math.min(i + 200 + rnd(1500), SIZE), width = 2 + rnd(3);
            for (; i < end; i++) {
                if (kind < 3) text[i] = 32;
                else if (kind == 3) text[i] = 45;
                else if (kind < 7) text[i] = (byte) (i % width == 0 ? 124 : 32);
                else if (rnd(6) == 0) text[i] = (byte) (rnd(10) == 0 ? 10 : 32);
                else text[i] = (byte) (97 + rnd(26) * rnd(26) / 26);
            }
        }
    }

    static int build(byte[] text, int[] left, int[] right) {
        int[] weight = new int[512];
        for (int i = 0; i < SIZE; i++) weight[text[i]]++;
        for (int next = 256;; next++) {
            int a = -1, b = -1;
            for (int i = 0; i < next; i++) {
                if (weight[i] > 0) {
                    if (a < 0 || weight[i] < weight[a]) { b = a; a = i; }
                    else if (b < 0 || weight[i] < weight[b]) b = i;
                }
            }
            if (b < 0) return a;
            left[next] = a;
            right[next] = b;
            weight[next] = weight[a] + weight[b];
            weight[a] = weight[b] = 0;
        }
    }

    static int encode(byte[] text, int[] left, int[] right, int root, byte[] bits) {
        int[] parent = new int[512], path = new int[64];
        int size = 0;
        for (int i = 256; i <= root; i++) parent[left[i]] = parent[right[i]] = i;
        for (int i = 0; i < SIZE; i++) {
            int node = text[i], depth = 0;
            while (node != root) {
                path[depth++] = right[parent[node]] == node ? 1 : 0;
                node = parent[node];
            }
            while (depth > 0) {
                if (path[--depth] != 0) bits[size >> 3] |= (byte) (128 >> (size & 7));
                size++;
            }
        }
        return size;
    }

    static int decode(byte[] bits, int size, int[] left, int[] right, int root, int start) {
        int node = root, hash = start, column = 0;
        for (int i = 0; i < size; i++) {
            if ((bits[i >> 3] >> (7 - (i & 7)) & 1) == 0) node = left[node];
            else node = right[node];
            if (node < 256) {
                if (node == 10) {
                    hash = (hash + column) & 0xFFFFFF;
                    column = 0;
                } else {
                    hash = (hash * 31 + node) & 0xFFFFFF;
                    column++;
                }
                node = root;
            }
        }
        return hash;
    }

    static long bench(int n) {
        byte[] text = new byte[SIZE], bits = new byte[SIZE];
        int[] left = new int[512], right = new int[512];
        generate(text);
        int root = build(text, left, right), size = encode(text, left, right, root, bits), sum = 0;
        for (int r = 0; r < n; r++) sum = decode(bits, size, left, right, root, (sum + r) & 0xFFFFFF);
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 5000));
    }
}
