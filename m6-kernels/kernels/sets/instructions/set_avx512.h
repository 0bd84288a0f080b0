/* AVX-512 with VNNI: 16 lanes.  Intel since Ice Lake, AMD since Zen 4. */
#ifndef SET_H
#define SET_H

#include <immintrin.h>
#include <stdint.h>

#define set_int_kernels avx512_int_kernels
#define set_float_kernels avx512_float_kernels
#define set_row_kernels avx512_row_kernels
#define set_attention_kernels avx512_attention_kernels
#define set_step_kernels avx512_step_kernels
#define set_probe_kernels avx512_probe_kernels

enum set_sizes {
    LANES = 16,
    REGISTERS = 32, /* that hold vectors */
    TILE_TOKENS = 4, /* that a tile multiplies with at once */
    TILE_PANELS = 2, /* panels of rows */
    TILE_STEPS = 8, /* of a group that are written out */
    WORD_PARTS = 1, /* in which four codes of 8 bits are multiplied */
    MOST_FEW = 64, /* rows of inputs, for which codes are read again */
    FEW_STEPS = 4, /* of four in a group that are written out */
    FLOAT_ROWS = 8  /* of inputs, that a tile of floats multiplies with */
};

typedef float vfloat __attribute__((vector_size(4 * LANES)));
typedef int32_t vint __attribute__((vector_size(4 * LANES)));
typedef uint8_t vbytes __attribute__((vector_size(4 * LANES)));
typedef int8_t vgroup __attribute__((vector_size(32)));

/* a * b + c, rounded once. */
static inline vfloat fused(vfloat a, vfloat b, vfloat c)
{
    return (vfloat)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

/* LANES halves become floats, exactly. */
static inline vfloat load_halves(const void *from)
{
    return (vfloat)_mm512_cvtph_ps(_mm256_loadu_si256(from));
}

/* LANES bytes with a sign become whole numbers. */
static inline vint load_signed(const void *from)
{
    return (vint)_mm512_cvtepi8_epi32(_mm_loadu_si128(from));
}

/* Lane i becomes lane from[i] of v. */
static inline vfloat pick_lanes(vfloat v, vint from)
{
    return (vfloat)_mm512_permutexvar_ps((__m512i)from, (__m512)v);
}

/* Of a table of 16, the number that the lower four bits of a code say. */
static inline vfloat look_up(const vfloat *table, vint codes)
{
    return pick_lanes(table[0], codes);
}

/* The same of a table whose halves are equal: the lower three bits count. */
static inline vfloat look_up_eight(const vfloat *table, vint codes)
{
    return pick_lanes(table[0], codes);
}

/* Each lane of `sum` and four products: its bytes of w, 0 to 255, times the
 * four signed bytes of x. */
static inline vint dot_bytes(vint sum, vbytes w, vint x)
{
    return (vint)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)w, (__m512i)x);
}

/* The largest of the lanes. */
static inline int32_t largest_lane(vint v)
{
    return _mm512_reduce_max_epi32((__m512i)v);
}

/* The lowest byte of each of 32 whole numbers. */
static inline vgroup lowest_bytes(const vint *v)
{
    return (vgroup)_mm256_set_m128i(_mm512_cvtepi32_epi8((__m512i)v[1]),
                                    _mm512_cvtepi32_epi8((__m512i)v[0]));
}

/* The sum of 32 bytes. */
static inline int32_t total_of(vgroup q)
{
    __m256i sums = _mm256_dpbusd_epi32(_mm256_setzero_si256(),
                                       _mm256_set1_epi8(1), (__m256i)q);
    return _mm512_reduce_add_epi32(_mm512_zextsi256_si512(sums));
}

/* What dot_bytes begins with when 128 is to be taken from each byte of w;
 * `sum` is that of the bytes of x. */
static inline int32_t start_bytes(int32_t sum)
{
    return -128 * sum;
}

/* The same for bytes of w up to 15, of at most eight steps from
 * start_nibbles(). */
static inline vint dot_nibbles(vint sum, vbytes w, vint x)
{
    return dot_bytes(sum, w, x);
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

/* Where a number is that is renewed: in a register. */
#ifndef RENEWED
#define RENEWED "+v"
#endif

/* Let the compiler take a number for a new one: it is computed before this and
 * not later (kernel_many.h); what is computed of it cannot be computed once
 * for many rounds (kernel_probe.c). */
static inline void renew(vint *v)
{
    __asm__ volatile("" : RENEWED(*v));
}

#endif
