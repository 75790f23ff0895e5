/* Compresses text with zlib at three levels, and back. */
#include "text.h"
#include <stdio.h>
#include <zlib.h>

int main(int argc, char **argv) {
    uLong length = (argc > 1 ? atoi(argv[1]) : 3000) * 1000ul;
    unsigned char *text = text_of(length), *again = malloc(length), *bytes = malloc(compressBound(length));
    for (int level = 1; level <= 9; level += 4) {
        uLong packed = compressBound(length), back = length;
        if (compress2(bytes, &packed, text, length, level) != Z_OK) return 1;
        if (uncompress(again, &back, bytes, packed) != Z_OK) return 1;
        printf("%lu %lu %08x %d\n", length, packed, checksum_of(bytes, packed), memcmp(text, again, length));
    }
    return 0;
}
