/* Compresses text with zstd at two levels, and back. */
#include "text.h"
#include <stdio.h>
#include <zstd.h>

int main(int argc, char **argv) {
    size_t length = (argc > 1 ? atoi(argv[1]) : 4000) * 1000ul, room = ZSTD_compressBound(length);
    unsigned char *text = text_of(length), *again = malloc(length), *bytes = malloc(room);
    for (int level = 3; level <= 11; level += 8) {
        size_t packed = ZSTD_compress(bytes, room, text, length, level);
        if (ZSTD_isError(packed) || ZSTD_decompress(again, length, bytes, packed) != length) return 1;
        printf("%zu %zu %08x %d\n", length, packed, checksum_of(bytes, packed), memcmp(text, again, length));
    }
    return 0;
}
