/* Codes of GGUF's blocks of 32 values, whose bytes blocks_legacy.c,
 * blocks_iq4.c and blocks_mx.c draw. */
#include "blocks.h"
#include "spacings.h"

#include <math.h>
#include <string.h>

/* Four scales' bits, as one vector. */
typedef uint32_t scales4 __attribute__((vector_size(16)));

/* Block g of a row of blocks of 32 values. */
static const unsigned char *block_of(const struct quantized *q, size_t row,
                                     size_t g)
{
    size_t bytes = q->row_bytes / (q->cols / CODES_GROUP);
    return q->codes + row * q->row_bytes + g * bytes;
}

/* 16 bytes of places in a table become codes of 8 bits. */
static void look_up(const unsigned char *places, const signed char *table,
                    unsigned char *out)
{
    for (size_t i = 0; i < CODES_BYTES4; i++) {
        out[i] = (unsigned char)(128 + table[places[i] & 15]);
        out[i + CODES_BYTES4] = (unsigned char)(128 + table[places[i] >> 4]);
    }
}

/* The 16-bit floats (n,) there, one every `stride` bytes.  Of four at a time a
 * compiler makes vectors. */
static void block_scales(const unsigned char *at, size_t stride, size_t n,
                        float *out)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4, at += 4 * stride) {
        scales4 bits = {half_bits(at), half_bits(at + stride),
                        half_bits(at + 2 * stride),
                        half_bits(at + 3 * stride)};
        for (size_t j = 0; j < 4; j++)
            out[i + j] = scale_of(bits[j]);
    }
    for (; i < n; i++, at += stride)
        out[i] = scale_at(at);
}

/* The row's blocks have `bytes` each, the codes from byte `first` of each on
 * as kernels want them, with signs or without. */
static void take_blocks(const struct codes *c, size_t row, size_t first,
                        bool signs, struct codes_row *out)
{
    const struct quantized *q = c->matrix;
    const unsigned char *block = block_of(q, row, 0);
    size_t bytes = q->row_bytes / codes_groups(q);
    block_scales(block, bytes, codes_groups(q), out->scales);
    codes_in_file(out, block + first, bytes, signs);
}

/* Its halves of bytes stand as ours do. */
void codes_q4_0(const struct codes *c, size_t row, struct codes_row *out)
{
    take_blocks(c, row, 2, false, out);
}

void codes_q4_1(const struct codes *c, size_t row, struct codes_row *out)
{
    take_blocks(c, row, 4, false, out);
    block_scales(block_of(c->matrix, row, 0) + 2, out->stride,
                codes_groups(c->matrix), out->minima);
}

/* Eight bits as eight bytes, each 0 or 1: byte i keeps bit i alone; where that
 * is not 0, and 127 is added to it, the byte's highest bit is 1. */
static uint64_t spread_bits(unsigned char bits)
{
    uint64_t kept = eight_of(bits) & 0x8040201008040201u;
    uint64_t highest = ((kept & eight_of(127)) + eight_of(127)) | kept;
    return highest >> 7 & eight_of(1);
}

/* Codes are 0 to 31, and 16 stands for 0. */
void codes_q5_0(const struct codes *c, size_t row, struct codes_row *out)
{
    for (size_t g = 0; g < codes_groups(c->matrix); g++) {
        const unsigned char *block = block_of(c->matrix, row, g);
        unsigned char *bytes = out->bytes + g * CODES_BYTES8;
        out->scales[g] = scale_at(block);
        for (size_t i = 0; i < CODES_GROUP; i += 8) {
            uint64_t eight = eight_bytes(block + 6 + i % CODES_BYTES4);
            eight = eight >> i / CODES_BYTES4 * 4 & eight_of(15);
            eight |= spread_bits(block[2 + i / 8]) << 4;
            eight += eight_of(128 - 16);
            memcpy(bytes + i, &eight, sizeof eight);
        }
    }
}

void codes_q8_0(const struct codes *c, size_t row, struct codes_row *out)
{
    take_blocks(c, row, 2, true, out);
}

void codes_iq4_nl(const struct codes *c, size_t row,
                  struct codes_row *out)
{
    for (size_t g = 0; g < codes_groups(c->matrix); g++) {
        const unsigned char *block = block_of(c->matrix, row, g);
        out->scales[g] = scale_at(block);
        look_up(block + 2, iq4_levels, out->bytes + g * CODES_BYTES8);
    }
}

/* Blocks of 8 groups. */
void codes_iq4_xs(const struct codes *c, size_t row,
                  struct codes_row *out)
{
    const struct quantized *q = c->matrix;
    for (size_t g = 0; g < codes_groups(q); g++) {
        const unsigned char *block =
            q->codes + row * q->row_bytes + g / 8 * 136;
        out->scales[g] =
            scale_at(block) * (float)iq4_scale(block, g % 8);
        look_up(block + 8 + g % 8 * CODES_BYTES4, iq4_levels,
                out->bytes + g * CODES_BYTES8);
    }
}

void codes_mxfp4(const struct codes *c, size_t row,
                 struct codes_row *out)
{
    for (size_t g = 0; g < codes_groups(c->matrix); g++) {
        const unsigned char *block = block_of(c->matrix, row, g);
        out->scales[g] = ldexpf(1, block[0] - 128);
        look_up(block + 1, e2m1_doubled, out->bytes + g * CODES_BYTES8);
    }
}
