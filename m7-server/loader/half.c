/* Halves: see half.h. */
#include "half.h"

#include "dtype.h"

#include <math.h>
#include <string.h>

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Below 2^-14 halves are multiples of 2^-24, as the floats from 0.5 to 1 are:
 * adding 0.5 rounds to such a one, and its last bits count them. */
static uint32_t small_half(uint32_t magnitude)
{
    return bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f);
}

/* 13 bits of the fraction fall away.  Added is a little less than half of what
 * the last bit that stays is worth, or half of it where that bit is 1; a carry
 * goes on into the exponent, as it should. */
static uint32_t normal_half(uint32_t magnitude)
{
    uint32_t last = magnitude >> 13 & 1;
    return ((magnitude + 0xfff + last) >> 13) - ((127 - 15) << 10);
}

uint16_t half_of(float x)
{
    uint32_t sign = bits_of(x) >> 16 & 0x8000;
    uint32_t magnitude = bits_of(x) & 0x7fffffff;
    uint32_t half;
    if (magnitude > bits_of(INFINITY))
        half = 0x7e00;
    else if (magnitude >= bits_of(65520.0f))
        half = 0x7c00;
    else if (magnitude < bits_of(0x1p-14f))
        half = small_half(magnitude);
    else
        half = normal_half(magnitude);
    return (uint16_t)(sign | half);
}

void half_store(uint16_t half, unsigned char *out)
{
    out[0] = (unsigned char)(half & 0xff);
    out[1] = (unsigned char)(half >> 8);
}

float half_read(const unsigned char *in)
{
    float x;
    dtype_to_f32(DTYPE_F16, in, 1, &x);
    return x;
}
