/* For the tests of pictures: a matrix as numbers and as int4 codes, in memory,
 * two rows of two groups of eight. */
#ifndef TEST_ROUNDED_PAIR_H
#define TEST_ROUNDED_PAIR_H

#include "formats.h"
#include "matrix_pair.h"

#include <string.h>

enum rounded_sizes {
    ROUNDED_ROWS = 2,
    ROUNDED_COLS = 16,
    ROUNDED_GROUP = 8
};

struct rounded_pair {
    struct matrix_pair pair;
    struct mapping file;
    struct tensor numbers, codes, scales;
    struct quantized quantized;
    float original[ROUNDED_ROWS * ROUNDED_COLS];
    unsigned char bytes[ROUNDED_ROWS * ROUNDED_COLS / 2];
    float scale[ROUNDED_ROWS * ROUNDED_COLS / ROUNDED_GROUP];
    float row_a[ROUNDED_COLS], row_b[ROUNDED_COLS];
};

static inline struct tensor rounded_tensor(const struct rounded_pair *r,
                                           char *name, const void *data)
{
    return (struct tensor){.name = name,
                           .dtype = DTYPE_F32,
                           .rank = 2,
                           .shape = {ROUNDED_ROWS, ROUNDED_COLS},
                           .count = ROUNDED_ROWS * ROUNDED_COLS,
                           .file = &r->file,
                           .data = data};
}

/* Fill it in from codes (ROWS * COLS,), -7 to 7, scales, one for each group,
 * and `off`, by which an original weight differs from its code, in scales. */
static inline void rounded_pair_init(struct rounded_pair *r, const int *codes,
                                     const float *scales, const float *off)
{
    *r = (struct rounded_pair){.file = {.path = "memory"}};
    memcpy(r->scale, scales, sizeof r->scale);
    for (size_t i = 0; i < ROUNDED_ROWS * ROUNDED_COLS; i++) {
        float scale = scales[i / ROUNDED_GROUP];
        r->original[i] = ((float)codes[i] + off[i]) * scale;
        r->bytes[i / 2] |= (unsigned char)((codes[i] + 8) << 4 * (i % 2));
    }
    r->numbers = rounded_tensor(r, "w.weight", r->original);
    r->codes = rounded_tensor(r, "w.weight", r->bytes);
    r->scales = rounded_tensor(r, "w.scales", r->scale);
    r->quantized = (struct quantized){.format = format_named("int4"),
                                      .rows = ROUNDED_ROWS,
                                      .cols = ROUNDED_COLS,
                                      .group = ROUNDED_GROUP,
                                      .codes = r->bytes,
                                      .row_bytes = ROUNDED_COLS / 2,
                                      .scales = &r->scales};
    r->pair.a =
        (struct stored_matrix){&r->numbers, NULL, ROUNDED_ROWS, ROUNDED_COLS};
    r->pair.b = (struct stored_matrix){&r->codes, &r->quantized, ROUNDED_ROWS,
                                       ROUNDED_COLS};
    r->pair.row_a = r->row_a;
    r->pair.row_b = r->row_b;
}

#endif
