/* The plainest formats: a value is a whole number times its group's scale.
 * int8 stores the number itself, -127 to 127; int4 the number plus 8, so that
 * it is 1 to 15, two to a byte, the lower half first. */
#include "formats.h"

void unpack_int8(const struct quantized *q, size_t row, float *out)
{
    const signed char *codes =
        (const signed char *)q->codes + row * q->row_bytes;
    for (size_t i = 0; i < q->cols; i += q->group) {
        float scale = group_value(q, q->scales, row, i / q->group);
        for (size_t j = i; j < i + q->group; j++)
            out[j] = (float)codes[j] * scale;
    }
}

void unpack_int4(const struct quantized *q, size_t row, float *out)
{
    const unsigned char *codes = q->codes + row * q->row_bytes;
    for (size_t i = 0; i < q->cols; i += q->group) {
        float scale = group_value(q, q->scales, row, i / q->group);
        for (size_t j = i; j < i + q->group; j++)
            out[j] = (float)((int)code_at(codes, 4, j) - 8) * scale;
    }
}
