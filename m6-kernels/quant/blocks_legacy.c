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
 *     Q8_0   | d f16 | 32 codes, each a signed byte |        34 */
#include "blocks.h"
#include "formats.h"

enum legacy_block {
    LEGACY_VALUES = 32
};

static unsigned code5_at(const unsigned char *high, const unsigned char *codes,
                         size_t i)
{
    return nibble_at(codes, LEGACY_VALUES, i) | bit_at(high, i) << 4;
}

static void q4_0_block(const unsigned char *block, float *out)
{
    float d = half_at(block);
    for (size_t i = 0; i < LEGACY_VALUES; i++)
        out[i] = d * (float)((int)nibble_at(block + 2, LEGACY_VALUES, i) - 8);
}

static void q4_1_block(const unsigned char *block, float *out)
{
    float d = half_at(block), m = half_at(block + 2);
    for (size_t i = 0; i < LEGACY_VALUES; i++)
        out[i] = d * (float)nibble_at(block + 4, LEGACY_VALUES, i) + m;
}

static void q5_0_block(const unsigned char *block, float *out)
{
    float d = half_at(block);
    for (size_t i = 0; i < LEGACY_VALUES; i++)
        out[i] = d * (float)((int)code5_at(block + 2, block + 6, i) - 16);
}

static void q5_1_block(const unsigned char *block, float *out)
{
    float d = half_at(block), m = half_at(block + 2);
    for (size_t i = 0; i < LEGACY_VALUES; i++)
        out[i] = d * (float)code5_at(block + 4, block + 8, i) + m;
}

static void q8_0_block(const unsigned char *block, float *out)
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
