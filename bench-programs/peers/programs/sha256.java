final class sha256 {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int[] K = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    };
    static final int[] h = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    static final int[] w = new int[64];

    static int rotr(int x, int n) { return x >>> n | x << 32 - n; }

    static void compress(int[] message, int start) {
        System.arraycopy(message, start, w, 0, 16);
        for (int i = 16; i < 64; i++) {
            int p = w[i - 15], q = w[i - 2];
            int s0 = rotr(p, 7) ^ rotr(p, 18) ^ p >>> 3, s1 = rotr(q, 17) ^ rotr(q, 19) ^ q >>> 10;
            w[i] = w[i - 16] + s0 + w[i - 7] + s1;
        }
        int a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], k = h[7];
        for (int i = 0; i < 64; i++) {
            int t1 = k + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + (e & f ^ ~e & g) + K[i] + w[i];
            int t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + (a & b ^ a & c ^ b & c);
            k = g;
            g = f;
            f = e;
            e = d + t1;
            d = c;
            c = b;
            b = a;
            a = t1 + t2;
        }
        h[0] += a; h[1] += b; h[2] += c; h[3] += d; h[4] += e; h[5] += f; h[6] += g; h[7] += k;
    }

    static long bench(int n) {
        int[] message = new int[1024];
        for (int i = 0; i < 1024; i++) message[i] = rnd(16777216);
        for (int r = 0; r < n; r++) for (int i = 0; i < 1024; i += 16) compress(message, i);
        return (h[0] & 0xFFFFFFFFL) + ((long) (h[7] & 0xFFFFF) << 32);
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 40000));
    }
}
