/* Plain C: 4 lanes.  What the other sets mean, on any machine; not fast. */
#ifndef SET_H
#define SET_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define set_int_kernels portable_int_kernels
#define set_float_kernels portable_float_kernels
#define set_row_kernels portable_row_kernels
#define set_attention_kernels portable_attention_kernels
#define set_step_kernels portable_step_kernels
#define set_probe_kernels portable_probe_kernels

/* Nothing is unrolled or inlined: there are no vector registers to keep a sum
 * in, and compilers would need minutes. */
#define UNROLL

enum set_sizes {
    LANES = 4,
    REGISTERS = 16, /* that hold vectors */
    TILE_TOKENS = 4, /* that a tile multiplies with */
    TILE_PANELS = 1, /* panels of rows */
    TILE_STEPS = 1, /* of a group that are written out */
    WORD_PARTS = 1, /* in which four codes of 8 bits are multiplied */
    MOST_FEW = 8,  /* rows of inputs, for which codes are read again */
    FEW_STEPS = 1, /* of four in a group that are written out */
    FLOAT_ROWS = 4  /* of inputs, that a tile of floats multiplies with */
};

typedef float vfloat __attribute__((vector_size(4 * LANES)));
typedef int32_t vint __attribute__((vector_size(4 * LANES)));
typedef uint8_t vbytes __attribute__((vector_size(4 * LANES)));
typedef int8_t vgroup __attribute__((vector_size(32)));

/* a * b + c, rounded once. */
__attribute__((noinline)) static vfloat fused(vfloat a, vfloat b, vfloat c)
{
    for (int i = 0; i < LANES; i++)
        c[i] = fmaf(a[i], b[i], c[i]);
    return c;
}

/* One half: its bits at a float's places are a number that is too small by
 * 2 to the 112; an infinity or NaN must have the largest exponent. */
static inline float float_of_half(uint16_t half)
{
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

/* LANES halves become floats, exactly. */
__attribute__((noinline, unused)) static vfloat
load_halves(const void *from)
{
    uint16_t halves[LANES];
    vfloat v = {0};
    memcpy(halves, from, sizeof halves);
    for (int i = 0; i < LANES; i++)
        v[i] = float_of_half(halves[i]);
    return v;
}

/* LANES bytes with a sign become whole numbers. */
static inline vint load_signed(const void *from)
{
    vint numbers = {0};
    for (int i = 0; i < LANES; i++)
        numbers[i] = ((const int8_t *)from)[i];
    return numbers;
}

/* Lane i becomes lane from[i] of v. */
static inline vfloat pick_lanes(vfloat v, vint from)
{
    vfloat picked = v;
    for (int i = 0; i < LANES; i++)
        picked[i] = v[from[i]];
    return picked;
}

/* Of a table of 16, the number that the lower four bits of a code say. */
static inline vfloat look_up(const vfloat *table, vint codes)
{
    vfloat found = {0};
    for (int i = 0; i < LANES; i++)
        found[i] = table[(codes[i] & 15) / LANES][codes[i] & (LANES - 1)];
    return found;
}

/* The same of a table whose halves are equal: the lower three bits count. */
static inline vfloat look_up_eight(const vfloat *table, vint codes)
{
    return look_up(table, codes);
}

/* Each lane of `sum` and four products: its bytes of w, less 128, times the
 * four signed bytes of x. */
__attribute__((noinline, unused)) static vint
dot_bytes(vint sum, vbytes w, vint x)
{
    int8_t factors[4 * LANES];
    memcpy(factors, &x, sizeof factors);
    for (int i = 0; i < 4 * LANES; i++)
        sum[i / 4] += (w[i] - 128) * factors[i];
    return sum;
}

/* The largest of the lanes. */
static inline int32_t largest_lane(vint v)
{
    int32_t most = v[0];
    for (int i = 1; i < LANES; i++)
        most = v[i] > most ? v[i] : most;
    return most;
}

/* The lowest byte of each of 32 whole numbers. */
static inline vgroup lowest_bytes(const vint *v)
{
    vgroup q;
    for (int i = 0; i < 32; i++)
        q[i] = (int8_t)(v[i / LANES][i % LANES] & 0xff);
    return q;
}

/* The sum of 32 bytes. */
static inline int32_t total_of(vgroup q)
{
    int32_t sum = 0;
    for (int i = 0; i < 32; i++)
        sum += q[i];
    return sum;
}

/* What dot_bytes begins with; `sum` is that of the bytes of x. */
static inline int32_t start_bytes(int32_t sum)
{
    (void)sum;
    return 0;
}

/* The same for bytes of w up to 15, nothing being taken from them. */
static inline vint dot_nibbles(vint sum, vbytes w, vint x)
{
    return dot_bytes(sum, w + 128, x);
}

/* What dot_nibbles begins with when 8 is to be taken from each byte of w;
 * `total` is the sum of the 32 bytes q of x. */
static inline int32_t start_nibbles(int32_t total, vgroup q)
{
    (void)q;
    return -8 * total;
}

/* What a sum of dot_nibbles stands for. */
static inline vint nibbles_sum(vint sum)
{
    return sum;
}

/* Let the compiler take a number for a new one: it is computed before this and
 * not later (kernel_many.h); what is computed of it cannot be computed once
 * for many rounds (kernel_probe.c). */
static inline void renew(vint *v)
{
    __asm__ volatile("" : "+m"(*v));
}

#endif
