/* Text that compresses as prose does: words of a small vocabulary, by a generator of its own. The same on every machine. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint32_t text_state = 1;

static uint32_t text_next(void) {
    text_state = text_state * 1664525u + 1013904223u;
    return text_state >> 8;
}

static unsigned char *text_of(size_t length) {
    unsigned char *text = malloc(length + 16);
    char words[512][12];
    for (int word = 0; word < 512; word++) {
        int letters = 2 + text_next() % 9;
        for (int at = 0; at < letters; at++) words[word][at] = 'a' + text_next() % 26;
        words[word][letters] = 0;
    }
    size_t at = 0;
    while (at < length) {
        /* The product of two draws: some words are frequent. */
        uint32_t word = (text_next() % 512) * (text_next() % 512) / 512;
        size_t letters = strlen(words[word]);
        memcpy(text + at, words[word], letters);
        at += letters;
        text[at++] = text_next() % 12 ? ' ' : '\n';
    }
    return text;
}

static uint32_t checksum_of(const unsigned char *bytes, size_t length) {
    uint32_t sum = 2166136261u;
    for (size_t at = 0; at < length; at++) sum = (sum ^ bytes[at]) * 16777619u;
    return sum;
}
