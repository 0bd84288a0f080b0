/* AVX2 and its own VNNI: products of bytes in one instruction.  Intel since
 * Alder Lake, AMD since Zen 5.  All else is that of AVX2 (cpu.c). */
#ifndef SET_H
#define SET_H

#define set_int_kernels avxvnni_int_kernels
#define set_step_kernels avxvnni_step_kernels
#define set_probe_kernels avxvnni_probe_kernels

#include "set_lanes8.h"

enum part_sizes {
    WORD_PARTS = 1 /* in which four codes of 8 bits are multiplied */
};

/* Each lane of `sum` and four products: its bytes of w, 0 to 255, times the
 * four signed bytes of x. */
static inline vint dot_bytes(vint sum, vbytes w, vint x)
{
    return (vint)_mm256_dpbusd_avx_epi32((__m256i)sum, (__m256i)w, (__m256i)x);
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

/* Let the compiler take a number for a new one: it is computed before this and
 * not later (kernel_many.h); what is computed of it cannot be computed once
 * for many rounds (kernel_probe.c). */
static inline void renew(vint *v)
{
    __asm__ volatile("" : "+x"(*v));
}

#endif
