/* Numbers of 8 bits, whole ones or floats, that blocks of rows and columns
 * scale: a weight is (number - zero) * scale, or number * scale.  A block at
 * the matrix's edge may be least. */
#include "formats.h"

#include "sizes.h"

void unpack_scaled(const struct quantized *q, size_t row, float *out)
{
    size_t groups = (q->cols + q->group - 1) / q->group;
    dtype_to_f32(q->dtype, q->codes + row * q->row_bytes, q->cols, out);
    for (size_t g = 0; g < groups; g++) {
        size_t at = row / q->group_rows * groups + g;
        size_t end = smaller_size((g + 1) * q->group, q->cols);
        float scale, zero = 0;
        tensor_read(q->scales, at, 1, &scale);
        if (q->zeros)
            tensor_read(q->zeros, at, 1, &zero);
        for (size_t j = g * q->group; j < end; j++)
            out[j] = (out[j] - zero) * scale;
    }
}
