/* Codes of layouts that have zeros: GPTQ, AWQ and compressed-tensors.  A value
 * is (code - zero) * scale.  Where all zeros are in the middle, or a code less
 * its zero has 4 bits anyhow, the zero is taken from the code; else its
 * product with the scale is the minimum. */
#include "spacings.h"
#include "words.h"

/* Codes first ... first + n - 1 of a row, as floats; `first` is a multiple of
 * 32. */
typedef void raw_function(const struct quantized *q, size_t row, size_t first,
                          size_t n, float *out);

/* Where a code of 0 is, of those that kernels know. */
static float middle_of(enum codes_kind kind)
{
    return kind == CODES_INT8 ? 128 : 8;
}

static void place_codes(enum codes_kind kind, const float *raw, float more,
                        size_t g, unsigned char *out)
{
    unsigned char codes[CODES_GROUP];
    for (size_t i = 0; i < CODES_GROUP; i++)
        codes[i] = (unsigned char)(raw[i] + more);
    if (kind != CODES_INT8)
        join_codes(codes, out + g * CODES_BYTES4);
    for (size_t i = 0; i < CODES_GROUP && kind == CODES_INT8; i++)
        out[g * CODES_BYTES8 + i] = codes[i];
}

static void read_with_zeros(const struct codes *c, size_t row,
                            raw_function *read, group_function *of,
                            struct codes_row *out)
{
    const struct quantized *q = c->matrix;
    for (size_t g = 0; g < codes_groups(q); g++) {
        float raw[CODES_GROUP] = {0};
        struct group group;
        of(q, row, g * CODES_GROUP / q->group, &group);
        read(q, row, g * CODES_GROUP, codes_left(q, g), raw);
        bool affine = c->kind == CODES_AFFINE4;
        place_codes(c->kind, raw,
                    affine ? 0 : middle_of(c->kind) - group.zero, g,
                    out->bytes);
        out->scales[g] = group.scale;
        if (affine)
            out->minima[g] = 0 - group.zero * group.scale;
    }
}

/* Whether every zero is this one. */
static bool zeros_are(const struct quantized *q, float zero,
                      group_function *of)
{
    struct group group;
    for (size_t row = 0; row < q->rows; row++)
        for (size_t g = 0; g < q->cols / q->group; g++) {
            of(q, row, g, &group);
            if (group.zero != zero)
                return false;
        }
    return true;
}

/* The kind of a matrix with codes of 4 or 8 bits. */
static enum codes_kind kind_with_zeros(const struct quantized *q,
                                       group_function *of)
{
    enum codes_kind kind =
        q->format->bits == 8 ? CODES_INT8 : CODES_INT4;
    if (zeros_are(q, middle_of(kind), of))
        return kind;
    return kind == CODES_INT4 ? CODES_AFFINE4 : CODES_NONE;
}

/* 32 codes fill as many words as they have bits. */
static void gptq_raw(const struct quantized *q, size_t row, size_t first,
                     size_t n, float *out)
{
    size_t bits = q->format->bits;
    read_column(q->codes + first * bits / 32 * q->rows * 4, q->rows, bits, row,
                n, out);
}

enum codes_kind gptq_kind(const struct quantized *q)
{
    return kind_with_zeros(q, gptq_group);
}

void codes_gptq(const struct codes *c, size_t row, struct codes_row *out)
{
    read_with_zeros(c, row, gptq_raw, gptq_group, out);
}

static void awq_raw(const struct quantized *q, size_t row, size_t first,
                    size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = awq_code(q->codes, q->rows / 2, first + i, row);
}

enum codes_kind awq_kind(const struct quantized *q)
{
    return kind_with_zeros(q, awq_group);
}

void codes_awq(const struct codes *c, size_t row, struct codes_row *out)
{
    read_with_zeros(c, row, awq_raw, awq_group, out);
}

static void packed_raw(const struct quantized *q, size_t row, size_t first,
                       size_t n, float *out)
{
    size_t bits = q->format->bits;
    read_codes(q->codes + row * q->row_bytes + first * bits / 8, bits, n, out);
}

enum codes_kind packed_codes_kind(const struct quantized *q)
{
    return kind_with_zeros(q, packed_group);
}

void codes_packed(const struct codes *c, size_t row,
                  struct codes_row *out)
{
    read_with_zeros(c, row, packed_raw, packed_group, out);
}
