/* Compresses standard input with zlib, decompresses the result, and compares: a program around the library, for docs/lab.md. */
#include <stdio.h>
#include <string.h>
#include <zlib.h>

static unsigned char in[1 << 20], packed[(1 << 20) + (1 << 16)], out[1 << 20];

int main(void) {
    uLong length = fread(in, 1, sizeof in, stdin);
    uLongf packed_length = sizeof packed, out_length = sizeof out;
    if (compress(packed, &packed_length, in, length) != Z_OK) return 1;
    if (uncompress(out, &out_length, packed, packed_length) != Z_OK) return 1;
    printf("%lu -> %lu bytes\n", length, packed_length);
    return out_length != length || memcmp(in, out, length) != 0;
}
