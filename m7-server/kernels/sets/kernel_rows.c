/* Rows: what a pass does between two matrices, number by number.
 *
 * Each lane is a number of a row, and knows no other but where a row is
 * summed.  The order of such a sum: number i is added to sum i mod 16; then
 * sum i takes sum i + 8, then i + 4, i + 2, i + 1.  Nothing is rounded but
 * what is written here, step by step. */
#include "kernel_math.h"
#include "vector.h"

#include <math.h>

/* The first `count` lanes, the others 0. */
INLINE vfloat load_some(const float *from, size_t count)
{
    vfloat v = {0};
    if (count >= LANES)
        return load_floats(from);
    memcpy(&v, from, count * sizeof *from);
    return v;
}

INLINE void store_some(float *to, vfloat v, size_t count)
{
    if (count >= LANES)
        store_floats(to, v);
    else
        memcpy(to, &v, count * sizeof *to);
}

/* --- norms -------------------------------------------------------------- */

/* The sixteen sums of a row. */
struct row_sums {
    vfloat sums[PANEL_VECTORS];
};

INLINE float join_sums(const struct row_sums *all)
{
    float sums[PANEL_ROWS];
    memcpy(sums, all->sums, sizeof sums);
    for (size_t step = PANEL_ROWS / 2; step > 0; step /= 2)
        for (size_t i = 0; i < step; i++)
            sums[i] += sums[i + step];
    return sums[0];
}

/* Add 16 numbers x (16,), or their squares. */
INLINE void add_sixteen(struct row_sums *all, const float *x, bool squared)
{
    UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
    {
        vfloat some = load_floats(x + v * LANES);
        all->sums[v] =
            squared ? fused(some, some, all->sums[v]) : all->sums[v] + some;
    }
}

/* The sum of x (n,), or of its squares.  The last few are filled up with
 * zeros, which change no sum. */
INLINE float sum_row(const float *x, size_t n, bool squared)
{
    struct row_sums all = {0};
    float rest[PANEL_ROWS] = {0};
    size_t i = 0;
    for (; i + PANEL_ROWS <= n; i += PANEL_ROWS)
        add_sixteen(&all, x + i, squared);
    memcpy(rest, x + i, (n - i) * sizeof *rest);
    add_sixteen(&all, rest, squared);
    return join_sums(&all);
}

INLINE void subtract_row(const float *x, float less, size_t n, float *out)
{
    for (size_t i = 0; i < n; i += LANES)
        store_some(out + i, load_some(x + i, n - i) - less, n - i);
}

/* Numbers i and following of a row, times a factor and their weights, and
 * their biases. */
INLINE vfloat weigh_floats(const struct row_norm *norm, vfloat x, float factor,
                           size_t i)
{
    size_t left = norm->width - i;
    vfloat weight = all_floats(1);
    if (norm->weights)
        weight = load_some(norm->weights + i, left);
    x = x * factor * (weight + norm->offset);
    return norm->biases ? x + load_some(norm->biases + i, left) : x;
}

INLINE void normalize_one(const struct row_norm *norm, const float *x,
                          float *out)
{
    size_t width = norm->width;
    if (norm->centred) {
        subtract_row(x, sum_row(x, width, false) / (float)width, width, out);
        x = out;
    }
    double mean = (double)sum_row(x, width, true) / (double)width;
    float factor = (float)(1 / sqrt(mean + (double)norm->eps));
    for (size_t i = 0; i < width; i += LANES)
        store_some(out + i,
                   weigh_floats(norm, load_some(x + i, width - i), factor, i),
                   width - i);
}

static void normalize_numbers(const struct row_norm *norm, const float *x,
                      size_t n_rows, float *out)
{
    for (size_t row = 0; row < n_rows; row++)
        normalize_one(norm, x + row * norm->width, out + row * norm->width);
}

/* --- number by number --------------------------------------------------- */

/* Within 2.5 ulp; 0 for x < -88.7, where it is below 3e-37 in size. */
INLINE vfloat silu_of(vfloat x)
{
    return x / (1 + vector_exp(-x));
}

INLINE vfloat gelu_of(vfloat x)
{
    return x * vector_normal(x);
}

/* x / (1 + exp(-2 z)), z = sqrt(2 / pi) (x + 0.044715 x^3): as ops.c says.
 * Far below 0, exp makes much of what is lost when -2 z is rounded, 160 ulp at
 * x = -9; so -2 z = x (c + d x^2) has a second part, and so have c and d.
 * Within 2.5 ulp; 0 for x < -10.05, where it is below 4e-38 in size. */
INLINE vfloat gelu_tanh_of(vfloat x)
{
    const vfloat c = all_floats(-0x1.988454p+0f);
    const vfloat d = all_floats(-0x1.2444f2p-4f);
    vfloat near = select_floats(x < -20, all_floats(-20), x);
    near = select_floats(near > 20, all_floats(20), near);
    struct two_floats square = exact_product(near, near);
    struct two_floats rest = exact_product(d, square.high);
    rest.low = fused(d, square.low, rest.low);
    rest.low = fused(all_floats(-0x1.49b16ap-29f), square.high, rest.low);
    struct two_floats sum = exact_sum(c, rest.high);
    sum.low = sum.low + rest.low + 0x1.857936p-25f;
    struct two_floats z = exact_product(near, sum.high);
    z.low = fused(near, sum.low, z.low);
    return x / (1 + vector_exp_of_sum(z.high, z.low));
}

INLINE vfloat activated(enum activation_kind kind, vfloat x)
{
    switch (kind) {
    case ACTIVATION_SILU:
        return silu_of(x);
    case ACTIVATION_GELU:
        return gelu_of(x);
    default:
        return gelu_tanh_of(x);
    }
}

INLINE void activate_some(enum activation_kind kind, float *x, const float *up,
                          size_t count)
{
    vfloat y = activated(kind, load_some(x, count));
    if (up)
        y = y * load_some(up, count);
    store_some(x, y, count);
}

INLINE void activate_kind(enum activation_kind kind, float *x, const float *up,
                          size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        activate_some(kind, x + i, up ? up + i : NULL, n - i);
}

static void activate_numbers(enum activation_kind kind, float *x,
                             const float *up, size_t n)
{
    switch (kind) {
    case ACTIVATION_SILU:
        activate_kind(ACTIVATION_SILU, x, up, n);
        break;
    case ACTIVATION_GELU:
        activate_kind(ACTIVATION_GELU, x, up, n);
        break;
    default:
        activate_kind(ACTIVATION_GELU_TANH, x, up, n);
    }
}

static void cap_numbers(float *x, float cap, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vfloat part = load_some(x + i, n - i) / cap;
        store_some(x + i, cap * vector_tanh(part), n - i);
    }
}

static void scale_numbers(float *x, float factor, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        store_some(x + i, load_some(x + i, n - i) * factor, n - i);
}

static void add_scaled_numbers(float *x, const float *y, float factor,
                               size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vfloat more = factor * load_some(y + i, n - i);
        store_some(x + i, load_some(x + i, n - i) + more, n - i);
    }
}

static void exponentiate_numbers(float *x, float less, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        store_some(x + i, vector_exp(load_some(x + i, n - i) - less), n - i);
}

/* --- rotation ----------------------------------------------------------- */

/* Heads whose numbers i and i + pairs turn together: each pair by two products
 * and their difference, and two and their sum. */
INLINE void turn_halves(const struct row_turn *turn, float *x, size_t n_heads)
{
    size_t pairs = turn->pairs;
    for (size_t i = 0; i < pairs; i += LANES) {
        vfloat cosine = load_some(turn->cosines + i, pairs - i);
        vfloat sine = load_some(turn->sines + i, pairs - i);
        float *p = x + i, *q = p + pairs;
        for (size_t h = 0; h < n_heads; h++) {
            vfloat a = load_some(p, pairs - i), b = load_some(q, pairs - i);
            store_some(p, a * cosine - b * sine, pairs - i);
            store_some(q, b * cosine + a * sine, pairs - i);
            p += turn->head_dim;
            q += turn->head_dim;
        }
    }
}

typedef uint64_t vpairs __attribute__((vector_size(4 * LANES)));

/* Lanes 0 and 1 change places, 2 and 3, and so on. */
INLINE vfloat swap_neighbours(vfloat x)
{
    return (vfloat)((vpairs)x << 32 | (vpairs)x >> 32);
}

/* The same for numbers 2 i and 2 i + 1: the first of two takes less the
 * second's sine, which is the same as to subtract it. */
INLINE void turn_neighbours(const struct row_turn *turn, float *x,
                            size_t n_heads)
{
    for (size_t i = 0; i < turn->pairs; i += LANES / 2) {
        float cosines[LANES] = {0}, sines[LANES] = {0};
        size_t left = turn->pairs - i;
        for (size_t j = 0; j < left && j < LANES / 2; j++) {
            cosines[2 * j] = cosines[2 * j + 1] = turn->cosines[i + j];
            sines[2 * j] = -turn->sines[i + j];
            sines[2 * j + 1] = turn->sines[i + j];
        }
        vfloat cosine = load_floats(cosines), sine = load_floats(sines);
        float *p = x + 2 * i;
        for (size_t h = 0; h < n_heads; h++, p += turn->head_dim) {
            vfloat a = load_some(p, 2 * left);
            vfloat turned = a * cosine + swap_neighbours(a) * sine;
            store_some(p, turned, 2 * left);
        }
    }
}

static void turn_numbers(const struct row_turn *turn, float *x, size_t n_heads)
{
    if (turn->neighbours)
        turn_neighbours(turn, x, n_heads);
    else
        turn_halves(turn, x, n_heads);
}

const struct row_kernels set_row_kernels = {
    normalize_numbers, activate_numbers,   cap_numbers,
    scale_numbers,     add_scaled_numbers, exponentiate_numbers,
    turn_numbers};
