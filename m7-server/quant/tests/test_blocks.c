/* Every block of a GGUF file becomes the floats that the package `gguf` makes
 * of it: golden/gguf_blocks.safetensors, by tests/oracle/quant. */
#include "checkpoint.h"
#include "formats.h"
#include "test_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"Q4_0",   "Q4_1",   "Q5_0", "Q5_1", "Q8_0",
                                    "Q2_K",   "Q3_K",   "Q4_K", "Q5_K", "Q6_K",
                                    "IQ4_NL", "IQ4_XS", "MXFP4"};

/* Tensor NAME.part of the golden. */
static const struct tensor *part_of(const struct checkpoint *c,
                                    const char *name, const char *part)
{
    char full[64];
    snprintf(full, sizeof full, "%s.%s", name, part);
    const struct tensor *t = checkpoint_find(c, full);
    assert_non_null(t);
    return t;
}

/* As a matrix of one row, and in a matrix of a row for each block. */
static void check_blocks(const struct checkpoint *c, const char *name)
{
    const struct tensor *blocks = part_of(c, name, "blocks");
    const struct tensor *hashes = part_of(c, name, "hashes");
    size_t n = blocks->shape[0];
    assert_int_equal(hashes->count, n);
    struct quantized one = {.format = format_named(name), .rows = 1};
    assert_non_null(one.format);
    one.cols = n * one.format->block;
    one.codes = blocks->data;
    one.row_bytes = blocks->bytes;
    struct quantized many = one;
    many.rows = n;
    many.cols = one.format->block;
    many.row_bytes = blocks->shape[1];
    float *row = malloc(one.cols * sizeof *row), block[256];
    quantized_row(&one, 0, row);
    for (size_t i = 0; i < n; i++) {
        uint64_t expected;
        memcpy(&expected, hashes->data + 8 * i, sizeof expected);
        quantized_row(&many, i, block);
        if (hash_floats(HASH_START, block, many.cols) != expected)
            fail_msg("%s: block %zu is not as the oracle's", name, i);
        if (hash_floats(HASH_START, row + i * many.cols, many.cols) !=
            expected)
            fail_msg("%s: block %zu of a row is not", name, i);
    }
    free(row);
}

static void every_block_becomes_the_floats_of_the_oracle(void **state)
{
    (void)state;
    struct checkpoint c;
    struct error e = {0};
    if (checkpoint_open(&c, "golden/gguf_blocks.safetensors", &e))
        fail_msg("%s", e.message);
    assert_int_equal(c.n_tensors, 2 * sizeof names / sizeof names[0]);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_blocks(&c, names[i]);
    checkpoint_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_becomes_the_floats_of_the_oracle),
    };
    return cmocka_run_group_tests_name("blocks", tests, NULL, NULL);
}
