/* A tensor: a named block of numbers somewhere in a mapped file. */
#ifndef TENSOR_H
#define TENSOR_H

#include "dtype.h"
#include "mapping.h"

#include <stdbool.h>
#include <stddef.h>

enum tensor_limits {
    TENSOR_MAX_RANK = 8,
    TENSOR_SHAPE_TEXT = 200 /* bytes that hold any shape as text */
};

struct tensor {
    char *name; /* owned */
    enum dtype dtype;
    int rank;                      /* 0 for a single number */
    size_t shape[TENSOR_MAX_RANK]; /* (rank,), row-major: last runs fastest */
    size_t count;                  /* of values: the product of the shape */
    size_t bytes;                  /* of data: count * bits / 8 */

    /* What GGUF files have otherwise than others. */
    const char *block; /* "Q4_K": the type of its blocks of codes, and dtype is
                          DTYPE_BLOCKS; NULL: numbers of dtype */
    size_t paired;     /* rows of a head, in which rows that turn together
                          stand together: i and i + paired / 2 of others are
                          2 i and 2 i + 1 here; 0: as others */
    float added;       /* to each value; 0: as others */
    bool stacked;      /* its parts stand behind each other, and not a head of
                          each in turn */

    const struct mapping *file; /* where it stands; not owned */
    size_t offset;              /* of its first byte, from the file's start */
    const unsigned char *data;  /* (bytes,) in the mapping; any alignment */
};

/* Compare names as people order them: layers.2 stands before layers.10.
 * Zero only for equal names. */
int tensor_order(const char *a, const char *b);

/* "BF16" or "Q4_K": what the numbers are. */
const char *tensor_type(const struct tensor *t);

/* Where row `row` stands when so many rows of a head are in pairs: of 6, rows
 * 0 to 5 are in places 0, 2, 4, 1, 3, 5.  paired 0: where its number says. */
size_t paired_place(size_t row, size_t paired);

/* A shape as text, "[4096, 256]", in out (TENSOR_SHAPE_TEXT,). */
void tensor_shape(const struct tensor *t, char *out);

/* Values first .. first + n - 1, as floats (n,).  The dtype must be real. */
void tensor_read(const struct tensor *t, size_t first, size_t n, float *out);

/* Free an array of tensors (n,) and their names. */
void tensors_free(struct tensor *tensors, size_t n);

#endif
