/* Numbers without a scale: floats as they are computed, and halves. */
#include "cache_form.h"

#include "dtype.h"
#include "half.h"

#include <string.h>

size_t plain_bytes(size_t bits, size_t n)
{
    return n * bits / 8;
}

void store_float(size_t bits, const float *x, size_t n, unsigned char *out)
{
    memcpy(out, x, plain_bytes(bits, n));
}

/* Each is rounded by itself; past 65504, the largest, it becomes infinite. */
void store_half(size_t bits, const float *x, size_t n, unsigned char *out)
{
    (void)bits;
    for (size_t i = 0; i < n; i++)
        half_store(half_of(x[i]), out + 2 * i);
}

void read_half(size_t bits, const unsigned char *in, size_t n, float *x)
{
    (void)bits;
    dtype_to_f32(DTYPE_F16, in, n, x);
}
