/* K-quants: 256 values share a 16-bit scale, and groups of 16 or 32 of them
 * have a small whole number each that multiplies it: a scale of scales.
 *
 *     Q2_K   | 16 scales and minima | 64 codes | d f16 | dmin f16 |      84
 *     Q3_K   | 32 high | 64 codes | 12 scales | d f16 |                 110
 *     Q4_K   | d f16 | dmin f16 | 12 scales, minima | 128 codes |       144
 *     Q5_K   | d f16 | dmin f16 | 12 scales, minima | 32 high | 128 codes |
 *                                                                       176
 *     Q6_K   | 128 low | 64 high | 16 scales | d f16 |                  210
 *
 * The counts are of bytes.  With a minimum, a value is
 *     (d * scale) * code - (dmin * minimum)
 * and without one, (d * scale) * (code - middle).
 *
 * Codes of 2 bits: the first 32 bytes have values 0 to 127, the others 128 to
 * 255.  Byte i of 32 has, from its lowest bits up, values i, i + 32, i + 64,
 * i + 96.  Codes of 4 bits: byte i of each 32 has values i and i + 32.
 * A high bit of value i is bit i / 32 of byte i % 32. */
#include "blocks.h"
#include "formats.h"

enum k_block {
    K_VALUES = 256,
    K_SMALL = 16, /* values of a group in Q2_K, Q3_K and Q6_K */
    K_LARGE = 32  /* in Q4_K and Q5_K */
};

/* Code `i` of 2 bits, in 64 bytes. */
static unsigned pair_at(const unsigned char *codes, size_t i)
{
    return codes[i / 128 * 32 + i % 32] >> i % 128 / 32 * 2 & 3u;
}

/* Code `i` of 4 bits, in 128 bytes. */
static unsigned quad_at(const unsigned char *codes, size_t i)
{
    return codes[i / 64 * 32 + i % 32] >> i % 64 / 32 * 4 & 15u;
}

/* The bit of value `i` that stands apart, in 32 bytes. */
static unsigned high_at(const unsigned char *high, size_t i)
{
    return high[i % 32] >> i / 32 & 1u;
}

/* A byte for 16 values: scale below, minimum above. */
static void q2_k_block(const unsigned char *block, float *out)
{
    const unsigned char *codes = block + 16;
    float d = half_at(block + 80), dmin = half_at(block + 82);
    for (size_t g = 0; g < K_VALUES / K_SMALL; g++) {
        float scale = d * (float)(block[g] & 15);
        float minimum = dmin * (float)(block[g] >> 4);
        for (size_t i = g * K_SMALL; i < (g + 1) * K_SMALL; i++)
            out[i] = scale * (float)pair_at(codes, i) - minimum;
    }
}

/* Scale `j` of 16, each 6 bits in 12 bytes:
 *     bytes 0 to 7    the lower 4 bits: of scale j below, of j + 8 above
 *     bytes 8 to 11   the upper 2 bits: of scales j, j + 4, j + 8, j + 12,
 *                     from the lowest bits up */
int scale6_at(const unsigned char *scales, size_t j)
{
    unsigned low = nibble_at(scales, 16, j);
    unsigned up = scales[8 + j % 4] >> j / 4 * 2 & 3u;
    return (int)(low | up << 4) - 32;
}

/* A code has 3 bits; 4 stands for 0. */
int q3_k_code(const unsigned char *block, size_t i)
{
    return (int)(pair_at(block + 32, i) | high_at(block, i) << 2) - 4;
}

static void q3_k_block(const unsigned char *block, float *out)
{
    const unsigned char *scales = block + 96;
    float d = half_at(block + 108);
    for (size_t g = 0; g < K_VALUES / K_SMALL; g++) {
        float scale = d * (float)scale6_at(scales, g);
        for (size_t i = g * K_SMALL; i < (g + 1) * K_SMALL; i++)
            out[i] = scale * (float)q3_k_code(block, i);
    }
}

/* Scales and minima of 8 groups, each 6 bits in 12 bytes:
 *     bytes 0 to 3    6 bits of scales 0 to 3; upper 2 bits of scales 4 to 7
 *     bytes 4 to 7    6 bits of minima 0 to 3; upper 2 bits of minima 4 to 7
 *     bytes 8 to 11   lower 4 bits of scales 4 to 7 below, of minima above
 * This reads the scale of group g, or with `first` 4 its minimum. */
unsigned six_at(const unsigned char *bytes, size_t first, size_t g)
{
    if (g < 4)
        return bytes[first + g] & 63u;
    unsigned low = first ? bytes[4 + g] >> 4 : bytes[4 + g] & 15u;
    return low | (bytes[first + g - 4] >> 6) << 4;
}

/* Q4_K, and with the fifth bits Q5_K. */
static void k_block(const unsigned char *block, const unsigned char *high,
                    const unsigned char *codes, float *out)
{
    float d = half_at(block), dmin = half_at(block + 2);
    for (size_t g = 0; g < K_VALUES / K_LARGE; g++) {
        float scale = d * (float)six_at(block + 4, 0, g);
        float minimum = dmin * (float)six_at(block + 4, 4, g);
        for (size_t i = g * K_LARGE; i < (g + 1) * K_LARGE; i++) {
            unsigned code = quad_at(codes, i);
            if (high)
                code |= high_at(high, i) << 4;
            out[i] = scale * (float)code - minimum;
        }
    }
}

static void q4_k_block(const unsigned char *block, float *out)
{
    k_block(block, NULL, block + 16, out);
}

static void q5_k_block(const unsigned char *block, float *out)
{
    k_block(block, block + 16, block + 48, out);
}

/* Lower 4 bits: byte i of each 64 has values i and i + 64; upper 2 bits as
 * codes of 2 bits stand; scales are signed bytes, one for 16 values. */
static void q6_k_block(const unsigned char *block, float *out)
{
    const unsigned char *high = block + 128;
    const signed char *scales = (const signed char *)block + 192;
    float d = half_at(block + 208);
    for (size_t g = 0; g < K_VALUES / K_SMALL; g++) {
        float scale = d * (float)scales[g];
        for (size_t i = g * K_SMALL; i < (g + 1) * K_SMALL; i++) {
            unsigned low = nibble_at(block + i / 128 * 64, 128, i % 128);
            unsigned code = low | pair_at(high, i) << 4;
            out[i] = scale * (float)((int)code - 32);
        }
    }
}

void unpack_q2_k(const struct quantized *q, size_t row, float *out)
{
    unpack_blocks(q, row, out, q2_k_block);
}

void unpack_q3_k(const struct quantized *q, size_t row, float *out)
{
    unpack_blocks(q, row, out, q3_k_block);
}

void unpack_q4_k(const struct quantized *q, size_t row, float *out)
{
    unpack_blocks(q, row, out, q4_k_block);
}

void unpack_q5_k(const struct quantized *q, size_t row, float *out)
{
    unpack_blocks(q, row, out, q5_k_block);
}

void unpack_q6_k(const struct quantized *q, size_t row, float *out)
{
    unpack_blocks(q, row, out, q6_k_block);
}
