/* Compresses text with bzip2, and back. */
#include "text.h"
#include <bzlib.h>
#include <stdio.h>

void bz_internal_error(int code) {
    printf("bzip2: %d\n", code);
    exit(1);
}

int main(int argc, char **argv) {
    unsigned length = (argc > 1 ? atoi(argv[1]) : 3000) * 1000u;
    unsigned char *text = text_of(length);
    unsigned packed = length + length / 50 + 1000, back = length;
    char *bytes = malloc(packed), *again = malloc(length);
    if (BZ2_bzBuffToBuffCompress(bytes, &packed, (char *)text, length, 9, 0, 0)) return 1;
    if (BZ2_bzBuffToBuffDecompress(again, &back, bytes, packed, 0, 0)) return 1;
    printf("%u %u %08x %d\n", length, packed, checksum_of((unsigned char *)bytes, packed), memcmp(text, again, length));
    return 0;
}
