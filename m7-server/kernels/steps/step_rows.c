/* Step 0: a product as m5 computes it. */
#include "product_steps.h"

/* Row `row` of m as floats (cols,). */
static void unpack_floats(const struct code_rows *m, size_t row, float *out)
{
    const unsigned char *codes = m->codes + row * m->cols / 2;
    const float *scales = m->scales + row * m->cols / GROUP;
    for (size_t i = 0; i < m->cols; i += 2) {
        float scale = scales[i / GROUP];
        out[i] = (float)((codes[i / 2] & 15) - CODE_MIDDLE) * scale;
        out[i + 1] = (float)((codes[i / 2] >> 4) - CODE_MIDDLE) * scale;
    }
}

/* The sum of w[i] * x[i], in eight running sums, since each addition waits for
 * the one before it in its sum. */
static float dot_eight(const float *w, const float *x, size_t n)
{
    float sums[8] = {0};
    for (size_t i = 0; i < n; i += 8)
        for (size_t j = 0; j < 8; j++)
            sums[j] += w[i + j] * x[i + j];
    for (size_t half = 4; half > 0; half /= 2)
        for (size_t j = 0; j < half; j++)
            sums[j] += sums[j + half];
    return sums[0];
}

void multiply_by_rows(const struct code_rows *m, const float *x, size_t n,
                      float *room, float *out)
{
    for (size_t row = 0; row < m->rows; row++) {
        unpack_floats(m, row, room);
        for (size_t t = 0; t < n; t++)
            out[t * m->rows + row] = dot_eight(room, x + t * m->cols, m->cols);
    }
}
