/* Whole numbers: a head is 127 steps to each side of 0, and a step's size.
 *
 *   bytes  what
 *   4      the step, a float: the largest magnitude / 127
 *   n      of each number, how many steps: -127 .. 127
 *
 * A number becomes x / step, rounded to the nearest whole number, of two
 * equally near ones the even, and is read as that many times the step.  All
 * of it is arithmetic of floats, one operation after the other, so that the
 * bytes are defined to the last bit.
 *
 * A step that is 0 (all numbers are, or the largest is below 127 times what a
 * float can say) has only codes 0.  Where the largest is not finite, the step
 * is not either, and nor is what is read. */
#include "cache_form.h"

#include <math.h>
#include <string.h>

enum int8_sizes {
    STEP_BYTES = sizeof(float),
    MOST_STEPS = 127
};

size_t int8_bytes(size_t bits, size_t n)
{
    return STEP_BYTES + n * bits / 8;
}

/* The largest magnitude; none when one of them is no number. */
static float largest_magnitude(const float *x, size_t n)
{
    float most = 0;
    for (size_t i = 0; i < n; i++) {
        float magnitude = fabsf(x[i]);
        if (magnitude > most || isnan(magnitude))
            most = magnitude;
    }
    return most;
}

/* A step among the smallest floats is itself rounded, and may be too short to
 * reach the largest number in 127. */
static signed char count_steps(float x, float step)
{
    float steps = rintf(x / step);
    steps = steps > MOST_STEPS ? MOST_STEPS : steps;
    steps = steps < -MOST_STEPS ? -MOST_STEPS : steps;
    return (signed char)steps;
}

void store_int8(size_t bits, const float *x, size_t n, unsigned char *out)
{
    float step = largest_magnitude(x, n) / MOST_STEPS;
    (void)bits;
    memcpy(out, &step, STEP_BYTES);
    memset(out + STEP_BYTES, 0, n);
    for (size_t i = 0; step > 0 && isfinite(step) && i < n; i++)
        out[STEP_BYTES + i] = (unsigned char)count_steps(x[i], step);
}

void read_int8(size_t bits, const unsigned char *in, size_t n, float *x)
{
    float step;
    const signed char *steps = (const signed char *)in + STEP_BYTES;
    (void)bits;
    memcpy(&step, in, STEP_BYTES);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)steps[i] * step;
}
