/* The first formats of GGUF files: 32 values share a 16-bit scale d, and
 * where the name ends in 1 also a minimum m.
 *
 * Codes of 4 bits stand two to a byte: byte i has value i in its lower half,
 * value i + 16 in its upper one.  The fifth bit of all values stands apart,
 * in the 32 bits of `high`.
 *
 *     Q4_0   | d f16 | 16 bytes of codes |                   18 bytes
 *     Q4_1   | d f16 | m f16 | 16 bytes of codes |           20
 *     Q5_0   | d f16 | 4 high | 16 bytes of codes |          22
 *     Q5_1   | d f16 | m f16 | 4 high | 16 bytes of codes |  24
 *     Q8_0   | d f16 | 32 codes, each a signed byte |        34
 *
 * All codes of a block are cut out before one is multiplied: then the loop
 * that multiplies has a known length and nothing else to do, and is compiled
 * to vectors. */
#include "blocks.h"
#include "formats.h"

enum legacy_block {
    LEGACY_VALUES = 32
};

static void q4_0_block(const unsigned char *block, float *restrict out)
{
    float d = half_at(block);
    unsigned char codes[LEGACY_VALUES];
    read_nibbles(block + 2, LEGACY_VALUES, codes);
    for (size_t i = 0; i < LEGACY_VALUES; i++)
        out[i] = d * (float)(codes[i] - 8);
}

static void q4_1_block(const unsigned char *block, float *restrict out)
{
    float d = half_at(block), m = half_at(block + 2);
    unsigned char codes[LEGACY_VALUES];
    read_nibbles(block + 4, LEGACY_VALUES, codes);
    for (size_t i = 0; i < LEGACY_VALUES; i++)
        out[i] = d * (float)codes[i] + m;
}

/* Codes (LEGACY_VALUES,) of 5 bits, the fifth from `high`. */
static void read_fives(const unsigned char *high, const unsigned char *low,
                       unsigned char *codes)
{
    read_nibbles(low, LEGACY_VALUES, codes);
    for (size_t i = 0; i < LEGACY_VALUES; i++)
        codes[i] |= (unsigned char)(bit_at(high, i) << 4);
}

static void q5_0_block(const unsigned char *block, float *restrict out)
{
    float d = half_at(block);
    unsigned char codes[LEGACY_VALUES];
    read_fives(block + 2, block + 6, codes);
    for (size_t i = 0; i < LEGACY_VALUES; i++)
        out[i] = d * (float)(codes[i] - 16);
}

static void q5_1_block(const unsigned char *block, float *restrict out)
{
    float d = half_at(block), m = half_at(block + 2);
    unsigned char codes[LEGACY_VALUES];
    read_fives(block + 4, block + 8, codes);
    for (size_t i = 0; i < LEGACY_VALUES; i++)
        out[i] = d * (float)codes[i] + m;
}

static void q8_0_block(const unsigned char *block, float *restrict out)
{
    float d = half_at(block);
    for (size_t i = 0; i < LEGACY_VALUES; i++)
        out[i] = (float)(signed char)block[2 + i] * d;
}

void unpack_q4_0(const struct quantized *q, size_t row, float *out)
{
    unpack_blocks(q, row, out, q4_0_block);
}

void unpack_q4_1(const struct quantized *q, size_t row, float *out)
{
    unpack_blocks(q, row, out, q4_1_block);
}

void unpack_q5_0(const struct quantized *q, size_t row, float *out)
{
    unpack_blocks(q, row, out, q5_0_block);
}

void unpack_q5_1(const struct quantized *q, size_t row, float *out)
{
    unpack_blocks(q, row, out, q5_1_block);
}

void unpack_q8_0(const struct quantized *q, size_t row, float *out)
{
    unpack_blocks(q, row, out, q8_0_block);
}
