/* The nearest codes of 8 bits: see nearest_codes in spacing.h. */
#include "spacings.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Added to a number of a few thousand at most, it rounds that to a whole
 * number, halves to the even one, which the lowest bits of the sum are. */
#define MAGIC 0x1.8p23f

static float float_with(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The largest size in x (32,), as the bits of a float: these have the order of
 * the numbers, and infinities and NaN are larger than all. */
static uint32_t largest_bits_of(const float *x)
{
    int32_t bits[CODES_GROUP], most = 0;
    memcpy(bits, x, sizeof bits);
    for (size_t i = 0; i < CODES_GROUP; i++) {
        int32_t size = bits[i] & 0x7fffffff;
        most = size > most ? size : most;
    }
    return (uint32_t)most;
}

/* The scale for numbers whose largest has these bits: of 11 bits, so with a
 * fraction of 10, which is what kernels keep of it.  Rounded up, so that the
 * largest number is no more than 127 steps. */
static float scale_for(uint32_t most)
{
    uint32_t bits;
    float scale = float_with(most) / 127;
    if (most >= 0x7f800000)
        return NAN;
    memcpy(&bits, &scale, sizeof bits);
    return float_with((bits + 0x1fff) & ~(uint32_t)0x1fff);
}

/* The steps from 0 to each of x (32,), 128 more. */
static void nearest_steps(const float *x, float scale, unsigned char *codes)
{
    uint32_t sums[CODES_GROUP];
    float steps[CODES_GROUP];
    for (size_t i = 0; i < CODES_GROUP; i++)
        steps[i] = x[i] / scale + MAGIC;
    memcpy(sums, steps, sizeof sums);
    for (size_t i = 0; i < CODES_GROUP; i++)
        codes[i] = (unsigned char)(sums[i] ^ 128);
}

static float nearest_group(const float *x, unsigned char *codes)
{
    float scale = scale_for(largest_bits_of(x));
    if (scale == 0 || isnan(scale))
        memset(codes, 128, CODES_GROUP);
    else
        nearest_steps(x, scale, codes);
    return scale;
}

void nearest_codes(const float *x, size_t cols, struct codes_row *out)
{
    float rest[CODES_GROUP] = {0};
    codes_in_room(out, CODES_BYTES8);
    for (size_t g = 0, at = 0; at < cols; g++, at += CODES_GROUP) {
        unsigned char *codes = out->bytes + g * CODES_BYTES8;
        bool whole = cols - at >= CODES_GROUP;
        if (!whole)
            memcpy(rest, x + at, (cols - at) * sizeof *rest);
        out->scales[g] = nearest_group(whole ? x + at : rest, codes);
    }
}
