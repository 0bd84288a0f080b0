/* What a kind of codes is: for kernel_int.c. */
#ifndef KERNEL_CODES_H
#define KERNEL_CODES_H

#include "packed.h"
#include "vector.h"

enum int_sizes {
    FEW_ROWS = 8, /* of inputs, are multiplied as codes are read */
    AHEAD = 2304  /* bytes before they are used, they are asked for */
};

INLINE size_t scale_bytes(enum packed_kind kind)
{
    return kind == PACKED_AFFINE4 ? 128 : 64;
}

/* A group of a panel as bytes, one for each code: vector v of word j. */
INLINE void expand_group(enum packed_kind kind, const unsigned char *codes,
                         vbytes *out)
{
    if (kind == PACKED_INT8) {
        UNROLL for (size_t i = 0; i < GROUP_WORDS * PANEL_VECTORS; i++)
            out[i] = load_bytes(codes + i * sizeof *out);
        return;
    }
    size_t half = GROUP_WORDS / 2 * PANEL_VECTORS;
    UNROLL for (size_t i = 0; i < half; i++)
    {
        vbytes both = load_bytes(codes + i * sizeof both);
        out[i] = both & 15;
        out[half + i] = both >> 4;
    }
}

INLINE size_t group_bytes(enum packed_kind kind)
{
    return kind == PACKED_INT8 ? 512 : 256;
}

INLINE vint first_sum(enum packed_kind kind, const struct inputs *x, size_t at)
{
    switch (kind) {
    case PACKED_INT4:
        return all_ints(x->starts4[at]);
    case PACKED_INT8:
        return all_ints(x->starts8[at]);
    default:
        return all_ints(0);
    }
}

INLINE vint add_products(enum packed_kind kind, vint sum, vbytes w, vint x)
{
    return kind == PACKED_INT8 ? dot_bytes(sum, w, x) : dot_nibbles(sum, w, x);
}

INLINE vint whole_sum(enum packed_kind kind, vint sum)
{
    return kind == PACKED_INT8 ? sum : nibbles_sum(sum);
}

#endif
