/* For the tests of products: random matrices of every kind, and random rows to
 * multiply them with. */
#ifndef TEST_OPERANDS_H
#define TEST_OPERANDS_H

#include "packed.h"
#include "test_numbers.h"

enum shapes {
#ifdef __SANITIZE_THREAD__
    N_SHAPES = 20, /* of each kind, which one thread computes */
#else
    N_SHAPES = 2000, /* of each kind */
#endif
    MOST_ROWS = 70,
    MOST_COLS = 2600,
    RANDOM_COLS = 400, /* at most; longer ones are asked for one by one */
    MOST_N = 20,
    MOST_FEW_N = 64, /* what set_*.h has as MOST_FEW, at most */
    MOST_GROUPS = (MOST_COLS + 31) / 32
};

/* How many shapes of each kind a test tries; memory errors are looked for in
 * all of them. */
static inline size_t n_shapes(void)
{
    return is_long() || is_slow() ? N_SHAPES : N_SHAPES / 5;
}

/* Random numbers, the same in every run (Marsaglia's xorshift). */
static uint64_t random_state = 88172645463325252u;

static inline uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

static inline size_t random_below(size_t n)
{
    return random_bits() % n;
}

/* From -1 to 1. */
static inline float random_number(void)
{
    return (float)(int32_t)random_bits() * 0x1p-31f;
}

static inline float random_scale(void)
{
    switch (random_below(12)) {
    case 0:
        return 0;
    case 1:
        return ldexpf(random_number(), -135); /* near the smallest */
    case 2:
        return ldexpf(random_number(), 20);
    default:
        return random_number() * 0.1f;
    }
}

/* A row of random codes; some rows have the largest and smallest alone, which
 * is where sums in few bits would overflow. */
static inline void random_codes(struct codes_row *row, size_t groups)
{
    size_t what = random_below(4);
    for (size_t i = 0; i < groups * 32; i++) {
        unsigned char any = (unsigned char)random_bits();
        row->bytes[i] = what == 0 ? 255 : what == 1 ? 0 : any;
    }
    for (size_t g = 0; g < groups; g++) {
        row->scales[g] = random_scale();
        row->minima[g] = random_scale();
    }
}

static inline void fill_codes(struct packed *p)
{
    static unsigned char bytes[16][MOST_GROUPS * 32];
    static float scales[16][MOST_GROUPS], minima[16][MOST_GROUPS];
    struct codes_row rows[16];
    for (size_t panel = 0; panel < packed_panels(p); panel++) {
        size_t left = p->rows - panel * 16, n = left < 16 ? left : 16;
        for (size_t r = 0; r < n; r++) {
            rows[r] = (struct codes_row){
                scales[r], minima[r], bytes[r], bytes[r],
                p->kind == PACKED_INT8 ? CODES_BYTES8 : CODES_BYTES4, 0};
            random_codes(&rows[r], (p->cols + 31) / 32);
        }
        packed_codes(p, panel, rows, n);
    }
}

/* Random floats of 16 bits: any bits of finite numbers; of 32, most near 1. */
static inline void fill_numbers(struct packed *p)
{
    static unsigned char data[16][4 * MOST_COLS];
    const unsigned char *rows[16];
    for (size_t panel = 0; panel < packed_panels(p); panel++) {
        size_t left = p->rows - panel * 16, n = left < 16 ? left : 16;
        for (size_t r = 0; r < n; r++) {
            rows[r] = data[r];
            for (size_t i = 0; i < p->cols; i++) {
                uint16_t half = (uint16_t)(random_bits() & 0xbbff);
                float x = random_scale();
                if (p->kind == PACKED_F32)
                    memcpy(data[r] + 4 * i, &x, 4);
                else
                    memcpy(data[r] + 2 * i, &half, 2);
            }
        }
        packed_floats(p, panel, rows, n);
    }
}

static inline void make_matrix(struct packed *p, enum packed_kind kind,
                               size_t rows, size_t cols)
{
    struct error e;
    assert_ok(packed_init(p, kind, rows, cols, &e), &e);
    if (packed_is_float(p))
        fill_numbers(p);
    else
        fill_codes(p);
}

/* Rows of inputs (n, cols): ordinary; or zeros, subnormal, huge; or with a
 * number that is none among them. */
static inline float *make_inputs(size_t n, size_t cols)
{
    float *x = malloc(n * cols * sizeof *x);
    int exponent = 2;
    for (size_t i = 0; i < n * cols; i++) {
        if (i % 32 == 0) {
            static const int exponents[] = {2, 2, 2, -140, -100, 126, -160};
            exponent = exponents[random_below(7)];
        }
        x[i] = ldexpf(random_number(), exponent);
    }
    size_t bad = random_below(12), at = random_below(n * cols);
    if (bad < 3)
        x[at] = bad == 0 ? NAN : bad == 1 ? INFINITY : -INFINITY;
    return x;
}

#endif
