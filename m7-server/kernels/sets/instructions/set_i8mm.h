/* NEON with products of small matrices: two rows of eight codes by two rows of
 * eight inputs in one instruction.  ARM since v8.6 (some before), Apple since
 * M2.  It is for many rows of inputs (kernel_pairs.h); all else is NEON's. */
#ifndef SET_I8MM_H
#define SET_I8MM_H

#include "set_neon.h"

#undef set_int_kernels
#undef set_probe_kernels
#define set_int_kernels i8mm_int_kernels
#define set_probe_kernels i8mm_probe_kernels

/* Words of a row that one product of a tile takes, and who makes of them what
 * kernel_codes.h and kernel_many.h do word by word. */
#define STEP_WORDS 2
#define set_expand expand_pairs
#define set_step dot_pairs
#define set_products pair_products

/* A word of each of LANES rows, and another word of each: pairs, of the first
 * half of the rows and of the second. */
static inline void pair_words(vint a, vint b, vint pairs[2])
{
    pairs[0] = (vint)vzip1q_s32((int32x4_t)a, (int32x4_t)b);
    pairs[1] = (vint)vzip2q_s32((int32x4_t)a, (int32x4_t)b);
}

/* The sums of two rows and two tokens, of which a row's stand side by side,
 * and those of the next two rows: now a token's stand side by side. */
static inline void part_sums(vint *a, vint *b)
{
    int32x4_t first = (int32x4_t)*a, second = (int32x4_t)*b;
    *a = (vint)vuzp1q_s32(first, second);
    *b = (vint)vuzp2q_s32(first, second);
}

/* Each lane of `sum` and eight products: pairs of words w of two rows, bytes
 * with a sign, times pairs x of two tokens. */
static inline vint add_pairs(vint sum, vint w, vint x)
{
    return (vint)vmmlaq_s32((int32x4_t)sum, (int8x16_t)w, (int8x16_t)x);
}

#include "kernel_pairs.h"

#endif
