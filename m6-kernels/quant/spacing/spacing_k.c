/* Codes of GGUF's K-quants, whose bytes blocks_k.c draws: blocks of 256
 * values. */
#include "blocks.h"
#include "spacings.h"

enum k_codes {
    K_GROUPS = 8,   /* of 32 values in a block */
    Q3_K_BYTES = 110,
    Q4_K_BYTES = 144
};

/* Group g of 8 of a block: of each 32 bytes the lower halves are a group, the
 * upper halves the next. */
static void q4_k_group(const unsigned char *block, size_t g,
                       unsigned char *out)
{
    const unsigned char *codes = block + 16 + g / 2 * CODES_GROUP;
    size_t shift = g % 2 * 4;
    for (size_t i = 0; i < CODES_BYTES4; i += 8) {
        uint64_t low = eight_bytes(codes + i) >> shift;
        uint64_t high = eight_bytes(codes + i + CODES_BYTES4) >> shift;
        low &= eight_of(15);
        low |= (high & eight_of(15)) << 4;
        memcpy(out + i, &low, sizeof low);
    }
}

void codes_q4_k(const struct codes *c, size_t row, struct codes_row *out)
{
    const struct quantized *q = c->matrix;
    const unsigned char *block = q->codes + row * q->row_bytes;
    for (size_t g = 0; g < codes_groups(q); g++) {
        size_t i = g % K_GROUPS;
        const unsigned char *scales = block + 4;
        out->scales[g] = scale_at(block) * (float)six_at(scales, 0, i);
        out->minima[g] = 0 - scale_at(block + 2) * (float)six_at(scales, 4, i);
        q4_k_group(block, i, out->bytes + g * CODES_BYTES4);
        block += i == K_GROUPS - 1 ? Q4_K_BYTES : 0;
    }
}

/* 16 values share a whole number of 6 bits.  It is multiplied into their
 * codes: of -32 ... 31 times -4 ... 3 the largest is 128, the least -124, so
 * that with its sign turned the product has 8 bits; the scale's is turned,
 * too. */
void codes_q3_k(const struct codes *c, size_t row, struct codes_row *out)
{
    const struct quantized *q = c->matrix;
    const unsigned char *block = q->codes + row * q->row_bytes;
    for (size_t g = 0; g < codes_groups(q); g++) {
        size_t first = g % K_GROUPS * CODES_GROUP;
        unsigned char *bytes = out->bytes + g * CODES_BYTES8;
        out->scales[g] = -scale_at(block + 108);
        for (size_t i = 0; i < CODES_GROUP; i++) {
            int scale = scale6_at(block + 96, (first + i) / 16);
            int code = q3_k_code(block, first + i);
            bytes[i] = (unsigned char)(128 - scale * code);
        }
        block += g % K_GROUPS == K_GROUPS - 1 ? Q3_K_BYTES : 0;
    }
}
