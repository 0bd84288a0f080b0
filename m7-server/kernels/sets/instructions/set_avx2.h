/* AVX2 with fused multiply-add.  Intel since Haswell, AMD since Excavator. */
#ifndef SET_H
#define SET_H

#define set_int_kernels avx2_int_kernels
#define set_float_kernels avx2_float_kernels
#define set_row_kernels avx2_row_kernels
#define set_attention_kernels avx2_attention_kernels
#define set_step_kernels avx2_step_kernels
#define set_probe_kernels avx2_probe_kernels

#include "set_lanes8.h"

enum part_sizes {
    WORD_PARTS = 2 /* in which many rows multiply four codes of 8 bits */
};

/* Each lane of `sum` and four products: its bytes of w, less 128, times the
 * four signed bytes of x.  The instruction takes bytes without a sign on one
 * side, so that side's size is taken, and its sign goes to the other.  It adds
 * two products in 16 bits, where 2 * 128 * 127 has room. */
static inline vint dot_bytes(vint sum, vbytes w, vint x)
{
    __m256i weights = (__m256i)(w ^ 128);
    __m256i products = _mm256_maddubs_epi16(
        _mm256_abs_epi8(weights), _mm256_sign_epi8((__m256i)x, weights));
    return sum + (vint)_mm256_madd_epi16(products, _mm256_set1_epi16(1));
}

/* What dot_bytes begins with; `sum` is that of the bytes of x. */
static inline int32_t start_bytes(int32_t sum)
{
    (void)sum;
    return 0;
}

/* The same for bytes of w up to 15, of at most eight steps from
 * start_nibbles: each lane is two sums of 16 bits, which have room for
 * 8 * 2 * 15 * 127. */
static inline vint dot_nibbles(vint sum, vbytes w, vint x)
{
    return (vint)_mm256_add_epi16(
        (__m256i)sum, _mm256_maddubs_epi16((__m256i)w, (__m256i)x));
}

/* What dot_nibbles begins with when 8 is to be taken from each byte of w; q
 * are the 32 bytes of x.  Its first half is of the first two bytes of all
 * words, its second of the others. */
static inline int32_t start_nibbles(int32_t total, vgroup q)
{
    __m256i sums = _mm256_maddubs_epi16(_mm256_set1_epi8(8),
                                        (__m256i)q);
    __m128i four = _mm_add_epi16(_mm256_castsi256_si128(sums),
                                 _mm256_extracti128_si256(sums, 1));
    __m128i two = _mm_add_epi16(four, _mm_shuffle_epi32(four, 0x4e));
    __m128i one = _mm_add_epi16(two, _mm_shuffle_epi32(two, 0xb1));
    (void)total;
    return _mm_cvtsi128_si32(_mm_sub_epi16(_mm_setzero_si128(), one));
}

/* What a sum of dot_nibbles stands for. */
static inline vint nibbles_sum(vint sum)
{
    return (vint)_mm256_madd_epi16((__m256i)sum, _mm256_set1_epi16(1));
}

/* Each lane of `sum` and two products, of numbers of 16 bits with a sign. */
static inline vint dot_shorts(vint sum, vbytes w, vint x)
{
    return sum + (vint)_mm256_madd_epi16((__m256i)w, (__m256i)x);
}
#define dot_parts dot_shorts

/* Let the compiler take a number for a new one: it is computed before this and
 * not later (kernel_many.h); what is computed of it cannot be computed once
 * for many rounds (kernel_probe.c). */
static inline void renew(vint *v)
{
    __asm__ volatile("" : "+x"(*v));
}

#endif
