/* Codes of GGUF's blocks of 32 values, whose bytes blocks_legacy.c,
 * blocks_iq4.c and blocks_mx.c draw. */
#include "blocks.h"
#include "spacings.h"

#include <math.h>
#include <string.h>

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

/* Its halves of bytes stand as ours do. */
void codes_q4_0(const struct codes *c, size_t row, const struct codes_row *out)
{
    for (size_t g = 0; g < codes_groups(c->matrix); g++) {
        const unsigned char *block = block_of(c->matrix, row, g);
        out->spacings[g].scale = scale_at(block);
        memcpy(out->bytes + g * CODES_BYTES4, block + 2, CODES_BYTES4);
    }
}

void codes_q4_1(const struct codes *c, size_t row, const struct codes_row *out)
{
    for (size_t g = 0; g < codes_groups(c->matrix); g++) {
        const unsigned char *block = block_of(c->matrix, row, g);
        out->spacings[g] =
            (struct spacing){scale_at(block), scale_at(block + 2)};
        memcpy(out->bytes + g * CODES_BYTES4, block + 4, CODES_BYTES4);
    }
}

/* Codes are 0 to 31, and 16 stands for 0. */
void codes_q5_0(const struct codes *c, size_t row, const struct codes_row *out)
{
    for (size_t g = 0; g < codes_groups(c->matrix); g++) {
        const unsigned char *block = block_of(c->matrix, row, g);
        unsigned char *bytes = out->bytes + g * CODES_BYTES8;
        out->spacings[g].scale = scale_at(block);
        for (size_t i = 0; i < CODES_GROUP; i++) {
            unsigned code = nibble_at(block + 6, CODES_GROUP, i);
            code |= bit_at(block + 2, i) << 4;
            bytes[i] = (unsigned char)(128 - 16 + code);
        }
    }
}

void codes_q8_0(const struct codes *c, size_t row, const struct codes_row *out)
{
    for (size_t g = 0; g < codes_groups(c->matrix); g++) {
        const unsigned char *block = block_of(c->matrix, row, g);
        unsigned char *bytes = out->bytes + g * CODES_BYTES8;
        out->spacings[g].scale = scale_at(block);
        raise_group(block + 2, bytes);
    }
}

void codes_iq4_nl(const struct codes *c, size_t row,
                  const struct codes_row *out)
{
    for (size_t g = 0; g < codes_groups(c->matrix); g++) {
        const unsigned char *block = block_of(c->matrix, row, g);
        out->spacings[g].scale = scale_at(block);
        look_up(block + 2, iq4_levels, out->bytes + g * CODES_BYTES8);
    }
}

/* Blocks of 8 groups. */
void codes_iq4_xs(const struct codes *c, size_t row,
                  const struct codes_row *out)
{
    const struct quantized *q = c->matrix;
    for (size_t g = 0; g < codes_groups(q); g++) {
        const unsigned char *block =
            q->codes + row * q->row_bytes + g / 8 * 136;
        out->spacings[g].scale =
            scale_at(block) * (float)iq4_scale(block, g % 8);
        look_up(block + 8 + g % 8 * CODES_BYTES4, iq4_levels,
                out->bytes + g * CODES_BYTES8);
    }
}

void codes_mxfp4(const struct codes *c, size_t row,
                 const struct codes_row *out)
{
    for (size_t g = 0; g < codes_groups(c->matrix); g++) {
        const unsigned char *block = block_of(c->matrix, row, g);
        out->spacings[g].scale = ldexpf(1, block[0] - 128);
        look_up(block + 1, e2m1_doubled, out->bytes + g * CODES_BYTES8);
    }
}
