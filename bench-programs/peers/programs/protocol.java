final class protocol {
    static int seed = 42;
    static int lcg() { return seed = seed * 1664525 + 1013904223; }
    static int rnd(int m) { return (lcg() >>> 8) % m; }

    static final int SIZE = 65536, CHUNK = 1500, FLAG = 0x7E, ESCAPE = 0x7D;
    static final int PING = 1, TEXT = 2, BLOCK = 3, STATUS = 4;
    static final int HUNT = 0, KIND = 1, LENGTH = 2, BODY = 3, CHECK_LOW = 4, CHECK_HIGH = 5;
    static final int[] table = new int[256];

    static final class Line {
        final byte[] data = new byte[SIZE + 1024];
        int size, check;
    }

    static final class Receiver {
        int state = HUNT, kind, left, check, filled, text, status;
        boolean escaped;
        long pings, blocks, errors;
        final byte[] body = new byte[256];
    }

    static void send(Line l, int c) {
        l.check = l.check >> 8 ^ table[(l.check ^ c) & 255];
        if (c == FLAG || c == ESCAPE) l.data[l.size++] = ESCAPE;
        l.data[l.size++] = (byte) (c == FLAG || c == ESCAPE ? c ^ 32 : c);
    }

    static void sendMessage(Line l, int kind, int length) {
        l.data[l.size++] = FLAG;
        l.check = 0xFFFF;
        send(l, kind);
        send(l, length);
        for (int i = 0; i < length; i++) send(l, kind == TEXT ? 'a' + rnd(26) : rnd(8) == 0 ? FLAG : rnd(256));
        int check = l.check;
        send(l, check & 255);
        send(l, check >> 8);
        if (rnd(50) == 0) l.data[l.size - 3] ^= 4;
    }

    static Line traffic(int phase) {
        Line l = new Line();
        for (int i = 0; l.size < SIZE; i++) {
            switch (phase == 3 ? rnd(4) : phase) {
            case 0: sendMessage(l, PING, 0); break;
            case 1: sendMessage(l, TEXT, 20 + rnd(60)); break;
            case 2: if (i % 5 == 4) sendMessage(l, STATUS, 4); else sendMessage(l, BLOCK, 128); break;
            default: sendMessage(l, STATUS, 4);
            }
        }
        return l;
    }

    static void deliver(Receiver r) {
        switch (r.kind) {
        case PING: r.pings++; break;
        case TEXT: for (int i = 0; i < r.filled; i++) r.text = (r.text * 31 + (r.body[i] & 255)) & 0xFFFFFF; break;
        case BLOCK: for (int i = 0; i < r.filled; i++) r.blocks += r.body[i] & 255; break;
        case STATUS: r.status ^= r.body[0] & 255 | (r.body[1] & 255) << 8 | (r.body[2] & 255) << 16; break;
        default: r.errors++;
        }
    }

    static void receive(Receiver r, byte[] data, int start, int end) {
        for (int i = start; i < end; i++) {
            int c = data[i] & 255;
            if (c == FLAG) {
                if (r.state != HUNT) r.errors++;
                r.state = KIND;
                r.escaped = false;
                r.check = 0xFFFF;
                continue;
            }
            if (r.state == HUNT) continue;
            if (c == ESCAPE) {
                r.escaped = true;
                continue;
            }
            if (r.escaped) {
                c ^= 32;
                r.escaped = false;
            }
            if (r.state < CHECK_LOW) r.check = r.check >> 8 ^ table[(r.check ^ c) & 255];
            switch (r.state) {
            case KIND: r.kind = c; r.state = LENGTH; break;
            case LENGTH:
                r.left = c;
                r.filled = 0;
                r.state = c > 0 ? BODY : CHECK_LOW;
                break;
            case BODY:
                r.body[r.filled++] = (byte) c;
                if (r.filled == r.left) r.state = CHECK_LOW;
                break;
            case CHECK_LOW: r.check ^= c; r.state = CHECK_HIGH; break;
            default:
                if (r.check == c << 8) deliver(r); else r.errors++;
                r.state = HUNT;
            }
        }
    }

    static long bench(int n) {
        for (int i = 0; i < 256; i++) {
            int c = i;
            for (int bit = 0; bit < 8; bit++) c = (c & 1) == 1 ? c >> 1 ^ 0x8408 : c >> 1;
            table[i] = c;
        }
        Receiver r = new Receiver();
        for (int phase : new int[] {0, 2, 1, 3, 2, 0}) {
            Line l = traffic(phase);
            for (int pass = 0; pass < n; pass++) {
                for (int i = 0; i < l.size; i += CHUNK) receive(r, l.data, i, Math.min(i + CHUNK, l.size));
            }
        }
        return r.pings + r.text * 3L + r.blocks * 5 + r.status * 7L + r.errors * 11;
    }

    public static void main(String[] args) {
        System.out.println(bench(args.length > 0 ? Integer.parseInt(args[0]) : 400));
    }
}
