/* The plainest formats: a value is a whole number times its group's scale.
 * int8 stores the number itself, -127 to 127; int4 the number plus 8, so that
 * it is 1 to 15, two to a byte, the lower half first. */
#include "formats.h"

/* Eight codes at a time: of loops whose length is known compilers make
 * vectors. */
enum rounded_steps {
    STEP = 8
};

static void scale_int8(const signed char *codes, float scale,
                       float *restrict out)
{
    for (size_t j = 0; j < STEP; j++)
        out[j] = (float)codes[j] * scale;
}

static void scale_int4(const unsigned char *codes, float scale,
                       float *restrict out)
{
    for (size_t j = 0; j < STEP / 2; j++) {
        out[2 * j] = (float)((codes[j] & 15) - 8) * scale;
        out[2 * j + 1] = (float)((codes[j] >> 4) - 8) * scale;
    }
}

void unpack_int8(const struct quantized *q, size_t row, float *out)
{
    const signed char *codes =
        (const signed char *)q->codes + row * q->row_bytes;
    for (size_t i = 0; i < q->cols; i += q->group) {
        float scale = group_value(q, q->scales, row, i / q->group);
        for (size_t j = i; j < i + q->group; j += STEP)
            scale_int8(codes + j, scale, out + j);
    }
}

void unpack_int4(const struct quantized *q, size_t row, float *out)
{
    const unsigned char *codes = q->codes + row * q->row_bytes;
    for (size_t i = 0; i < q->cols; i += q->group) {
        float scale = group_value(q, q->scales, row, i / q->group);
        for (size_t j = i; j < i + q->group; j += STEP)
            scale_int4(codes + j / 2, scale, out + j);
    }
}
