/* Vectors: as many numbers as the machine adds with one instruction.
 *
 * A lane of a vector is a row of a matrix, a position of a text or a number of
 * a head; each lane sums for itself, in an order that the kernels' comments
 * give, and what one lane does no other notices.  So it does not matter how
 * many there are: 4 in a vector (NEON), 8 (AVX2) or 16 (AVX-512).  A vector of
 * 16 lanes and two of 8 give the same bits.
 *
 * Each operation on floats is rounded once, as IEEE 754 says: additions,
 * products, and fused(), a product and a sum with one rounding.  No compiler
 * may join or split them (-ffp-contract=off).
 *
 * The compilers' own vectors do nearly all; what they have no words for is in
 * set_*.h, one of which stands in front of every file that includes this. */
#ifndef VECTOR_H
#define VECTOR_H

#include "kernels.h"

#include <stdint.h>
#include <string.h>

/* How many vectors hold a number for each row of a panel. */
enum vector_sizes {
    PANEL_VECTORS = PANEL_ROWS / LANES
};

/* Always inlined: a kernel's sizes are known where it is called, and its sums
 * stay in registers; unless a compiler is told otherwise, where the time to
 * compile counts for more than speed. */
#ifndef INLINE
#define INLINE static inline __attribute__((always_inline))
#endif

/* In front of a loop over lanes, panels or rows of a tile: unrolled, so that
 * what it indexes can be registers. */
#ifndef UNROLL
#define UNROLL _Pragma("GCC unroll 16")
#endif

INLINE vfloat load_floats(const void *from)
{
    vfloat v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void store_floats(void *to, vfloat v)
{
    memcpy(to, &v, sizeof v);
}

/* Lanes `row` and following of an output row that has `rows` numbers.  The
 * last ones go one by one, and no compiler may make that a call of memcpy: no
 * vector register outlives a call, for whose sake gcc keeps sums that are
 * stored later in memory, in the loop before this as well. */
INLINE void store_rows(vfloat v, float *out, size_t row, size_t rows)
{
    if (row + LANES <= rows) {
        store_floats(out + row, v);
        return;
    }
    for (size_t i = 0; row + i < rows; i++) {
        out[row + i] = v[i];
        __asm__ volatile("" : : : "memory");
    }
}

INLINE vbytes load_bytes(const void *from)
{
    vbytes v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void store_bytes(void *to, vbytes v)
{
    memcpy(to, &v, sizeof v);
}

/* The same number in all lanes. */
INLINE vfloat all_floats(float x)
{
    return x - (vfloat){0};
}

INLINE vint all_ints(int32_t x)
{
    return x - (vint){0};
}

/* LANES words of 32 bits. */
INLINE vint load_words(const void *from)
{
    vint v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* LANES words of 16 bits, without a sign. */
INLINE vint load_short_words(const void *from)
{
    typedef uint16_t vshort __attribute__((vector_size(2 * LANES)));
    vshort v;
    memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, vint);
}

/* The same place, but the compiler does not know it: what it loads from there
 * it loads anew, and does not keep from an earlier time. */
INLINE const int32_t *read_anew(const int32_t *from)
{
    __asm__ volatile("" : "+r"(from));
    return from;
}

INLINE vfloat to_floats(vint v)
{
    return __builtin_convertvector(v, vfloat);
}

#endif
