/* 8 lanes, of AVX2 with fused multiply-add: what sets have in common that
 * differ in their products of bytes. */
#ifndef SET_LANES8_H
#define SET_LANES8_H

#include <immintrin.h>
#include <stdint.h>

enum set_sizes {
    LANES = 8,
    REGISTERS = 16, /* that hold vectors */
    TILE_TOKENS = 4, /* that a tile multiplies with */
    TILE_PANELS = 1, /* panels of rows */
    TILE_STEPS = 16, /* of a group that are written out, at most */
    MOST_FEW = 8,  /* rows of inputs, for which codes are read again */
    FEW_STEPS = 1, /* of four in a group that are written out */
    FLOAT_ROWS = 6  /* of inputs, that a tile of floats multiplies with */
};

typedef float vfloat __attribute__((vector_size(4 * LANES)));
typedef int32_t vint __attribute__((vector_size(4 * LANES)));
typedef uint8_t vbytes __attribute__((vector_size(4 * LANES)));
typedef int8_t vgroup __attribute__((vector_size(32)));

/* a * b + c, rounded once. */
static inline vfloat fused(vfloat a, vfloat b, vfloat c)
{
    return (vfloat)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

/* LANES halves become floats, exactly. */
static inline vfloat load_halves(const void *from)
{
    return (vfloat)_mm256_cvtph_ps(_mm_loadu_si128(from));
}

/* LANES bytes with a sign become whole numbers. */
static inline vint load_signed(const void *from)
{
    return (vint)_mm256_cvtepi8_epi32(_mm_loadl_epi64(from));
}

/* Lane i becomes lane from[i] of v. */
static inline vfloat pick_lanes(vfloat v, vint from)
{
    return (vfloat)_mm256_permutevar8x32_ps((__m256)v, (__m256i)from);
}

/* Of a table of 16, the number that the lower four bits of a code say. */
static inline vfloat look_up(const vfloat *table, vint codes)
{
    __m256 upper = (__m256)(codes << 28); /* where bit 3 is the sign */
    return (vfloat)_mm256_blendv_ps((__m256)pick_lanes(table[0], codes),
                                    (__m256)pick_lanes(table[1], codes),
                                    upper);
}

/* The same of a table whose halves are equal: the lower three bits count. */
static inline vfloat look_up_eight(const vfloat *table, vint codes)
{
    return pick_lanes(table[0], codes);
}

/* The largest of the lanes. */
static inline int32_t largest_lane(vint v)
{
    __m128i four = _mm_max_epi32(_mm256_castsi256_si128((__m256i)v),
                                 _mm256_extracti128_si256((__m256i)v, 1));
    __m128i two = _mm_max_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    return _mm_cvtsi128_si32(_mm_max_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}

/* The lowest byte of each of 32 whole numbers. */
static inline vgroup lowest_bytes(const vint *v)
{
    __m256i byte = _mm256_set1_epi32(0xff);
    __m256i low = _mm256_packus_epi32(_mm256_and_si256((__m256i)v[0], byte),
                                      _mm256_and_si256((__m256i)v[1], byte));
    __m256i high = _mm256_packus_epi32(_mm256_and_si256((__m256i)v[2], byte),
                                       _mm256_and_si256((__m256i)v[3], byte));
    return (vgroup)_mm256_permutevar8x32_epi32(
        _mm256_packus_epi16(low, high),
        _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/* The sum of 32 bytes. */
static inline int32_t total_of(vgroup q)
{
    __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1),
                                         (__m256i)q);
    __m256i sums = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sums),
                                 _mm256_extracti128_si256(sums, 1));
    __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}

#endif
