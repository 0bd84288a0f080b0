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
#define set_step add_parts
#define set_products word_products
#endif

/* What multiplies codes of 8 bits in a tile, unless it is done in parts. */
#ifndef dot_parts
#define dot_parts dot_bytes
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

/* A word is four codes.  Of 8 bits they are multiplied as they are; or, by a
 * set that has no fast products of them, in two parts, as numbers of 16 bits
 * with a sign: the two even ones, then the odd ones. */
INLINE size_t parts_of(enum packed_kind kind)
{
    return kind == PACKED_INT8 ? WORD_PARTS : 1;
}

/* Whether codes become bytes, or parts, before they are multiplied with many
 * rows. */
INLINE bool is_expanded(enum packed_kind kind)
{
    return kind != PACKED_INT8 || parts_of(kind) > 1 || STEP_WORDS > 1;
}

INLINE size_t expanded_bytes(enum packed_kind kind)
{
    return parts_of(kind) * GROUP * PANEL_ROWS;
}

/* A group of a panel of codes of 8 bits, each less 128, in parts. */
INLINE void expand_shorts(const unsigned char *codes, unsigned char *out)
{
    typedef int16_t vshorts __attribute__((vector_size(4 * LANES)));
    for (size_t j = 0; j < GROUP_WORDS; j++, codes += 64, out += 128)
        UNROLL for (size_t i = 0; i < 64; i += 4 * LANES)
        {
            vshorts both = (vshorts)(load_bytes(codes + i) ^ 128);
            store_bytes(out + i, (vbytes)(both << 8 >> 8));
            store_bytes(out + 64 + i, (vbytes)(both >> 8));
        }
}

/* A group of a panel, of a kind that is expanded, word by word: as bytes, or
 * in parts. */
INLINE void expand_words(enum packed_kind kind, const unsigned char *codes,
                         unsigned char *out)
{
    if (kind == PACKED_INT8) {
        expand_shorts(codes, out);
        return;
    }
    for (size_t i = 0; i < group_bytes(kind); i += 4 * LANES) {
        vbytes both = load_bytes(codes + i);
        store_bytes(out + i, both & 15);
        store_bytes(out + group_bytes(kind) + i, both >> 4);
    }
}

/* What sums of products begin with.  In a set with parts, codes of 8 bits have
 * a sign before they are multiplied, for few rows, too. */
INLINE vint first_sum(enum packed_kind kind, const struct inputs *x, size_t at)
{
    switch (kind) {
    case PACKED_INT4:
        return all_ints(x->starts4[at]);
    case PACKED_INT8:
        return all_ints(WORD_PARTS > 1 ? 0 : x->starts8[at]);
    default:
        return all_ints(0);
    }
}

/* The products of a word of codes and one of inputs, in each lane. */
INLINE vint add_products(enum packed_kind kind, vint sum, vbytes w, vint x)
{
    return kind == PACKED_INT8 ? dot_bytes(sum, w, x) : dot_nibbles(sum, w, x);
}

/* The same of a part of a word, for many rows. */
INLINE vint add_parts(enum packed_kind kind, vint sum, vbytes w, vint x)
{
    return kind == PACKED_INT8 ? dot_parts(sum, w, x) : dot_nibbles(sum, w, x);
}

/* What a sum of products stands for. */
INLINE vint whole_sum(enum packed_kind kind, vint sum)
{
    return kind == PACKED_INT8 ? sum : nibbles_sum(sum);
}

#endif
