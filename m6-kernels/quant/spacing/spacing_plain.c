/* Codes of layouts whose scales stand in a tensor of their own, without zeros:
 * int8 and int4 (rounded.c), MLX (scheme_mlx.c, microscaled.c), numbers of 8
 * bits (scaled.c). */
#include "blocks.h"
#include "spacings.h"

#include <string.h>

/* The scale of the 32 values of a group, or what is added to them. */
static float value_for(const struct quantized *q, const struct tensor *t,
                       size_t row, size_t g)
{
    return group_value(q, t, row, g * CODES_GROUP / q->group);
}

/* Signed bytes (n,) are codes where they stand; what is no whole group is not,
 * since there may be no more bytes behind it. */
static void take_bytes(const unsigned char *bytes, size_t n,
                       struct codes_row *out)
{
    if (n % CODES_GROUP == 0)
        codes_in_file(out, bytes, CODES_BYTES8, true);
    else
        for (size_t i = 0; i < n; i++)
            out->bytes[i] = bytes[i] ^ 128;
}

/* Codes of 4 bits, two neighbours to a byte, (16,): byte 0 has codes 0 and 1,
 * byte 8 has codes 16 and 17. */
static void sort_nibbles(const unsigned char *pairs, unsigned char *out)
{
    for (size_t i = 0; i < CODES_BYTES4 / 2; i++) {
        unsigned low = pairs[i], high = pairs[i + CODES_BYTES4 / 2];
        out[2 * i] = (unsigned char)((low & 15) | (high & 15) << 4);
        out[2 * i + 1] = (unsigned char)(low >> 4 | (high & 0xf0));
    }
}

/* The same of a group that may have less than 32 codes. */
static void sort_group(const struct quantized *q, size_t row, size_t g,
                       unsigned char *out)
{
    const unsigned char *pairs =
        q->codes + row * q->row_bytes + g * CODES_BYTES4;
    unsigned char rest[CODES_BYTES4] = {0};
    size_t n = codes_left(q, g);
    if (n < CODES_GROUP) {
        memcpy(rest, pairs, (n + 1) / 2);
        pairs = rest;
    }
    sort_nibbles(pairs, out);
}

void codes_int8(const struct codes *c, size_t row, struct codes_row *out)
{
    const struct quantized *q = c->matrix;
    take_bytes(q->codes + row * q->row_bytes, q->cols, out);
    for (size_t g = 0; g < codes_groups(q); g++)
        out->scales[g] = value_for(q, q->scales, row, g);
}

void codes_int4(const struct codes *c, size_t row, struct codes_row *out)
{
    const struct quantized *q = c->matrix;
    for (size_t g = 0; g < codes_groups(q); g++) {
        sort_group(q, row, g, out->bytes + g * CODES_BYTES4);
        out->scales[g] = value_for(q, q->scales, row, g);
    }
}

/* Codes of 2 or 3 bits as codes of 4. */
static void widen_group(const struct quantized *q, size_t row, size_t g,
                        unsigned char *out)
{
    size_t bits = q->format->bits;
    const unsigned char *stream = q->codes + row * q->row_bytes;
    unsigned char codes[CODES_GROUP];
    for (size_t i = 0; i < CODES_GROUP; i++)
        codes[i] = (unsigned char)code_at(stream, bits, g * CODES_GROUP + i);
    join_codes(codes, out);
}

/* Groups have 32 columns or a multiple. */
void codes_affine(const struct codes *c, size_t row,
                  struct codes_row *out)
{
    const struct quantized *q = c->matrix;
    for (size_t g = 0; g < codes_groups(q); g++) {
        unsigned char *bytes = out->bytes + g * CODES_BYTES4;
        (q->format->bits == 4 ? sort_group : widen_group)(q, row, g, bytes);
        out->scales[g] = value_for(q, q->scales, row, g);
        out->minima[g] = value_for(q, q->offsets, row, g);
    }
}

/* Floats of 4 bits are whole numbers once they are doubled; their scales are
 * powers of two. */
void codes_e2m1(const struct codes *c, size_t row, struct codes_row *out)
{
    const struct quantized *q = c->matrix;
    const unsigned char *pairs = q->codes + row * q->row_bytes;
    for (size_t i = 0; i < q->cols; i++) {
        unsigned code = pairs[i / 2] >> i % 2 * 4 & 15u;
        out->bytes[i] = (unsigned char)(128 + e2m1_doubled[code]);
    }
    const unsigned char *scales = q->scales->data + row * (q->cols / q->group);
    for (size_t g = 0; g < codes_groups(q); g++) {
        dtype_to_f32(DTYPE_F8_E8M0, scales + g * CODES_GROUP / q->group, 1,
                     &out->scales[g]);
        out->scales[g] /= 2;
    }
}

enum codes_kind scaled_kind(const struct quantized *q)
{
    return q->dtype == DTYPE_I8 && !q->zeros ? CODES_INT8 : CODES_NONE;
}

/* Rows and columns share a scale. */
void codes_scaled(const struct codes *c, size_t row,
                  struct codes_row *out)
{
    const struct quantized *q = c->matrix;
    size_t groups = (q->cols + q->group - 1) / q->group;
    take_bytes(q->codes + row * q->row_bytes, q->cols, out);
    for (size_t g = 0; g < codes_groups(q); g++)
        tensor_read(q->scales,
                    row / q->group_rows * groups + g * CODES_GROUP / q->group,
                    1, &out->scales[g]);
}
