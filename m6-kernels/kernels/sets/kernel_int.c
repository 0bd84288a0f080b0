/* Matrices of codes: whole numbers are multiplied, and only their sums become
 * floats.
 *
 * The order of every sum, for a row of the matrix and a row of inputs: in a
 * group of 32 the products are whole numbers, and their sum is exact whatever
 * its order.  Between groups
 *
 *     sum = fused(that sum, scale of the weights * scale of the inputs, sum)
 *     sum = fused(minimum of the weights, total of the inputs, sum)
 *
 * from the first group to the last, the second line for AFFINE4 alone; at the
 * end sum * factor. */
#include "kernel_few.h"
#include "kernel_many.h"
#include "kernel_round.h"

INLINE void few_kind(enum packed_kind kind, const struct packed *p,
                     size_t first, size_t end, const struct inputs *x,
                     float *out, size_t stride)
{
    switch (x->tile) {
    case 1:
        thin_kind(kind, p, first, end, x, 1, out, stride);
        break;
    case 2:
        thin_kind(kind, p, first, end, x, 2, out, stride);
        break;
    case 3:
        thin_kind(kind, p, first, end, x, 3, out, stride);
        break;
    case 4:
        thin_kind(kind, p, first, end, x, 4, out, stride);
        break;
    case 5:
        thin_kind(kind, p, first, end, x, 5, out, stride);
        break;
    case 6:
        thin_kind(kind, p, first, end, x, 6, out, stride);
        break;
    case 7:
        thin_kind(kind, p, first, end, x, 7, out, stride);
        break;
    default:
        thin_kind(kind, p, first, end, x, FEW_ROWS, out, stride);
        break;
    }
}

/* Functions of their own, as is that for many rows: a compiler that had all in
 * one would choose registers for few rows by what many need, and take twice as
 * long to choose. */
__attribute__((noinline)) static void
few_int4(const struct packed *p, const struct inputs *x, size_t first,
         size_t end, float *out, size_t stride)
{
    few_kind(PACKED_INT4, p, first, end, x, out, stride);
}

__attribute__((noinline)) static void
few_affine4(const struct packed *p, const struct inputs *x, size_t first,
            size_t end, float *out, size_t stride)
{
    few_kind(PACKED_AFFINE4, p, first, end, x, out, stride);
}

__attribute__((noinline)) static void
few_int8(const struct packed *p, const struct inputs *x, size_t first,
         size_t end, float *out, size_t stride)
{
    few_kind(PACKED_INT8, p, first, end, x, out, stride);
}

static void multiply_few(const struct packed *p, const struct inputs *x,
                         size_t first, size_t end, float *out, size_t stride)
{
    switch (p->kind) {
    case PACKED_INT4:
        few_int4(p, x, first, end, out, stride);
        break;
    case PACKED_AFFINE4:
        few_affine4(p, x, first, end, out, stride);
        break;
    default:
        few_int8(p, x, first, end, out, stride);
        break;
    }
}

__attribute__((noinline)) static void
multiply_many(const struct packed *p, const struct inputs *x, size_t first,
              size_t end, struct kernel_scratch *room, float *out,
              size_t stride)
{
    switch (p->kind) {
    case PACKED_INT4:
        wide_kind(PACKED_INT4, p, first, end, x, room, out, stride);
        break;
    case PACKED_AFFINE4:
        wide_kind(PACKED_AFFINE4, p, first, end, x, room, out, stride);
        break;
    default:
        wide_kind(PACKED_INT8, p, first, end, x, room, out, stride);
        break;
    }
}

static void multiply_int(const struct packed *p, const struct inputs *x,
                         size_t first, size_t end, struct kernel_scratch *room,
                         float *out, size_t stride)
{
    if (x->n > MOST_FEW)
        multiply_many(p, x, first, end, room, out, stride);
    else
        multiply_few(p, x, first, end, out, stride);
}

const struct int_kernels set_int_kernels = {FEW_ROWS, MOST_FEW, TILE_TOKENS,
                                            WORD_PARTS, round_inputs,
                                            multiply_int};
