/* Quantizing: see quantize.h. */
#include "quantize.h"

#include "formats.h"

#include <math.h>
#include <string.h>

const struct format *quantize_format(const char *name)
{
    const struct format *f = format_named(name);
    bool ours =
        f && (f->unpack == unpack_int8 || f->unpack == unpack_int4);
    return ours ? f : NULL;
}

int largest_code(const struct format *f)
{
    return (1 << (f->bits - 1)) - 1;
}

bool can_quantize(float x)
{
    return isfinite(2 * x);
}

/* The largest magnitude in x (n,). */
float largest_of(const float *x, size_t n)
{
    float largest = 0;
    for (size_t i = 0; i < n; i++)
        if (fabsf(x[i]) > largest)
            largest = fabsf(x[i]);
    return largest;
}

/* The code of one value, a whole number.  A scale is 0 where all values are,
 * or are so small that no float would do; their codes are 0. */
float code_for(float x, float scale, int most)
{
    if (scale == 0)
        return 0;
    float code = rintf(x / scale), end = (float)most;
    return code > end ? end : code < -end ? -end : code;
}

/* Code `i` of a row, whose bytes were 0: as unpack_int8 and unpack_int4 will
 * look for it. */
static void store_code(unsigned char *codes, size_t bits, size_t i, int code)
{
    if (bits == 8)
        codes[i] = (unsigned char)code;
    else
        codes[i / 2] |= (unsigned char)((code + 8) << 4 * (i % 2));
}

void quantize_row(const struct rounding *r, const float *x, size_t n,
                  const float *importance, unsigned char *codes,
                  float *scales)
{
    size_t bits = r->format->bits, group = r->group;
    int most = largest_code(r->format);
    memset(codes, 0, n * bits / 8);
    for (size_t i = 0; i < n; i += group) {
        const float *counts = importance ? importance + i : NULL;
        float scale = r->search ? search_scale(x + i, counts, group, most)
                                : largest_of(x + i, group) / (float)most;
        for (size_t j = i; j < i + group; j++)
            store_code(codes, bits, j, (int)code_for(x[j], scale, most));
        scales[i / group] = scale;
    }
}
