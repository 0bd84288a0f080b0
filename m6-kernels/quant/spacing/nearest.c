/* The nearest codes of 8 bits: see nearest_codes in spacing.h. */
#include "spacing.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The next float of 11 bits, so of a fraction of 10: what kernels keep of a
 * scale.  Upwards, so that the largest number is no more than 127 steps. */
static float round_up(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x1fff) & ~(uint32_t)0x1fff;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* The largest size in x (n,); NaN where one of them is not finite. */
static float largest_size(const float *x, size_t n)
{
    float most = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i]))
            return NAN;
        most = fmaxf(most, fabsf(x[i]));
    }
    return most;
}

static float nearest_group(const float *x, size_t n, unsigned char *codes)
{
    float scale = round_up(largest_size(x, n) / 127);
    memset(codes, 128, CODES_GROUP);
    if (scale == 0 || !isfinite(scale))
        return scale;
    for (size_t i = 0; i < n; i++)
        codes[i] = (unsigned char)(rintf(x[i] / scale) + 128);
    return scale;
}

void nearest_codes(const float *x, size_t cols, const struct codes_row *out)
{
    for (size_t g = 0, at = 0; at < cols; g++, at += CODES_GROUP) {
        size_t n = cols - at < CODES_GROUP ? cols - at : CODES_GROUP;
        out->spacings[g] = (struct spacing){
            nearest_group(x + at, n, out->bytes + g * CODES_BYTES8), 0};
    }
}
