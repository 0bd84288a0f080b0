/* Codes that are places in a table: 16 levels, close together near zero, where
 * most weights are.
 *
 *     IQ4_NL   | d f16 | 16 codes |                        32 values, 18 bytes
 *     IQ4_XS   | d f16 | 2 upper | 4 lower | 128 codes |  256 values, 136
 *
 * Of each 16 bytes of codes, byte i has value i in its lower half and value
 * i + 16 in its upper one.  In IQ4_XS a group of 32 values has a scale of its
 * own, 6 bits less 32: `lower` has 4 bits of each, two to a byte, `upper` has
 * 2 bits of each, both from the lowest bits up. */
#include "blocks.h"
#include "formats.h"

enum iq4_block {
    IQ4_GROUP = 32,
    IQ4_GROUPS = 8
};

const signed char iq4_levels[16] = {
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

/* 32 values of 16 bytes. */
static void iq4_group(float d, const unsigned char *bytes, float *out)
{
    unsigned char codes[IQ4_GROUP];
    read_nibbles(bytes, IQ4_GROUP, codes);
    for (size_t i = 0; i < IQ4_GROUP; i++)
        out[i] = d * (float)iq4_levels[codes[i]];
}

static void iq4_nl_block(const unsigned char *block, float *out)
{
    iq4_group(half_at(block), block + 2, out);
}

int iq4_scale(const unsigned char *block, size_t g)
{
    unsigned up = code_at(block + 2, 2, g), low = code_at(block + 4, 4, g);
    return (int)(low | up << 4) - 32;
}

static void iq4_xs_block(const unsigned char *block, float *out)
{
    float d = half_at(block);
    for (size_t g = 0; g < IQ4_GROUPS; g++) {
        int scale = iq4_scale(block, g);
        iq4_group(d * (float)scale, block + 8 + g * IQ4_GROUP / 2,
                  out + g * IQ4_GROUP);
    }
}

void unpack_iq4_nl(const struct quantized *q, size_t row, float *out)
{
    unpack_blocks(q, row, out, iq4_nl_block);
}

void unpack_iq4_xs(const struct quantized *q, size_t row, float *out)
{
    unpack_blocks(q, row, out, iq4_xs_block);
}
