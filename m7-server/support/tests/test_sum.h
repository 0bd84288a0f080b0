/* For the tests of characters: golden files, and sums over many texts. */
#ifndef TEST_SUM_H
#define TEST_SUM_H

#include "buffer.h"
#include "unicode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static inline struct bytes text_of(const char *string)
{
    struct bytes text = {0};
    bytes_add_string(&text, string);
    return text;
}

/* CRC-32, as zlib has it, written as eight digits. */
static inline const char *crc_of(const struct bytes *b, char text[9])
{
    uint32_t crc = 0xFFFFFFFF, table[256];
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xEDB88320 : 0);
    }
    for (size_t i = 0; i < b->size; i++)
        crc = crc >> 8 ^ table[(crc ^ (unsigned char)b->data[i]) & 255];
    snprintf(text, 9, "%08x", (unsigned)~crc);
    return text;
}

static inline json_t *golden_open(const char *path)
{
    json_error_t why;
    json_t *root = json_load_file(path, 0, &why);
    if (!root)
        print_error("%s: %s\n", path, why.text);
    assert_non_null(root);
    return root;
}

/* A member of an object, or of one in it. */
static inline const json_t *golden_get(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_non_null(value);
    return value;
}

static inline const char *golden_string(const json_t *array, size_t i)
{
    const char *text = json_string_value(json_array_get(array, i));
    assert_non_null(text);
    return text;
}

/* Whether two texts are equal; prints both when they are not. */
static inline bool same_text(const char *what, const struct bytes *found,
                             const char *expected)
{
    size_t size = strlen(expected);
    if (found->size == size &&
        (size == 0 || memcmp(found->data, expected, size) == 0))
        return true;
    print_error("%s: expected \"%s\", found \"%.*s\"\n", what, expected,
                (int)found->size, found->data);
    return false;
}

/* The code points are summed in blocks: 16 of 4096, then of 65536. */
#define BLOCKS 32

static inline uint32_t block_start(size_t block)
{
    return (uint32_t)(block < 16 ? block << 12 : (block - 15) << 16);
}

static inline bool is_character(uint32_t code)
{
    return code < 0xD800 || code >= 0xE000;
}

/* Compare the sum of a block; says which block differs. */
static inline bool same_sum(const char *what, const json_t *sums, size_t block,
                            const struct bytes *made)
{
    char sum[9];
    if (strcmp(crc_of(made, sum), golden_string(sums, block)) == 0)
        return true;
    print_error("%s: differs between U+%04X and U+%04X\n", what,
                (unsigned)block_start(block),
                (unsigned)block_start(block + 1) - 1);
    return false;
}

#endif
