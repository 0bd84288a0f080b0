/* MXFP4 (OCP Microscaling Formats 1.0, section 5): a code of 4 bits is a float
 * of its own, E2M1, with a sign, two bits of exponent and one of mantissa; 32
 * of them share a power of two, E8M0.  Its largest code is NaN, by the
 * standard; MLX reads it as infinity, which no quantizer writes. */
#include "formats.h"

void unpack_microscaled(const struct quantized *q, size_t row, float *out)
{
    static const float e2m1[] = {0,     0.5f,  1,     1.5f,  2,  3,  4,  6,
                                 -0.0f, -0.5f, -1.0f, -1.5f, -2, -3, -4, -6};
    const unsigned char *codes = q->codes + row * q->row_bytes;
    for (size_t i = 0; i < q->cols; i += q->group) {
        size_t at = row * (q->cols / q->group) + i / q->group;
        float scale;
        dtype_to_f32(DTYPE_F8_E8M0, q->scales->data + at, 1, &scale);
        for (size_t j = i; j < i + q->group; j += 2) {
            out[j] = e2m1[codes[j / 2] & 15] * scale;
            out[j + 1] = e2m1[codes[j / 2] >> 4] * scale;
        }
    }
}
