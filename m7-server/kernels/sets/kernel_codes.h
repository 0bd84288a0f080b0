/* What a kind of codes is: for kernel_int.c. */
#ifndef KERNEL_CODES_H
#define KERNEL_CODES_H

#include "packed.h"
#include "vector.h"

/* What tiles of many rows are made of: word by word, unless the set has a way
 * of its own (kernel_pairs.h). */
#ifndef STEP_WORDS
#define STEP_WORDS 1 /* of a row, that one product of a tile takes */
#define set_expand expand_words
#define set_step add_products
#define set_products word_products
#endif

enum int_sizes {
    FEW_ROWS = 8, /* of inputs, are multiplied as codes are read */
    AHEAD = 2304  /* bytes before they are used, they are asked for */
};

INLINE size_t scale_bytes(enum packed_kind kind)
{
    return kind == PACKED_AFFINE4 ? 128 : 64;
}

INLINE size_t group_bytes(enum packed_kind kind)
{
    return kind == PACKED_INT8 ? 512 : 256;
}

/* Codes of 8 bits are multiplied as they are, or, by a set that has no fast
 * products of them, in two planes: their lower halves, then their upper. */
INLINE size_t planes_of(enum packed_kind kind)
{
    return kind == PACKED_INT8 ? BYTE_PLANES : 1;
}

/* Whether codes become bytes before they are multiplied with many rows. */
INLINE bool is_expanded(enum packed_kind kind)
{
    return kind != PACKED_INT8 || planes_of(kind) > 1 || STEP_WORDS > 1;
}

INLINE size_t expanded_bytes(enum packed_kind kind)
{
    return planes_of(kind) * GROUP * PANEL_ROWS;
}

/* A group of a panel, of a kind that is expanded, as bytes: plane by plane,
 * word by word. */
INLINE void expand_words(enum packed_kind kind, const unsigned char *codes,
                         unsigned char *out)
{
    for (size_t i = 0; i < group_bytes(kind); i += 4 * LANES) {
        vbytes both = load_bytes(codes + i);
        store_bytes(out + i, both & 15);
        store_bytes(out + group_bytes(kind) + i, both >> 4);
    }
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

/* What a sum of products stands for. */
INLINE vint whole_sum(enum packed_kind kind, vint sum)
{
    return kind == PACKED_INT8 ? sum : nibbles_sum(sum);
}

#endif
