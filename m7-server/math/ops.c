/* The arithmetic: see ops.h. */
#include "ops.h"

#include "rows.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Reading one weight: exact, since every F16 and BF16 number is a float.
 * memcpy, because a file may put its numbers at odd addresses.
 *
 * dtype.c reads these types, too, a row at a time into memory.  Here a number
 * is read where it is multiplied: only so does the compiler turn both into the
 * same few vector instructions.  A test holds the two readings equal. */
typedef float number_at(const unsigned char *data, size_t i);

static inline float f32_at(const unsigned char *data, size_t i)
{
    float value;
    memcpy(&value, data + 4 * i, sizeof value);
    return value;
}

/* The upper half of a float. */
static inline float bf16_at(const unsigned char *data, size_t i)
{
    uint16_t half;
    memcpy(&half, data + 2 * i, sizeof half);
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Sign, 5 bits of exponent, 10 of mantissa.  Moved to a float's places, the
 * number is too small by 2 to the (127 - 15); multiplying mends that, for
 * subnormal numbers as well.  An infinity or NaN is past the largest finite
 * exponent and must have the largest there is. */
static inline float f16_at(const unsigned char *data, size_t i)
{
    uint16_t half;
    memcpy(&half, data + 2 * i, sizeof half);
    uint32_t bits = (uint32_t)(half & 0x7fff) << 13;
    float value;
    memcpy(&value, &bits, sizeof value);
    value *= 0x1p112f;
    memcpy(&bits, &value, sizeof bits);
    bits |= (uint32_t)(half & 0x8000) << 16;
    bits |= (half & 0x7c00) == 0x7c00 ? 0x7f800000 : 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The sum of the lanes (8,), in the order that ops.h says. */
static inline float join_lanes(float *lane)
{
    for (size_t j = 0; j < 4; j++)
        lane[j] += lane[j + 4];
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

/* dot() for any type of y; `at` is known where this is inlined, so that the
 * inner loop becomes a few vector instructions. */
static inline float dot_read(const float *x, const unsigned char *y, size_t n,
                             number_at *at)
{
    float lane[8] = {0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t j = 0; j < 8; j++)
            lane[j] += x[i + j] * at(y, i + j);
    for (; i < n; i++)
        lane[i % 8] += x[i] * at(y, i);
    return join_lanes(lane);
}

float dot(const float *x, const float *y, size_t n)
{
    return dot_read(x, (const unsigned char *)y, n, f32_at);
}

static size_t row_bytes(const struct weight *w)
{
    return w->cols * dtype_bits(w->dtype) / 8;
}

/* Where row `row` stands, counted in rows.  With run 2 and stride 6, rows 0 to
 * 4 are in places 0, 1, 6, 7, 12; with paired 6, rows 0 to 5 in places 0, 2,
 * 4, 1, 3, 5. */
size_t place_of(const struct weight *w, size_t row)
{
    row = paired_place(row, w->paired);
    return w->first +
           (w->run ? row / w->run * w->stride + row % w->run : row);
}

/* The bytes of a row, which is about to be used. */
static const unsigned char *fetch_row(struct compute *c,
                                      const struct weight *w, size_t row)
{
    size_t bytes = row_bytes(w);
    c->fetched += bytes;
    return w->data + place_of(w, row) * bytes;
}

void weight_row(struct compute *c, const struct weight *w, size_t row,
                float *out)
{
    if (w->quantized) {
        c->fetched += quantized_row_bytes(w->quantized);
        quantized_row(w->quantized, place_of(w, row), out);
        return;
    }
    dtype_to_f32(w->dtype, fetch_row(c, w, row), w->cols, out);
}

/* Never inlined: clang would sort the lanes for this end of the loop below, by
 * shuffling them in each of its steps. */
__attribute__((noinline)) static float join_apart(float *lane)
{
    return join_lanes(lane);
}

/* The products of one row of weights y (n,) with four rows x (4, n), each in
 * the order of dot().  A weight is read and converted once for all four, and
 * the processor has four times as much to do for each number that it fetches.
 * Always inlined: only where `at` is known is this fast. */
__attribute__((always_inline)) static inline void
dot_four(const float *x, const unsigned char *y, size_t n, number_at *at,
         float *sums)
{
    const float *x1 = x + n, *x2 = x1 + n, *x3 = x2 + n;
    float lane0[8] = {0}, lane1[8] = {0}, lane2[8] = {0}, lane3[8] = {0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        float w[8];
        for (size_t j = 0; j < 8; j++)
            w[j] = at(y, i + j);
        for (size_t j = 0; j < 8; j++)
            lane0[j] += x[i + j] * w[j];
        for (size_t j = 0; j < 8; j++)
            lane1[j] += x1[i + j] * w[j];
        for (size_t j = 0; j < 8; j++)
            lane2[j] += x2[i + j] * w[j];
        for (size_t j = 0; j < 8; j++)
            lane3[j] += x3[i + j] * w[j];
    }
    for (; i < n; i++) {
        float w = at(y, i);
        lane0[i % 8] += x[i] * w;
        lane1[i % 8] += x1[i] * w;
        lane2[i % 8] += x2[i] * w;
        lane3[i % 8] += x3[i] * w;
    }
    sums[0] = join_apart(lane0);
    sums[1] = join_apart(lane1);
    sums[2] = join_apart(lane2);
    sums[3] = join_apart(lane3);
}

/* The dot products of row `row` of w with all rows of x (n, w->cols): a column
 * of out (n, w->rows).  Each type of weight has a function of this kind; it is
 * told which row of which matrix, so it may need more than the row's bytes. */
typedef void row_function(struct compute *c, const struct weight *w,
                          size_t row, const float *x, size_t n, float *out);

__attribute__((always_inline)) static inline void
multiply_bytes(const unsigned char *y, const struct weight *w, size_t row,
               const float *x, size_t n, float *out, number_at *at)
{
    float sums[4];
    size_t t = 0;
    for (; t + 4 <= n; t += 4) {
        dot_four(x + t * w->cols, y, w->cols, at, sums);
        for (size_t i = 0; i < 4; i++)
            out[(t + i) * w->rows + row] = sums[i];
    }
    for (; t < n; t++)
        out[t * w->rows + row] = dot_read(x + t * w->cols, y, w->cols, at);
}

__attribute__((always_inline)) static inline void
multiply_row(struct compute *c, const struct weight *w, size_t row,
             const float *x, size_t n, float *out, number_at *at)
{
    multiply_bytes(fetch_row(c, w, row), w, row, x, n, out, at);
}

/* A row of codes becomes floats once, for all rows of x. */
static void multiply_quantized(struct compute *c, const struct weight *w,
                               size_t row, const float *x, size_t n,
                               float *out)
{
    weight_row(c, w, row, c->row);
    multiply_bytes((const unsigned char *)c->row, w, row, x, n, out, f32_at);
}

static void multiply_f32(struct compute *c, const struct weight *w, size_t row,
                         const float *x, size_t n, float *out)
{
    multiply_row(c, w, row, x, n, out, f32_at);
}

static void multiply_f16(struct compute *c, const struct weight *w, size_t row,
                         const float *x, size_t n, float *out)
{
    multiply_row(c, w, row, x, n, out, f16_at);
}

static void multiply_bf16(struct compute *c, const struct weight *w,
                          size_t row, const float *x, size_t n, float *out)
{
    multiply_row(c, w, row, x, n, out, bf16_at);
}

static row_function *const row_functions[N_DTYPES] = {
    [DTYPE_F32] = multiply_f32,
    [DTYPE_F16] = multiply_f16,
    [DTYPE_BF16] = multiply_bf16,
};

bool weight_type_is_known(enum dtype type)
{
    return row_functions[type] != NULL;
}

/* Row after row of w, each for all of x: so each weight comes from memory
 * once, however many rows x has. */
void matmul(struct compute *c, const float *x, size_t n,
            const struct weight *w, float *out)
{
    if (c->engine && w->packed) {
        const struct product product = {w->packed, out};
        c->fetched += multiply_all(c->engine, &product, 1, x, n);
        return;
    }
    row_function *multiply_one =
        w->quantized ? multiply_quantized : row_functions[w->dtype];
    if (c->watcher)
        c->watcher->watch(c->watcher->context, w, x, n);
    for (size_t r = 0; r < w->rows; r++)
        multiply_one(c, w, r, x, n, out);
}

static number_at *const readers[N_DTYPES] = {
    [DTYPE_F32] = f32_at,
    [DTYPE_F16] = f16_at,
    [DTYPE_BF16] = bf16_at,
};

/* Number i of a vector, or `otherwise` where the model has no such vector. */
static float weight_at(const struct weight *w, size_t i, float otherwise)
{
    return w->data ? readers[w->dtype](w->data, place_of(w, i)) : otherwise;
}

/* A vector is about to be used, for as many rows as there may be. */
static void fetch_vector(struct compute *c, const struct weight *w)
{
    if (w->data)
        c->fetched += w->rows * row_bytes(w);
}

void add_bias(struct compute *c, const struct linear *l, size_t n,
                     float *y)
{
    size_t width = l->weight.rows;
    if (!l->bias.data)
        return;
    fetch_vector(c, &l->bias);
    if (c->engine && add_bias_rows(c->engine, l, n, y))
        return;
    for (size_t t = 0; t < n; t++)
        for (size_t i = 0; i < width; i++)
            y[t * width + i] += weight_at(&l->bias, i, 0);
}

void linear(struct compute *c, const struct linear *l, const float *x,
            size_t n, float *y)
{
    matmul(c, x, n, &l->weight, y);
    add_bias(c, l, n, y);
}

/* In steps of eight for the same reason as dot_read. */
void add_scaled(float *restrict x, const float *restrict y, float factor,
                size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t j = 0; j < 8; j++)
            x[i + j] += factor * y[i + j];
    for (; i < n; i++)
        x[i] += factor * y[i];
}

void multiply(float *x, const float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] *= y[i];
}

void scale(float *x, float factor, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] *= factor;
}

/* The mean of a row, from its first number to its last. */
static float mean_of(const float *x, size_t width)
{
    float sum = 0;
    for (size_t i = 0; i < width; i++)
        sum += x[i];
    return sum / (float)width;
}

/* 1 / the root of the mean square of x (width,), eps being added to the mean.
 * It has 64 bits until the end: what is lost in it, the whole row loses. */
static float inverse_rms(const float *x, size_t width, float eps)
{
    double square = (double)dot(x, x, width) / (double)width;
    return (float)(1 / sqrt(square + (double)eps));
}

static void normalize_row(const struct norm *norm, const float *x, float *y)
{
    size_t width = norm->width;
    float mean = norm->kind == NORM_LAYER ? mean_of(x, width) : 0;
    for (size_t i = 0; i < width; i++)
        y[i] = x[i] - mean;
    float factor = inverse_rms(y, width, norm->eps);
    for (size_t i = 0; i < width; i++) {
        float weight = weight_at(&norm->weight, i, 1) + norm->weight_offset;
        float bias = weight_at(&norm->bias, i, 0);
        y[i] = weight * (y[i] * factor) + bias;
    }
}

void normalize_rows(struct compute *c, const struct norm *norm, const float *x,
                    size_t count, float *out)
{
    if (norm->kind == NORM_NONE) {
        memmove(out, x, count * sizeof *out);
        return;
    }
    fetch_vector(c, &norm->weight);
    fetch_vector(c, &norm->bias);
    if (c->engine && normalize_by_kernels(c->engine, norm, x, count, out))
        return;
    for (size_t at = 0; at < count; at += norm->width)
        normalize_row(norm, x + at, out + at);
}

static float largest(const float *x, size_t n)
{
    float most = x[0];
    for (size_t i = 1; i < n; i++)
        most = x[i] > most ? x[i] : most;
    return most;
}

/* The sum has 64 bits: in 32, each of 100,000 small terms would lose its last
 * digits on being added to a sum near 1, and together a ten-thousandth. */
void softmax(float *x, size_t n)
{
    float most = largest(x, n);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        x[i] = expf(x[i] - most);
        sum += (double)x[i];
    }
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((double)x[i] / sum);
}

void soft_cap(float *x, float cap, size_t n)
{
    if (cap == 0)
        return;
    for (size_t i = 0; i < n; i++)
        x[i] = cap * tanhf(x[i] / cap);
}
